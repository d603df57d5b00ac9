/**
 * The definition of fair values, marks and closing lines (`docs/statistics.md`) once more, read word by word. A market's books are written
 * down at each instant at which anything happens to it; every question walks over that list, and every equation is solved by bisection. It
 * shares no code with `src/fair` but the form of a tape.
 */
import { type EventTape, MARKET_STATE, OP } from '../../src/research/tape.ts';
import {
  bookOf,
  NAIVE_NUMBERS,
  type NaiveNumbers,
  type NaiveState,
  type Stakes,
  valuesOf,
} from './naive-solving.ts';

/** The selections of which `winners` win, as the test knows them; 0 for a selection of no set. */
export interface NaiveSet {
  readonly market: number;
  readonly selections: readonly number[];
  readonly winners: number;
}

/** The books of a set from an instant on. */
interface Moment {
  readonly fromMs: number;
  readonly isOpen: boolean;
  /** Nothing is valid before. */
  readonly readyMs: number;
  /** By the set's selections. */
  readonly books: readonly NaiveState[];
  /** The answer, once somebody asked. */
  solved: readonly (number | null)[] | null;
}

/** When a market was open, and how long it took to turn in play. */
interface MarketLife {
  /** Stretches of open time; the last may have no end. */
  readonly open: { readonly fromMs: number; toMs: number }[];
  /** The suspension that turned it in play, or that closed it without play; null: neither was recorded. */
  beforePlayMs: number | null;
}

export interface NaiveMark {
  readonly kind: 'on time' | 'late' | 'result' | 'none';
  readonly logOdds: number | null;
  /** Of the mark; NaN without a fair value. */
  readonly atMs: number;
}

export class NaiveEvent {
  readonly tape: EventTape;
  readonly sets: readonly NaiveSet[];
  readonly endMs: number;
  readonly #numbers: NaiveNumbers;
  readonly #moments: readonly Moment[][];
  readonly #lives: readonly MarketLife[];
  readonly #setOf: readonly number[];

  constructor(tape: EventTape, sets = naiveSets(tape), numbers = NAIVE_NUMBERS) {
    [this.tape, this.sets, this.#numbers] = [tape, sets, numbers];
    this.endMs = tape.updates.atMs[tape.updates.length - 1] ?? -Infinity;
    this.#lives = tape.markets.map(() => ({ open: [], beforePlayMs: null }));
    this.#moments = sets.map(() => []);
    this.#setOf = tape.selections.map((_, at) => sets.findIndex(({ selections }) => selections.includes(at)));
    this.#read();
  }

  /** The fair log-odds at an instant; `inclusive`: with its updates. */
  fair(selection: number, atMs: number, inclusive = true): number | null {
    const found = this.#momentAt(selection, atMs, inclusive);
    const isReady = found !== null && (inclusive ? found.readyMs <= atMs : found.readyMs < atMs);
    return isReady ? this.#valueIn(found, selection) : null;
  }

  /** The last fair value until an instant, its updates included. */
  lastFair(selection: number, atMs: number): number | null {
    const moments = this.#momentsOf(selection);
    for (let at = this.#placeAt(selection, atMs, true); at >= 0; at--) {
      const moment = moments[at] as Moment;
      const standsMs = Math.max(moment.fromMs, moment.readyMs);
      if (standsMs > atMs || standsMs >= (moments[at + 1]?.fromMs ?? Infinity)) continue;
      const value = this.#valueIn(moment, selection);
      if (value !== null) return value;
    }
    return null;
  }

  /** The last fair value of the recording, if it stood after an instant. */
  lastAfter(selection: number, afterMs: number): { readonly value: number; readonly untilMs: number } | null {
    const moments = this.#momentsOf(selection);
    for (let at = moments.length - 1; at >= 0; at--) {
      const moment = moments[at] as Moment;
      const untilMs = moments[at + 1]?.fromMs ?? Infinity;
      const standsMs = Math.max(moment.fromMs, moment.readyMs);
      if (standsMs >= untilMs || standsMs > this.endMs) continue;
      const value = this.#valueIn(moment, selection);
      if (value !== null) return untilMs > afterMs ? { value, untilMs } : null;
    }
    return null;
  }

  mark(selection: number, atMs: number, horizonS: number): NaiveMark {
    const { open } = this.#lifeOf(selection);
    const dueOpenMs = openUntil(open, atMs) + 1000 * horizonS;
    const dueMs = instantOf(open, dueOpenMs);
    const isSettled = (this.tape.selections[selection]?.settlement ?? null) !== null;
    const nothing = { kind: isSettled ? 'result' : 'none', logOdds: null, atMs: NaN } as const;
    if (dueMs > this.endMs) return nothing;
    const moments = this.#momentsOf(selection);
    const first = Math.max(
      0,
      moments.findLastIndex(({ fromMs }) => fromMs <= dueMs),
    );
    for (let at = first; at < moments.length; at++) {
      const moment = moments[at] as Moment;
      const ms = Math.max(dueMs, moment.fromMs, moment.readyMs);
      if (ms >= (moments[at + 1]?.fromMs ?? Infinity) || ms > this.endMs) continue;
      const logOdds = this.#valueIn(moment, selection);
      if (logOdds === null) continue;
      const isLate = openUntil(open, ms) - dueOpenMs > 500 * horizonS;
      return { kind: isLate ? 'late' : 'on time', logOdds, atMs: ms };
    }
    return nothing;
  }

  /** The instant at which trading before play ended; null if the recording does not hold it. */
  beforePlayMs(selection: number): number | null {
    return this.#lifeOf(selection).beforePlayMs;
  }

  /** The mean log-odds of the last minute before play; null without. */
  closingLine(selection: number): number | null {
    const toMs = this.beforePlayMs(selection);
    if (toMs === null) return null;
    let [sum, lastedMs] = [0, 0];
    for (const [at, moment] of this.#momentsOf(selection).entries()) {
      const nextMs = this.#momentsOf(selection)[at + 1]?.fromMs ?? Infinity;
      const fromMs = Math.max(moment.fromMs, moment.readyMs, toMs - 60_000);
      const ms = Math.min(nextMs, toMs) - fromMs;
      if (ms <= 0) continue;
      const value = this.#valueIn(moment, selection);
      if (value === null) continue;
      sum += value * ms;
      lastedMs += ms;
    }
    return lastedMs === 0 ? null : sum / lastedMs;
  }

  #lifeOf(selection: number): MarketLife {
    return this.#lives[this.tape.selections[selection]?.market ?? -1] as MarketLife;
  }

