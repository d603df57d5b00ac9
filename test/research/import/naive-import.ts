/**
 * The reading of Betfair's files once more, by `docs/import.md` alone: message by message each market is written down whole. It shares no code
 * with what it checks.
 */
import { LADDER } from '../../../src/domain/ladder.ts';
import { MARKET_STATE } from '../../../src/research/tape.ts';
import type { GeneratedFile, GeneratedMarket, GeneratedRunner } from '../../support/generated-betfair.ts';

type Members = Readonly<Record<string, unknown>>;
type Levels = readonly (readonly number[])[];

/** Micros by tick. */
export type NaiveLadder = ReadonlyMap<number, number>;

export interface NaiveTrade {
  readonly atMs: number;
  readonly outcome: string;
  /** Whose resting stake was taken. */
  readonly side: 'for' | 'against';
  readonly tick: number;
  readonly micros: number;
}

/** A market at an instant, after all of its messages until then. */
export interface NaiveMoment {
  readonly atMs: number;
  readonly status: string;
  readonly inPlay: boolean;
  readonly betDelayMs: number;
  /** By outcome: stake that rests against, which takers for get, and for. */
  readonly books: ReadonlyMap<string, { readonly against: NaiveLadder; readonly for: NaiveLadder }>;
}

export interface NaiveMarket {
  readonly given: GeneratedMarket;
  readonly moments: NaiveMoment[];
  readonly trades: NaiveTrade[];
  readonly gaps: { readonly fromMs: number; readonly toMs: number }[];
  readonly removals: {
    readonly atMs: number;
    readonly toldMs: number;
    readonly outcome: string | null;
    readonly factor: number | null;
  }[];
  inPlayMs: number | null;
  startMs: number;
  commissionRate: number | null;
  readonly startingPrices: Map<string, number>;
  readonly statuses: Map<string, string>;
}

interface RunnerNow {
  status: string;
  removedMs: number | null;
  factor: number | null;
  /** Size by price: of every price, and by rank. */
  back: Map<number, number>;
  lay: Map<number, number>;
  backRanks: Map<number, readonly [number, number]>;
  layRanks: Map<number, readonly [number, number]>;
  volume: Map<number, number>;
}

const SOURCES = [
  ['bdatb', 'bdatl'],
  ['batb', 'batl'],
  ['atb', 'atl'],
] as const;

const keyOf = ({ id, hc = 0 }: { readonly id: number; readonly hc?: number }): string => `${id} ${hc}`;
const listIn = (members: Members, name: string): Levels => (members[name] ?? []) as Levels;

/** The markets of a file by their ids. */
export function naiveMarkets({ events, messages }: GeneratedFile): ReadonlyMap<string, NaiveMarket> {
  const readings = new Map(
    events.flatMap(({ markets }) => markets.map((market) => [market.id, new Reading(market)] as const)),
  );
  for (const { pt, mc } of messages) for (const change of mc) readings.get(change.id)?.read(pt, change);
  return new Map(Array.from(readings, ([id, { market }]) => [id, market]));
}

class Reading {
  readonly market: NaiveMarket;
  readonly #runners = new Map<string, RunnerNow>();
  readonly #runnerOf: ReadonlyMap<string, GeneratedRunner>;
  #definition: Members = { status: 'OPEN', inPlay: false, betDelay: 0 };
  #source = -1;
  #lastMs: number | null = null;

  constructor(given: GeneratedMarket) {
    this.#runnerOf = new Map(given.runners.map((runner) => [keyOf(runner), runner]));
    this.market = {
      given,
      moments: [],
      trades: [],
      gaps: [],
      removals: [],
      inPlayMs: null,
      startMs: NaN,
      commissionRate: null,
      startingPrices: new Map(),
      statuses: new Map(),
    };
    for (const runner of given.runners) this.#now(runner);
  }

