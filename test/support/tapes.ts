/** Tapes for tests of backtests, written by hand and generated. */
import fc from 'fast-check';
import { eventId, sport } from '../../src/domain/ids.ts';
import { toMicros } from '../../src/domain/money.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { Settlement } from '../../src/domain/payoff.ts';
import { type Direction, selectionId } from '../../src/domain/selection.ts';
import {
  type EventTape,
  MARKET_STATE,
  OP,
  type Removal,
  type TapeMarket,
  UNKNOWN_RUNNERS,
  type Updates,
} from '../../src/research/tape.ts';

export const TAPE_START_MS = Date.parse('2026-01-03T15:00:00Z');
const EVENT = { sport: sport('fb'), eventId: eventId('2026-01-03,11,22') };

/** One update: instant in milliseconds after `TAPE_START_MS`, then what happens. Prices are decimal, stakes in USDT. */
export type Step =
  | readonly [ms: number, what: 'for' | 'against', price: number, stake: number, selection?: number]
  | readonly [
      ms: number,
      what: 'trade for' | 'trade against',
      price: number,
      stake: number,
      selection?: number,
    ]
  | readonly [ms: number, what: 'clear', selection?: number]
  | readonly [ms: number, what: 'state', state: number, betDelayMs?: number, market?: number];

export const { open, suspended, closed, inPlay } = MARKET_STATE;

/** The chance of a selection by the middle of its best prices in log-odds, as `docs/statistics.md` defines the fair value of one market. */
export const fairBetween = (back: number, lay: number): number => 1 / (1 + Math.sqrt((back - 1) * (lay - 1)));

const LEVEL_OPS = {
  for: OP.restingFor,
  against: OP.restingAgainst,
  'trade for': OP.tradedFor,
  'trade against': OP.tradedAgainst,
};

const rowOf = (step: Step): readonly [number, number, number, number, number] => {
  const atMs = TAPE_START_MS + step[0];
  if (step[1] === 'clear') return [atMs, OP.clear, step[2] ?? 0, 0, 0];
  if (step[1] === 'state') return [atMs, OP.state, step[4] ?? 0, step[2], step[3] ?? 0];
  const tick = tickOf(step[2]);
  if (tick === null) throw new Error(`${step[2]} is not on the ladder`);
  return [atMs, LEVEL_OPS[step[1]], step[4] ?? 0, tick, toMicros(step[3])];
};

export function updatesOf(steps: readonly Step[]): Updates {
  const rows = steps.map(rowOf);
  return {
    length: rows.length,
    atMs: Float64Array.from(rows, (row) => row[0]),
    op: Uint8Array.from(rows, (row) => row[1]),
    of: Uint16Array.from(rows, (row) => row[2]),
    tick: Uint16Array.from(rows, (row) => row[3]),
    micros: Float64Array.from(rows, (row) => row[4]),
  };
}

export interface TapeOptions {
  /** Bet types without direction; each in the market of its position in `markets`. Default: `h`. */
  readonly selections?: readonly {
    outcome: string;
    market?: number;
    settlement?: Settlement | null;
    startingPrice?: number;
  }[];
  readonly markets?: readonly Partial<TapeMarket>[];
  readonly startsInMs?: number;
  readonly gaps?: readonly (readonly [fromMs: number, toMs: number, market?: number])[];
  /** Instants in milliseconds after `TAPE_START_MS`. */
  readonly removals?: readonly Removal[];
}

/** A tape of these steps. */
export function tapeOf(
  steps: readonly Step[],
  {
    selections = [{ outcome: 'h' }],
    markets = [{}],
    startsInMs = 3_600_000,
    gaps = [],
    removals = [],
  }: TapeOptions = {},
): EventTape {
  return {
    event: EVENT,
    eventName: 'Home v Away',
    home: 'Home',
    away: 'Away',
    competitionId: 7,
    competitionName: 'League',
    startMs: TAPE_START_MS + startsInMs,
    inPlayMs: null,
    markets: markets.map((market, at) => ({
      marketId: `1.${at}`,
      marketType: 'wdw',
      commissionRate: 0.05,
      ...UNKNOWN_RUNNERS,
      ...market,
    })),
    selections: selections.map(({ outcome, market = 0, settlement = null, startingPrice }) => ({
      selectionId: selectionId(EVENT.sport, EVENT.eventId, outcome),
      outcome,
      market,
      name: outcome,
      settlement,
      ...(startingPrice === undefined ? {} : { startingPrice }),
    })),
    updates: updatesOf(steps),
    hasTrades: steps.some(([, what]) => what.startsWith('trade')),
    removals: removals.map((removal) => ({ ...removal, atMs: TAPE_START_MS + removal.atMs })),
    gaps: gaps.map(([fromMs, toMs, market = null]) => ({
      fromMs: TAPE_START_MS + fromMs,
      toMs: TAPE_START_MS + toMs,
      market,
    })),
  };
}

/** Prices of generated books: `against` stake rests up to 2.4, `for` stake from 2.42 on, unless a step crosses. */
const AGAINST_PRICES = [2.32, 2.34, 2.36, 2.38, 2.4];
const FOR_PRICES = [2.42, 2.44, 2.46, 2.48, 2.5];

const stakeStep = (what: Direction, prices: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...prices), fc.integer({ min: 0, max: 60 }))
    .map(([price, stake]): readonly [Direction, number, number] => [what, price, stake]);

const tradeStep = (what: 'trade for' | 'trade against', prices: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...prices), fc.integer({ min: 1, max: 40 }))
    .map(([price, stake]) => [what, price, stake] as const);

/** A trade, and the size of its level at the same instant. */
const saleStep = (side: Direction, prices: readonly number[]) =>
  fc
    .tuple(
      fc.constantFrom(...prices),
      fc.integer({ min: 1, max: 40 }),
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
    )
    .map(([price, stake, left]) => ['sale', side, price, stake, left] as const);

/** Steps of one selection in ascending time: levels and trades, now and then a crossing level, a suspension or an image. */
export const generatedSteps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 400 }),
      fc.oneof(
        { weight: 6, arbitrary: stakeStep('for', FOR_PRICES) },
        { weight: 6, arbitrary: stakeStep('against', AGAINST_PRICES) },
        { weight: 2, arbitrary: tradeStep('trade for', FOR_PRICES) },
        { weight: 2, arbitrary: tradeStep('trade against', AGAINST_PRICES) },
        { weight: 4, arbitrary: saleStep('for', FOR_PRICES) },
        { weight: 4, arbitrary: saleStep('against', AGAINST_PRICES) },
        { weight: 1, arbitrary: stakeStep('against', FOR_PRICES) },
        { weight: 1, arbitrary: stakeStep('for', AGAINST_PRICES) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(open, open, open, suspended).map((state) => ['state', state] as const),
        },
      ),
    ),
    { minLength: 20, maxLength: 120 },
  )
  .map((given) => {
    let atMs = 0;
    const steps = given.flatMap(([afterMs, what]): Step[] => {
      atMs += afterMs;
      if (what[0] !== 'sale') return [[atMs, ...what] as Step];
      const [, side, price, stake, left] = what;
      return [
        [atMs, `trade ${side}`, price, stake],
        [atMs, side, price, left],
      ];
    });
    return [...steps, [atMs + 30_000, 'for', 2.5, 0]];
  });