  #momentsOf(selection: number): readonly Moment[] {
    return this.#moments[this.#setOf[selection] ?? -1] ?? [];
  }

  #momentAt(selection: number, atMs: number, inclusive: boolean): Moment | null {
    return this.#momentsOf(selection)[this.#placeAt(selection, atMs, inclusive)] ?? null;
  }

  /** The place of the last moment by an instant; -1 without one. */
  #placeAt(selection: number, atMs: number, inclusive: boolean): number {
    const moments = this.#momentsOf(selection);
    let [low, high] = [-1, moments.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const { fromMs } = moments[middle] as Moment;
      if (inclusive ? fromMs <= atMs : fromMs < atMs) low = middle;
      else high = middle;
    }
    return low;
  }

  #valueIn(moment: Moment, selection: number): number | null {
    const set = this.sets[this.#setOf[selection] ?? -1] as NaiveSet;
    moment.solved ??= moment.isOpen ? valuesOf(moment.books, set.winners) : set.selections.map(() => null);
    return moment.solved[set.selections.indexOf(selection)] ?? null;
  }

  /** Writes down what happens, instant by instant. */
  #read(): void {
    const { updates, gaps, removals } = this.tape;
    const edges = [
      ...gaps.flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
      ...removals.map(({ atMs }) => atMs),
    ];
    const instants = [...new Set([...updates.atMs, ...edges])].filter((ms) => ms <= this.endMs);
    const reading = new Reading(this.tape, this.#lives, this.#numbers);
    for (const nowMs of instants.toSorted((a, b) => a - b)) {
      const touched = reading.pass(nowMs);
      for (const [at, set] of this.sets.entries())
        if (touched.has(set.market)) this.#moments[at]?.push(reading.moment(set, nowMs));
    }
  }
}

interface MarketNow {
  state: number;
  betDelayMs: number;
  wasOpen: boolean;
  disturbedMs: number;
  suspendedMs: number | null;
}

/** A tape up to an instant. */
class Reading {
  readonly #tape: EventTape;
  readonly #lives: readonly MarketLife[];
  readonly #books: readonly Stakes[];
  readonly #now: readonly MarketNow[];
  readonly #left = new Set<number>();
  readonly #numbers: NaiveNumbers;
  #row = 0;

