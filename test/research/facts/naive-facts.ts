/**
 * The facts of markets once more, by `docs/market-facts.md` alone. Each figure gathers its own numbers in a walk over the tape; fair values are
 * those of the naive reading of `docs/statistics.md`. It shares no code with what it checks but the form of a tape.
 */
import { LADDER } from '../../../src/domain/ladder.ts';
import { type EventTape, MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { NaiveEvent } from '../../fair/naive-fair.ts';
import { bookOf, NAIVE_NUMBERS, type Stakes } from '../../fair/naive-solving.ts';

const LOOK_MS = 10_000;
const HORIZONS_S = [10, 60, 300];

/** The numbers of one match day in a phase, each list with its name. */
type Numbers = Map<string, number[]>;

/** Facts of some events by sport, phase and day. */
export class NaiveFacts {
  readonly #days = new Map<string, Numbers>();

  add(tape: EventTape): void {
    const day = new Date(tape.startMs).toISOString().slice(0, 10);
    new Walk(tape, (phase, name, number) => {
      const key = `${tape.event.sport} ${phase} ${day}`;
      const numbers: Numbers = this.#days.get(key) ?? new Map();
      this.#days.set(key, numbers);
      const list = numbers.get(name) ?? [];
      numbers.set(name, list);
      list.push(number);
    }).run();
  }

  /** The mean over the days with the figure, and how many these are. */
  figure(
    sport: string,
    phase: string,
    name: string,
  ): { readonly value: number | null; readonly days: number } {
    const values = [...this.#days].flatMap(([key, numbers]) =>
      key.startsWith(`${sport} ${phase} `) ? (FIGURES.get(name)?.(numbers) ?? []) : [],
    );
    return { value: values.length === 0 ? null : sum(values) / values.length, days: values.length };
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

type Note = (phase: string, name: string, number: number) => void;

interface Level {
  readonly stake: number;
  readonly sinceMs: number;
}

interface MarketNow {
  state: number | null;
  /** The last suspension, while no state told since that the market is open. */
  suspended: {
    readonly fromMs: number;
    readonly phase: string;
    readonly fair: ReadonlyMap<number, number>;
  } | null;
  /** Instants of trades since the market last opened. */
  trades: number[];
}

class Walk {
  readonly #tape: EventTape;
  readonly #note: Note;
  readonly #fair: NaiveEvent;
  readonly #markets: readonly MarketNow[];
  /** By selection and side, by tick; without empty ones. */
  readonly #levels = new Map<string, Map<number, Level>>();
  readonly #lastTradeMs = new Map<number, number>();
  readonly #looks: readonly (number | null)[][];
  /** What traded at this instant and no level has shown yet. */
  #waiting = new Map<string, number>();

  constructor(tape: EventTape, note: Note) {
    [this.#tape, this.#note, this.#fair] = [tape, note, new NaiveEvent(tape)];
    this.#markets = tape.markets.map(() => ({ state: null, suspended: null, trades: [] }));
    this.#looks = tape.selections.map(() => []);
  }

  run(): void {
    const { atMs, length } = this.#tape.updates;
    let lookMs = (atMs[0] ?? NaN) + LOOK_MS;
    for (let row = 0; row < length; row++) {
      const nowMs = atMs[row] as number;
      for (; lookMs <= nowMs; lookMs += LOOK_MS) this.#look(lookMs);
      if (row === 0 || atMs[row - 1] !== nowMs) this.#waiting = new Map();
      this.#update(row, nowMs);
    }
  }

  /** The phase of a market that is open, in no gap; null otherwise. */
  #phase(market: number, nowMs: number): string | null {
    const { state } = this.#markets[market] as MarketNow;
    const isInGap = this.#tape.gaps.some(
      (gap) => (gap.market === null || gap.market === market) && gap.fromMs <= nowMs && nowMs < gap.toMs,
    );
    if (state === null || isInGap || (state & 3) !== MARKET_STATE.open) return null;
    return state & MARKET_STATE.inPlay ? 'in play' : 'before play';
  }

  #marketOf(selection: number): number {
    return this.#tape.selections[selection]?.market ?? -1;
  }

  #stakes(selection: number): Stakes {
    const sideOf = (side: string): Map<number, number> =>
      new Map(Array.from(this.#side(selection, side), ([tick, { stake }]) => [tick, stake] as const));
    return { back: sideOf('against'), lay: sideOf('for') };
  }

  #side(selection: number, side: string): Map<number, Level> {
    const known = this.#levels.get(`${selection} ${side}`) ?? new Map<number, Level>();
    this.#levels.set(`${selection} ${side}`, known);
    return known;
  }

  #look(nowMs: number): void {
    const { markets, selections, hasTrades } = this.#tape;
    for (const market of markets.keys()) {
      const phase = this.#phase(market, nowMs);
      if (phase === null) continue;
      this.#note(phase, 'market ms', LOOK_MS);
      if (hasTrades) this.#note(phase, 'traded ms', LOOK_MS);
    }
    for (const selection of selections.keys()) this.#lookAt(selection, nowMs);
    for (const { market, selections: members, winners } of this.#fair.sets) {
      const phase = this.#phase(market, nowMs);
      const backs = members.map((selection) => [...this.#stakes(selection).back.keys()]);
      if (phase === null || winners === 0 || backs.some((ticks) => ticks.length === 0)) continue;
      const sumOfBest = sum(backs.map((ticks) => 1 / (LADDER[Math.max(...ticks)] ?? NaN)));
      this.#note(phase, 'overround', sumOfBest / winners - 1);
    }
  }

  #lookAt(selection: number, nowMs: number): void {
    const phase = this.#phase(this.#marketOf(selection), nowMs);
    const fair = phase === null ? null : this.#fair.fair(selection, nowMs, false);
    const looks = this.#looks[selection] as (number | null)[];
    looks.push(fair);
    if (phase === null) return;
    this.#note(phase, 'open ms', LOOK_MS);
    if (fair !== null) this.#note(phase, 'fair ms', LOOK_MS);
    const stakes = this.#stakes(selection);
    const book = bookOf(stakes, { ...NAIVE_NUMBERS, width: Infinity });
    if (typeof book !== 'number' && book.isValid) this.#note(phase, 'half', book.w / 2);
    const [back, lay] = [Math.max(...stakes.back.keys()), Math.min(...stakes.lay.keys())];
    for (const [tick, side] of [[back, stakes.back] as const, [lay, stakes.lay] as const])
      if (side.size > 0) this.#note(phase, 'depth', riskOf(side.get(tick) ?? NaN, tick));
    this.#noteMoves(phase, looks, Math.round(nowMs / LOOK_MS));
  }

  /** Changes end with every third look, and moves of a minute with every sixth. */
  #noteMoves(phase: string, looks: readonly (number | null)[], number: number): void {
    const move = (end: number, steps: number): number | null => {
      const between = Array.from({ length: steps + 1 }, (_, back) => looks[looks.length - 1 - end - back]);
      if (between.some((look) => typeof look !== 'number')) return null;
      return (between[0] ?? NaN) - (between.at(-1) ?? NaN);
    };
    const minute = move(0, 6);
    if (number % 6 === 0 && minute !== null) this.#note(phase, 'minute', Math.abs(minute));
    const change = move(0, 3);
    if (number % 3 !== 0 || change === null) return;
    this.#note(phase, 'square', change * change);
    const before = move(3, 3);
    if (before !== null) this.#note(phase, 'product', Math.abs(change * before));
  }

  #update(row: number, nowMs: number): void {
    const { op, of, tick, micros } = this.#tape.updates;
    const [kind, subject] = [op[row], of[row] ?? -1];
    const [at, amount] = [tick[row] ?? -1, micros[row] ?? NaN];
    if (kind === OP.state) this.#setState(subject, at, nowMs);
    else if (kind === OP.clear) {
      for (const side of ['for', 'against']) this.#side(subject, side).clear();
    } else if (kind === OP.restingFor) this.#level(subject, 'for', at, amount, nowMs);
    else if (kind === OP.restingAgainst) this.#level(subject, 'against', at, amount, nowMs);
    else this.#trade(subject, kind === OP.tradedFor ? 'for' : 'against', at, amount, nowMs);
  }

  #level(selection: number, side: string, tick: number, stake: number, nowMs: number): void {
    const key = `${selection} ${side} ${tick}`;
    const levels = this.#side(selection, side);
    const before = levels.get(tick) ?? { stake: 0, sinceMs: nowMs };
    if (stake === 0) levels.delete(tick);
    else levels.set(tick, { stake, sinceMs: before.sinceMs });
    const phase = this.#phase(this.#marketOf(selection), nowMs);
    const fall = before.stake - stake;
    if (phase === null || fall <= 0) return;
    if (stake === 0) this.#note(phase, 'life', nowMs - before.sinceMs);
    const waiting = this.#waiting.get(key) ?? 0;
    const byTrade = Math.min(waiting, fall);
    this.#waiting.set(key, waiting - byTrade);
    if (!this.#tape.hasTrades) return;
    this.#note(phase, 'fall', fall);
    this.#note(phase, 'fall by trade', byTrade);
  }

  #trade(selection: number, side: string, tick: number, stake: number, nowMs: number): void {
    const market = this.#marketOf(selection);
    const phase = this.#phase(market, nowMs);
    if (phase === null) return;
    const key = `${selection} ${side} ${tick}`;
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + stake);
    this.#note(phase, 'trade', stake);
    const beforeMs = this.#lastTradeMs.get(selection);
    if (beforeMs !== undefined) this.#note(phase, 'pause', nowMs - beforeMs);
    this.#lastTradeMs.set(selection, nowMs);
    this.#markets[market]?.trades.push(nowMs);
    const { inPlayMs } = this.#tape;
    if (inPlayMs !== null && nowMs < inPlayMs)
      for (const [name, lastMs] of [['last five', 300_000] as const, ['last one', 60_000] as const])
        this.#note(phase, name, inPlayMs - nowMs <= lastMs ? stake : 0);
    const fair = this.#fair.fair(selection, nowMs, false);
    if (fair === null) return;
    const risk = riskOf(stake, tick);
    // The taker of resting stake against bets for the selection: too short a price is what it pays.
    const paidTo = (then: number): number => {
      const x = -Math.log((LADDER[tick] ?? NaN) - 1);
      return risk * (side === 'against' ? x - then : then - x);
    };
    this.#note(phase, 'effective risk', risk);
    this.#note(phase, 'effective', paidTo(fair));
    for (const horizonS of HORIZONS_S) {
      const { logOdds } = this.#fair.mark(selection, nowMs, horizonS);
      if (logOdds === null) continue;
      this.#note(phase, `risk ${horizonS}`, risk);
      this.#note(phase, `realised ${horizonS}`, paidTo(logOdds));
    }
  }

  #setState(market: number, state: number, nowMs: number): void {
    const now = this.#markets[market] as MarketNow;
    const before = this.#phase(market, nowMs);
    now.state = state;
    if (before !== null && (state & 3) === MARKET_STATE.suspended) this.#suspend(market, before, nowMs);
    const { suspended } = now;
    if (this.#phase(market, nowMs) === null || suspended === null) return;
    this.#note(suspended.phase, 'suspended ms', nowMs - suspended.fromMs);
    for (const [selection, fair] of suspended.fair) {
      const { logOdds, atMs } = this.#fair.mark(selection, nowMs, 0);
      if (logOdds !== null && atMs - nowMs <= 60_000)
        this.#note(suspended.phase, 'jump', Math.abs(logOdds - fair));
    }
    [now.suspended, now.trades] = [null, []];
  }

  #suspend(market: number, phase: string, nowMs: number): void {
    const now = this.#markets[market] as MarketNow;
    this.#note(phase, 'suspension', 1);
    if (this.#tape.hasTrades) {
      this.#note(phase, 'suspension with trades', 1);
      this.#note(phase, 'trades before it', now.trades.filter((atMs) => nowMs - atMs <= 5_000).length);
    }
    const fair = new Map<number, number>();
    for (const selection of this.#tape.selections.keys()) {
      const value = this.#fair.fair(selection, nowMs, false);
      if (this.#marketOf(selection) === market && value !== null) fair.set(selection, value);
    }
    now.suspended = { fromMs: nowMs, phase, fair };
  }
}

