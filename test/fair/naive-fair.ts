/**
 * The definition of fair values (`docs/statistics.md`) once more, read word by word: every question replays the tape from its beginning,
 * and every equation is solved by bisection over a grid. It shares no code with `src/fair` but the form of a tape.
 */
import { LADDER } from '../../src/domain/ladder.ts';
import { type EventTape, MARKET_STATE, OP } from '../../src/research/tape.ts';

interface Books {
  /** Stake by tick: what takers for get, and what takers against get. */
  readonly back: Map<number, number>[];
  readonly lay: Map<number, number>[];
}

interface Moment {
  readonly books: Books;
  readonly isOpen: boolean;
  readonly betDelayMs: number;
  /** The end of the last suspension, removal or gap. */
  readonly disturbedMs: number;
  readonly removed: ReadonlySet<number>;
}

/** The selections of which `winners` win, as the test knows them. */
export interface NaiveSet {
  readonly market: number;
  readonly selections: readonly number[];
  readonly winners: number;
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const isOpenState = (state: number): boolean => (state & 3) === MARKET_STATE.open;
const inGap = (tape: EventTape, atMs: number): boolean =>
  tape.gaps.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);

/** The states of a market as stretches. */
function statesOf({ updates, startMs }: EventTape, market: number) {
  const states = [{ fromMs: updates.atMs[0] ?? startMs, state: 0 as number, betDelayMs: 0 }];
  for (let at = 0; at < updates.length; at++)
    if (updates.op[at] === OP.state && updates.of[at] === market)
      states.push({
        fromMs: updates.atMs[at] ?? NaN,
        state: updates.tick[at] ?? NaN,
        betDelayMs: updates.micros[at] ?? NaN,
      });
  return states;
}

/** Every instant at which a market may open or stop. */
function turnsOf(tape: EventTape, market: number): number[] {
  const edges = tape.gaps.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  return [...statesOf(tape, market).map(({ fromMs }) => fromMs), ...edges].toSorted((a, b) => a - b);
}

function isOpenAt(tape: EventTape, market: number, atMs: number): boolean {
  const state = statesOf(tape, market).findLast(({ fromMs }) => fromMs <= atMs);
  return state !== undefined && isOpenState(state.state) && !inGap(tape, atMs);
}

function momentAt(tape: EventTape, market: number, atMs: number): Moment {
  const { updates, selections } = tape;
  const books: Books = { back: selections.map(() => new Map()), lay: selections.map(() => new Map()) };
  for (let at = 0; at < updates.length && (updates.atMs[at] ?? NaN) <= atMs; at++) {
    const [op, of, tick] = [updates.op[at] ?? -1, updates.of[at] ?? -1, updates.tick[at] ?? -1];
    if (op === OP.restingAgainst) books.back[of]?.set(tick, updates.micros[at] ?? 0);
    if (op === OP.restingFor) books.lay[of]?.set(tick, updates.micros[at] ?? 0);
    if (op === OP.clear) for (const side of [books.back, books.lay]) side[of]?.clear();
  }
  const turns = turnsOf(tape, market).filter((ms) => ms <= atMs);
  const reopened = turns.filter(
    (ms) => isOpenAt(tape, market, ms) && turns.some((other) => other < ms && !isOpenAt(tape, market, other)),
  );
  const opened = reopened.filter((ms) => {
    const before = turns.filter((other) => other < ms).at(-1);
    return before !== undefined && !isOpenAt(tape, market, before);
  });
  const left = tape.removals.filter((removal) => removal.atMs <= atMs && removal.market === market);
  return {
    books,
    isOpen: isOpenAt(tape, market, atMs),
    betDelayMs: statesOf(tape, market).findLast(({ fromMs }) => fromMs <= atMs)?.betDelayMs ?? 0,
    disturbedMs: Math.max(-Infinity, ...opened, ...left.map((removal) => removal.atMs)),
    removed: new Set(left.flatMap(({ selection }) => selection ?? [])),
  };
}