  constructor(tape: EventTape, lives: readonly MarketLife[], numbers: NaiveNumbers) {
    [this.#tape, this.#lives, this.#numbers] = [tape, lives, numbers];
    this.#books = tape.selections.map(() => ({ back: new Map(), lay: new Map() }));
    this.#now = tape.markets.map(() => ({
      state: MARKET_STATE.open,
      betDelayMs: 0,
      wasOpen: true,
      disturbedMs: -Infinity,
      suspendedMs: null,
    }));
    const firstMs = tape.updates.atMs[0] ?? tape.startMs;
    for (const { open } of lives) open.push({ fromMs: firstMs, toMs: Infinity });
  }

  /** Everything of an instant. Returns the markets to which anything happened. */
  pass(nowMs: number): ReadonlySet<number> {
    const { removals, updates } = this.#tape;
    const touched = new Set<number>();
    for (const { market, selection } of removals.filter(({ atMs }) => atMs === nowMs)) {
      if (selection !== null) this.#left.add(selection);
      (this.#now[market] as MarketNow).disturbedMs = nowMs;
      touched.add(market);
    }
    for (; this.#row < updates.length && updates.atMs[this.#row] === nowMs; this.#row++)
      touched.add(this.#update(this.#row, nowMs));
    for (const market of this.#now.keys()) if (this.#noteOpen(market, nowMs)) touched.add(market);
    return touched;
  }

  moment({ market, selections }: NaiveSet, nowMs: number): Moment {
    const { wasOpen, disturbedMs, betDelayMs } = this.#now[market] as MarketNow;
    return {
      fromMs: nowMs,
      isOpen: wasOpen,
      readyMs: disturbedMs + Math.max(this.#numbers.holdMs, betDelayMs),
      books: selections.map((each) =>
        this.#left.has(each) ? null : bookOf(this.#books[each], this.#numbers),
      ),
      solved: null,
    };
  }

  #update(row: number, nowMs: number): number {
    const { updates, selections } = this.#tape;
    const [op, of, tick] = [updates.op[row] ?? -1, updates.of[row] ?? -1, updates.tick[row] ?? -1];
    const micros = updates.micros[row] ?? NaN;
    if (op === OP.state) return this.#setState(of, tick, micros, nowMs);
    const book = this.#books[of];
    if (op === OP.restingAgainst) book?.back.set(tick, micros);
    if (op === OP.restingFor) book?.lay.set(tick, micros);
    if (op === OP.clear) book?.back.clear();
    if (op === OP.clear) book?.lay.clear();
    return selections[of]?.market ?? -1;
  }

  /** A market that stops and opens again at one instant has stopped. */
  #setState(market: number, state: number, betDelayMs: number, nowMs: number): number {
    const now = this.#now[market] as MarketNow;
    [now.state, now.betDelayMs] = [state, betDelayMs];
    const isOver = (state & MARKET_STATE.inPlay) !== 0 || (state & 3) === MARKET_STATE.closed;
    if (isOver) (this.#lives[market] as MarketLife).beforePlayMs ??= now.suspendedMs ?? nowMs;
    now.suspendedMs = (state & 3) === MARKET_STATE.open ? null : (now.suspendedMs ?? nowMs);
    this.#noteOpen(market, nowMs);
    return market;
  }

  /** Returns whether the market opened or stopped. */
  #noteOpen(market: number, nowMs: number): boolean {
    const now = this.#now[market] as MarketNow;
    const { open } = this.#lives[market] as MarketLife;
    const isInGap = this.#tape.gaps.some(
      (gap) => (gap.market === null || gap.market === market) && gap.fromMs <= nowMs && nowMs < gap.toMs,
    );
    const isOpen = (now.state & 3) === MARKET_STATE.open && !isInGap;
    if (isOpen === now.wasOpen) return false;
    now.wasOpen = isOpen;
    const last = open.at(-1);
    if (isOpen) {
      now.disturbedMs = nowMs;
      open.push({ fromMs: nowMs, toMs: Infinity });
    } else if (last !== undefined) last.toMs = nowMs;
    return true;
  }
}

function openUntil(open: MarketLife['open'], atMs: number): number {
  let total = 0;
  for (const { fromMs, toMs } of open) if (fromMs < atMs) total += Math.min(toMs, atMs) - fromMs;
  return total;
}

/** The first instant with so much open time. */
function instantOf(open: MarketLife['open'], openMs: number): number {
  let left = openMs;
  for (const { fromMs, toMs } of open) {
    if (toMs - fromMs >= left) return fromMs + left;
    left -= toMs - fromMs;
  }
  return Infinity;
}

/** The other side of a line or a question; the outcome itself if it is none. */
const otherSideOf = (outcome: string): string =>
  outcome
    .replace(/^ah,h,/, 'ah,a,')
    .replace(/^ahover,/, 'ahunder,')
    .replace(/^over,/, 'under,')
    .replace(/,yes$/, ',no');

/** The sets of an event by the names of its outcomes. */
export function naiveSets({ event, markets, selections }: EventTape): NaiveSet[] {
  const sets: NaiveSet[] = [];
  const taken = new Set<number>();
  for (const [market, { winners, otherRunners }] of markets.entries()) {
    const places = new Map<string, number>();
    for (const [at, each] of selections.entries()) if (each.market === market) places.set(each.outcome, at);
    const add = (outcomes: readonly string[], win: number): void => {
      const found = outcomes.map((outcome) => places.get(outcome) ?? -1);
      if (new Set(found).size < 2 || found.some((at) => at === -1 || taken.has(at))) return;
      for (const at of found) taken.add(at);
      sets.push({ market, selections: found, winners: win });
    };
    const isFootball = event.sport === 'fb' || event.sport.startsWith('fb_');
    // Unknown runners may win.
    if (otherRunners === 0) add(isFootball ? ['h', 'd', 'a'] : ['h', 'a'], 1);
    add(['dnb,h', 'dnb,a'], 1);
    add(['dc,h,d', 'dc,d,a', 'dc,h,a'], 2);
    add(['odd', 'even'], 1);
    for (const outcome of places.keys()) add([outcome, otherSideOf(outcome)], 1);
    const stated = [...places.keys()].filter((outcome) => /^(win|top|cs|exact_total),/.test(outcome));
    if (winners !== null && winners >= 1 && otherRunners === 0 && stated.length > winners)
      add(stated, winners);
  }
  for (const [at, { market }] of selections.entries())
    if (!taken.has(at)) sets.push({ market, selections: [at], winners: 0 });
  return sets;
}