/** stake √(price − 1), in USDT. */
const riskOf = (stakeMicros: number, tick: number): number =>
  (stakeMicros / 1e6) * Math.sqrt((LADDER[tick] ?? NaN) - 1);

type Figure = (numbers: Numbers) => number | null;

const listed = (numbers: Numbers, name: string): readonly number[] => numbers.get(name) ?? [];
const totalOf = (numbers: Numbers, name: string): number => sum(listed(numbers, name));

/** The share of one sum in another; null without the other. */
const share =
  (part: string, whole: string, scale = 1): Figure =>
  (numbers) =>
    totalOf(numbers, whole) > 0 ? (scale * totalOf(numbers, part)) / totalOf(numbers, whole) : null;

/** The number below which this share of them lies. */
const quantile =
  (name: string, at: number, scale = 1): Figure =>
  (numbers) => {
    const sorted = listed(numbers, name).toSorted((a, b) => a - b);
    if (sorted.length === 0) return null;
    return scale * (sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? NaN);
  };

/** The variation of all changes without jumps; null without two neighbours. */
function bipower(numbers: Numbers): number | null {
  const [products, changes] = [listed(numbers, 'product'), listed(numbers, 'square').length];
  return products.length === 0 ? null : ((Math.PI / 2) * sum(products) * changes) / products.length;
}