/** The worst price at 20 USDT of risk, or the last one; null for an empty side. */
function touch(side: ReadonlyMap<number, number>, isBack: boolean): { x: number; isDeep: boolean } | null {
  const levels = [...side]
    .filter(([, micros]) => micros > 0)
    .toSorted(([a], [b]) => (isBack ? b - a : a - b));
  let risk = 0;
  let x: number | null = null;
  for (const [tick, micros] of levels) {
    const price = LADDER[tick] ?? NaN;
    x = -Math.log(price - 1);
    risk += micros * Math.sqrt(price - 1);
    if (risk >= 20e6) return { x, isDeep: true };
  }
  return x === null ? null : { x, isDeep: false };
}

interface NaiveBook {
  readonly x: number;
  readonly w: number;
  readonly isValid: boolean;
}

/** The fair log-odds of a selection with the updates of an instant; null without. */
export function naiveFair(
  tape: EventTape,
  { market, selections, winners }: NaiveSet,
  selection: number,
  atMs: number,
): number | null {
  const { books, isOpen, betDelayMs, disturbedMs, removed } = momentAt(tape, market, atMs);
  if (!isOpen || atMs < disturbedMs + Math.max(5_000, betDelayMs) || removed.has(selection)) return null;
  const twoSided = new Map<number, NaiveBook>();
  let outside = 0;
  for (const each of selections) {
    if (removed.has(each)) continue;
    const [back, lay] = [
      touch(books.back[each] ?? new Map(), true),
      touch(books.lay[each] ?? new Map(), false),
    ];
    if (back !== null && lay !== null) {
      const w = back.x - lay.x;
      twoSided.set(each, {
        x: (back.x + lay.x) / 2,
        w,
        isValid: back.isDeep && lay.isDeep && w >= 0 && w <= 0.25,
      });
    } else {
      const ticks = [...(books.back[each] ?? [])].filter(([, micros]) => micros > 0).map(([tick]) => tick);
      outside += ticks.length === 0 ? 1 : 1 / (LADDER[Math.max(...ticks)] ?? NaN);
    }
  }
  const own = twoSided.get(selection);
  if (own === undefined || !own.isValid) return null;
  if (winners === 0) return own.x;
  if (outside > 0.01 * winners) return null;
  const solved = solvedSet([...twoSided.values()], winners);
  if (solved === null) return null;
  const at = [...twoSided.keys()].indexOf(selection);
  for (const [place, { x, w, isValid }] of [...twoSided.values()].entries())
    if (isValid && Math.abs((solved[place] ?? NaN) - x) > w / 2 + 1e-9) return null;
  return solved[at] ?? null;
}

/** With every book at the value nearest to its mid, else, of three books, at the least squares. */
function solvedSet(books: readonly NaiveBook[], winners: number): number[] | null {
  if (books.length === 2 && winners === 1) {
    const [a, b] = books as [NaiveBook, NaiveBook];
    // (L − x_a) / w_a² = (−L − x_b) / w_b²
    const [u, v] = [a.w ** 2, b.w ** 2];
    if (u + v === 0) return a.x === -b.x ? [a.x, b.x] : null;
    const l = (a.x * v - b.x * u) / (u + v);
    return [l, -l];
  }
  const sum = (lambda: number): number =>
    books.reduce((total, each) => total + sigmoid(nearest(each, lambda)), 0);
  const sign = sum(0) < winners ? 1 : -1;
  let most = 2 ** 20;
  for (const { x, w, isValid } of books) {
    const p = sigmoid(x + (sign * w) / 2);
    if (isValid && w > 0) most = Math.min(most, 1 / (2 * w * p * (1 - p)));
  }
  let [low, high] = [0, most];
  if (sign * (sum(sign * most) - winners) >= 0) {
    for (let step = 0; step < 100; step++) {
      const middle = (low + high) / 2;
      if (sign * (sum(sign * middle) - winners) < 0) low = middle;
      else high = middle;
    }
    if (Math.abs(sum(sign * high) - winners) < 1e-8) return books.map((each) => nearest(each, sign * high));
  }
  return books.length === 3 && winners === 1
    ? leastSquares(books as [NaiveBook, NaiveBook, NaiveBook])
    : null;
}

const logit = (p: number): number => Math.log(p / (1 - p));