  read(atMs: number, change: Members): void {
    if (change['marketDefinition'] !== undefined) this.#define(change['marketDefinition'] as Members, atMs);
    const changes = (change['rc'] ?? []) as readonly (Members & { id: number; hc?: number })[];
    // A better source than before replaces what came from it.
    const source = Math.max(
      this.#source,
      ...changes.map((each) =>
        SOURCES.findLastIndex((names) => names.some((name) => listIn(each, name).length > 0)),
      ),
    );
    if (source > this.#source) this.#forgetLevels();
    this.#source = source;
    const isImage = change['img'] === true;
    const before = this.#written();
    if (!isImage) for (const each of changes) this.#trades(each, atMs);
    if (isImage) {
      this.#forgetLevels();
      for (const now of this.#runners.values()) now.volume = new Map();
    }
    for (const each of changes) this.#levels(each);
    const isNew = JSON.stringify(this.#written()) !== JSON.stringify(before);
    if (isImage && isNew && this.#lastMs !== null && this.#lastMs < atMs)
      this.market.gaps.push({ fromMs: this.#lastMs, toMs: atMs });
    this.#lastMs = atMs;
    this.market.moments.push(this.#moment(atMs));
  }

  #now(runner: { readonly id: number; readonly hc?: number }): RunnerNow {
    const known = this.#runners.get(keyOf(runner)) ?? {
      status: 'ACTIVE',
      removedMs: null,
      factor: null,
      back: new Map(),
      lay: new Map(),
      backRanks: new Map(),
      layRanks: new Map(),
      volume: new Map(),
    };
    this.#runners.set(keyOf(runner), known);
    return known;
  }

  #outcome(runner: { readonly id: number; readonly hc?: number }): string | null {
    return this.#runnerOf.get(keyOf(runner))?.outcome ?? null;
  }

  #define(told: Members, atMs: number): void {
    this.#definition = { ...this.#definition, ...told };
    const { market } = this;
    market.startMs = Date.parse(String(this.#definition['marketTime']));
    market.commissionRate = Number(this.#definition['marketBaseRate']) / 100;
    if (this.#definition['inPlay'] === true) market.inPlayMs ??= atMs;
    for (const runner of (told['runners'] ?? []) as readonly (Members & { id: number; hc?: number })[]) {
      const now = this.#now(runner);
      const outcome = this.#outcome(runner);
      if (runner['status'] === 'REMOVED' && now.status !== 'REMOVED') {
        const datedMs = typeof runner['removalDate'] === 'string' ? Date.parse(runner['removalDate']) : atMs;
        const factor = (runner['adjustmentFactor'] ?? null) as number | null;
        market.removals.push({ atMs: Math.min(datedMs, atMs), toldMs: atMs, outcome, factor });
      }
      now.status = (runner['status'] ?? now.status) as string;
      if (outcome === null) continue;
      market.statuses.set(outcome, now.status);
      if (typeof runner['bsp'] === 'number') market.startingPrices.set(outcome, runner['bsp']);
    }
  }

  #forgetLevels(): void {
    for (const now of this.#runners.values()) {
      [now.back, now.lay] = [new Map(), new Map()];
      [now.backRanks, now.layRanks] = [new Map(), new Map()];
    }
  }

  /** Half of what the volume of a price grew by, at the side whose best price before the message it hits. */
  #trades(change: Members & { id: number; hc?: number }, atMs: number): void {
    const now = this.#now(change);
    const outcome = this.#outcome(change);
    for (const [price = NaN, total = NaN] of listIn(change, 'trd')) {
      const micros = Math.round(((total - (now.volume.get(price) ?? 0)) / 2) * 1e6);
      now.volume.set(price, total);
      const tick = LADDER.indexOf(price);
      if (micros > 0 && outcome !== null)
        this.market.trades.push({ atMs, outcome, side: this.#hit(now, tick), tick, micros });
    }
  }

  #hit(now: RunnerNow, tick: number): 'for' | 'against' {
    const [back, lay] = [
      Math.max(...ladderOf(now.back, true).keys()),
      Math.min(...ladderOf(now.lay, false).keys()),
    ];
    if (!Number.isFinite(lay)) return 'against';
    if (!Number.isFinite(back)) return 'for';
    if (tick <= back) return 'against';
    if (tick >= lay) return 'for';
    return tick - back <= lay - tick ? 'against' : 'for';
  }

  #levels(change: Members & { id: number; hc?: number }): void {
    const now = this.#now(change);
    for (const [price = NaN, total = NaN] of listIn(change, 'trd')) now.volume.set(price, total);
    const [back, lay] = SOURCES[this.#source] ?? ['', ''];
    if (back === 'atb') {
      for (const [price = NaN, size = NaN] of listIn(change, back)) now.back.set(price, size);
      for (const [price = NaN, size = NaN] of listIn(change, lay)) now.lay.set(price, size);
      return;
    }
    for (const [rank = NaN, price = NaN, size = NaN] of listIn(change, back))
      now.backRanks.set(rank, [price, size]);
    for (const [rank = NaN, price = NaN, size = NaN] of listIn(change, lay))
      now.layRanks.set(rank, [price, size]);
    [now.back, now.lay] = [pricesOf(now.backRanks), pricesOf(now.layRanks)];
  }

  /** Everything that an image may tell anew. */
  #written(): unknown {
    return Array.from(this.#runners, ([key, { back, lay, volume }]) => [
      key,
      sorted(ladderOf(back, true)),
      sorted(ladderOf(lay, false)),
      sorted(volume),
    ]);
  }

  #moment(atMs: number): NaiveMoment {
    const { status, inPlay, betDelay } = this.#definition;
    return {
      atMs,
      status: String(status),
      inPlay: inPlay === true,
      betDelayMs: 1_000 * Number(betDelay),
      books: new Map(
        this.market.given.runners.flatMap((runner) => {
          const { back, lay } = this.#now(runner);
          const book = { against: ladderOf(back, true), for: ladderOf(lay, false) };
          return runner.outcome === null ? [] : [[runner.outcome, book] as const];
        }),
      ),
    };
  }
}

const sorted = (numbers: ReadonlyMap<number, number>): unknown =>
  [...numbers].filter(([, size]) => size !== 0).toSorted(([a], [b]) => a - b);

/** The best levels by their ranks, each price once. */
const pricesOf = (ranks: ReadonlyMap<number, readonly [number, number]>): Map<number, number> =>
  new Map(
    [...ranks]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([, [price, size]]) => (size > 0 ? [[price, size] as const] : [])),
  );

/** A price between two ticks stands at the one that is worse for its taker, which for a taker for is the lower. */
function ladderOf(prices: ReadonlyMap<number, number>, isBack: boolean): Map<number, number> {
  const ladder = new Map<number, number>();
  for (const [price, size] of prices) {
    const tick = isBack
      ? LADDER.findLastIndex((each) => each <= price + 1e-9)
      : LADDER.findIndex((each) => each >= price - 1e-9);
    if (size > 0) ladder.set(tick, (ladder.get(tick) ?? 0) + Math.round(size * 1e6));
  }
  return ladder;
}

/** The last moment of a market by an instant. */
export const momentAt = (market: NaiveMarket | undefined, atMs: number): NaiveMoment | undefined =>
  market?.moments.findLast((moment) => moment.atMs <= atMs);

/** A close before which the market opens again is a suspension, in the phase from before it. */
export function stateOf({ moments }: NaiveMarket, at: number): number {
  const { status } = moments[at] as NaiveMoment;
  const reopens = moments.slice(at).some((moment) => moment.status !== 'CLOSED');
  if (status === 'CLOSED' && !reopens) return MARKET_STATE.closed;
  const told =
    status === 'CLOSED' ? moments.slice(0, at).findLast((moment) => moment.status !== 'CLOSED') : moments[at];
  return (
    (status === 'OPEN' ? MARKET_STATE.open : MARKET_STATE.suspended) +
    (told?.inPlay === true ? MARKET_STATE.inPlay : 0)
  );
}

/** Whether a market is closed by an instant, for good. */
export const isClosed = (market: NaiveMarket, atMs: number): boolean =>
  stateOf(
    market,
    market.moments.findLastIndex((moment) => moment.atMs <= atMs),
  ) === MARKET_STATE.closed;