const volatility: Figure = (numbers) => {
  const variation = bipower(numbers);
  return variation === null ? null : Math.sqrt(variation / listed(numbers, 'square').length / 30);
};

const jumps: Figure = (numbers) => {
  const [variation, squares] = [bipower(numbers), totalOf(numbers, 'square')];
  return variation === null || squares === 0 ? null : Math.max(0, 1 - variation / squares);
};

const tail: Figure = (numbers) => {
  const [middle, far] = [quantile('minute', 0.5)(numbers), quantile('minute', 0.999)(numbers)];
  return middle === null || far === null || middle === 0 ? null : far / middle;
};

const effective = share('effective', 'effective risk');
const realised = (horizonS: number): Figure => share(`realised ${horizonS}`, `risk ${horizonS}`);

const makerShare =
  (horizonS: number): Figure =>
  (numbers) => {
    const [paid, kept] = [effective(numbers), realised(horizonS)(numbers)];
    return paid === null || kept === null || paid <= 0 ? null : kept / paid;
  };

const pauses: Figure = (numbers) => {
  const times = listed(numbers, 'pause');
  const mean = sum(times) / times.length;
  if (times.length < 2 || !(mean > 0)) return null;
  return Math.sqrt(sum(times.map((ms) => (ms - mean) ** 2)) / (times.length - 1)) / mean;
};