/** The shares of three books at the least Σ ((L − x) / w)²: the best of a grid, then ever smaller steps from it. */
function leastSquares(books: readonly [NaiveBook, NaiveBook, NaiveBook]): number[] {
  const sharesOf = ([a, b]: readonly [number, number]): number[] => [a, b, 1 - a - b];
  const cost = (at: readonly [number, number]): number =>
    sharesOf(at).reduce((sum, p, place) => {
      const { x, w } = books[place] as NaiveBook;
      return p > 0 ? sum + ((logit(p) - x) / w) ** 2 : Infinity;
    }, 0);
  const parts = 60;
  let best: [number, number] = [1 / 3, 1 / 3];
  for (let a = 1; a < parts; a++)
    for (let b = 1; b < parts - a; b++)
      if (cost([a / parts, b / parts]) < cost(best)) best = [a / parts, b / parts];
  const ways = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [1, -1],
    [-1, 1],
  ] as const;
  for (let size = 1 / parts; size > 1e-12;) {
    const better = ways
      .map(([a, b]): [number, number] => [best[0] + a * size, best[1] + b * size])
      .find((at) => cost(at) < cost(best));
    if (better === undefined) size /= 2;
    else best = better;
  }
  return sharesOf(best).map(logit);
}

/** The solution of L = x + λ w² p (1 − p) nearest to x: a walk in small steps, then bisection. */
function nearest({ x, w }: NaiveBook, lambda: number): number {
  const miss = (l: number): number => l - x - lambda * w * w * sigmoid(l) * (1 - sigmoid(l));
  const reach = (lambda * w * w) / 4;
  if (reach === 0) return x;
  const steps = 2_000;
  for (let step = 1; step <= steps; step++) {
    let [near, far] = [x + (reach * (step - 1)) / steps, x + (reach * step) / steps];
    if (Math.sign(miss(far)) !== Math.sign(reach) && miss(far) !== 0) continue;
    for (let halving = 0; halving < 70; halving++) {
      const middle = (near + far) / 2;
      if (Math.sign(miss(middle)) === Math.sign(reach)) far = middle;
      else near = middle;
    }
    return far;
  }
  return x + reach;
}

/** Open time of a market until an instant. */
export function naiveOpenMs(tape: EventTape, market: number, atMs: number): number {
  const turns = [...turnsOf(tape, market).filter((ms) => ms <= atMs), atMs];
  let total = 0;
  for (const [at, fromMs] of turns.slice(0, -1).entries())
    if (isOpenAt(tape, market, fromMs)) total += (turns[at + 1] ?? NaN) - fromMs;
  return total;
}

/** The mark of a fill: its kind and log-odds. */
export function naiveMark(
  tape: EventTape,
  set: NaiveSet,
  selection: number,
  atMs: number,
  horizonS: number,
): { kind: string; logOdds: number | null } {
  const { updates } = tape;
  const endMs = updates.atMs[updates.length - 1] ?? NaN;
  const openMs = naiveOpenMs(tape, set.market, atMs);
  const hasCome = (ms: number): boolean => naiveOpenMs(tape, set.market, ms) - openMs >= 1000 * horizonS;
  const none = {
    kind: (tape.selections[selection]?.settlement ?? null) === null ? 'none' : 'result',
    logOdds: null,
  };
  if (!hasCome(endMs)) return none;
  let [early, dueMs] = [atMs, endMs];
  while (dueMs - early > 0.5) {
    const middle = Math.floor((early + dueMs) / 2);
    if (middle === early || middle === dueMs) break;
    if (hasCome(middle)) dueMs = middle;
    else early = middle;
  }
  const settling = turnsOf(tape, set.market)
    .concat(tape.removals.map((removal) => removal.atMs))
    .flatMap((ms) => statesOf(tape, set.market).map(({ betDelayMs }) => ms + Math.max(5_000, betDelayMs)));
  const instants = [dueMs, ...updates.atMs, ...settling].filter((ms) => ms >= dueMs && ms <= endMs);
  for (const ms of [...new Set(instants)].toSorted((a, b) => a - b)) {
    const logOdds = naiveFair(tape, set, selection, ms);
    if (logOdds === null) continue;
    const lateMs = naiveOpenMs(tape, set.market, ms) - openMs - 1000 * horizonS;
    return { kind: lateMs > 500 * horizonS ? 'late' : 'on time', logOdds };
  }
  return none;
}