/** What a fall does not show of what traded. */
const withoutFall: Figure = (numbers) => {
  const traded = totalOf(numbers, 'trade');
  return traded > 0 ? (traded - totalOf(numbers, 'fall by trade')) / traded : null;
};

const cancels: Figure = (numbers) => {
  const fallen = totalOf(numbers, 'fall');
  return fallen > 0 ? (fallen - totalOf(numbers, 'fall by trade')) / fallen : null;
};

/** Null where nothing traded before play that was recorded. */
const lateShare =
  (name: string): Figure =>
  (numbers) =>
    numbers.has(name) ? share(name, 'trade')(numbers) : null;

const tradesAMinute: Figure = (numbers) => {
  const minutes = totalOf(numbers, 'traded ms') / 60_000;
  return minutes > 0 ? listed(numbers, 'trade').length / minutes : null;
};

export const FIGURES: ReadonlyMap<string, Figure> = new Map<string, Figure>([
  ['time with a fair value', share('fair ms', 'open ms')],
  ['half-spread', quantile('half', 0.5)],
  ['depth at the best price', quantile('depth', 0.5)],
  ['volatility', volatility],
  ['jumps', jumps],
  ['tail of minute moves', tail],
  ['effective half', effective],
  ...HORIZONS_S.map((s) => [`realised half after ${s} s`, realised(s)] as const),
  ...HORIZONS_S.map((s) => [`maker share after ${s} s`, makerShare(s)] as const),
  ['trades', tradesAMinute],
  ['gaps of trades', pauses],
  ['size of a trade', quantile('trade', 0.5, 1e-6)],
  ['size of a trade, 95 %', quantile('trade', 0.95, 1e-6)],
  ['cancels', cancels],
  ['life of a level', quantile('life', 0.5, 1e-3)],
  ['trades without a fall', withoutFall],
  ['suspensions', share('suspension', 'market ms', 3_600_000)],
  ['length of a suspension', quantile('suspended ms', 0.5, 1e-3)],
  ['move over a suspension', quantile('jump', 0.5)],
  ['trades in the last 5 s', share('trades before it', 'suspension with trades')],
  ['volume in the last 5 min', lateShare('last five')],
  ['volume in the last minute', lateShare('last one')],
  ['overround at the touch', quantile('overround', 0.5)],
]);
