/** The measurements of one sport in one phase on one match day. */
import { MARK_HORIZONS_S } from '../../fair/marks.ts';

export const PHASES = ['before play', 'in play'] as const;
export type Phase = (typeof PHASES)[number];

/** Lists of samples, and sums. Amounts are in USDT, risk is stake · √(price − 1), spreads and moves are in log-odds. */
export class Samples {
  /** Open time of all selections, and the part of it with a fair value. */
  openMs = 0;
  fairMs = 0;
  /** Open time of all markets, and of those whose trades are recorded. */
  marketMs = 0;
  tradedMs = 0;
  readonly halfSpreads: number[] = [];
  /** The risk at the best price, of each side. */
  readonly depths: number[] = [];
  /** Sums of squared changes of the fair value over 30 s, and of products of neighbours. */
  readonly moves = { squares: 0, products: 0, changes: 0, pairs: 0 };
  /** Sizes of changes over a minute. */
  readonly minuteMoves: number[] = [];
  trades = 0;
  readonly tradeStakes: number[] = [];
  /** Milliseconds between the trades of a selection. */
  readonly tradeGapsMs: number[] = [];
  /** The risk of trades at a fair value, and what it paid: at once, and at each of `MARK_HORIZONS_S`. */
  readonly effective = { risk: 0, paid: 0 };
  readonly realised = MARK_HORIZONS_S.map(() => ({ risk: 0, paid: 0 }));
  /** Micros that left levels where trades are recorded, and the part of them that traded; micros that traded. */
  fallen = 0;
  fallenByTrade = 0;
  traded = 0;
  /** How long levels stood, milliseconds. */
  readonly levelLivesMs: number[] = [];
  suspensions = 0;
  tradedSuspensions = 0;
  readonly suspensionsMs: number[] = [];
  /** Sizes of the moves of the fair value over suspensions. */
  readonly suspensionJumps: number[] = [];
  /** Trades in the last 5 s before a suspension. */
  tradesBeforeSuspension = 0;
  /** Micros that traded in the last five minutes and in the last minute before play; null where play was not recorded. */
  lateStakes: { five: number; one: number } | null = null;
  /** The sums that a taker of every runner of a set pays beyond a winner. */
  readonly overrounds: number[] = [];
}

/** A figure of the table: null where nothing was measured. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly of: (samples: Samples) => number | null;
}

const BIPOWER = Math.PI / 2;
const CHANGE_S = 30;

/** Bipower variation of the changes, in the sum that squares would have (Barndorff-Nielsen and Shephard 2004). */
const bipower = ({ products, changes, pairs }: Samples['moves']): number | null =>
  pairs === 0 ? null : (BIPOWER * products * changes) / pairs;

/** Null without a whole, and for an unknown part. */
const ratio = (part: number, whole: number): number | null =>
  whole > 0 && !Number.isNaN(part) ? part / whole : null;

/** The sample at a share of the sorted list; null without samples. */
function quantile(samples: readonly number[], share: number): number | null {
  if (samples.length === 0) return null;
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

function deviationByMean(samples: readonly number[]): number | null {
  if (samples.length < 2) return null;
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  const squares = samples.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return mean > 0 ? Math.sqrt(squares / (samples.length - 1)) / mean : null;
}

const scaled = (value: number | null, by: number): number | null => (value === null ? null : value * by);

const paidShare = ({ risk, paid }: { readonly risk: number; readonly paid: number }): number | null =>
  ratio(paid, risk);

function makerShare(samples: Samples, at: number): number | null {
  const effective = paidShare(samples.effective);
  const realised = paidShare(samples.realised[at] ?? { risk: 0, paid: 0 });
  return effective === null || realised === null || effective <= 0 ? null : realised / effective;
}

function jumpShare({ moves }: Samples): number | null {
  const continuous = bipower(moves);
  return continuous === null || moves.squares === 0 ? null : Math.max(0, 1 - continuous / moves.squares);
}

function volatility({ moves }: Samples): number | null {
  const continuous = bipower(moves);
  return continuous === null ? null : Math.sqrt(continuous / (moves.changes * CHANGE_S));
}

function tail({ minuteMoves }: Samples): number | null {
  const [middle, far] = [quantile(minuteMoves, 0.5), quantile(minuteMoves, 0.999)];
  return middle === null || far === null || middle === 0 ? null : far / middle;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** All figures, in the order of the table. */
export const FIGURES: readonly Figure[] = [
  { name: 'time with a fair value', unit: 'share', of: ({ fairMs, openMs }) => ratio(fairMs, openMs) },
  { name: 'half-spread', unit: 'log-odds', of: ({ halfSpreads }) => quantile(halfSpreads, 0.5) },
  { name: 'depth at the best price', unit: 'USDT of risk', of: ({ depths }) => quantile(depths, 0.5) },
  { name: 'volatility', unit: 'log-odds/√s', of: volatility },
  { name: 'jumps', unit: 'share of variance', of: jumpShare },
  { name: 'tail of minute moves', unit: 'q99.9/q50', of: tail },
  { name: 'effective half', unit: 'log-odds', of: ({ effective }) => paidShare(effective) },
  ...MARK_HORIZONS_S.map((s, at): Figure => ({
    name: `realised half after ${s} s`,
    unit: 'log-odds',
    of: ({ realised }) => paidShare(realised[at] ?? { risk: 0, paid: 0 }),
  })),
  ...MARK_HORIZONS_S.map((s, at): Figure => ({
    name: `maker share after ${s} s`,
    unit: 'share',
    of: (samples) => makerShare(samples, at),
  })),
  {
    name: 'trades',
    unit: 'a minute',
    of: ({ trades, tradedMs }) => scaled(ratio(trades, tradedMs), MINUTE_MS),
  },
  { name: 'gaps of trades', unit: 'sd/mean', of: ({ tradeGapsMs }) => deviationByMean(tradeGapsMs) },
  { name: 'size of a trade', unit: 'USDT', of: ({ tradeStakes }) => quantile(tradeStakes, 0.5) },
  { name: 'size of a trade, 95 %', unit: 'USDT', of: ({ tradeStakes }) => quantile(tradeStakes, 0.95) },
  {
    name: 'cancels',
    unit: 'share of falls',
    of: ({ fallen, fallenByTrade }) => ratio(fallen - fallenByTrade, fallen),
  },
  {
    name: 'life of a level',
    unit: 's',
    of: ({ levelLivesMs }) => scaled(quantile(levelLivesMs, 0.5), 0.001),
  },
  {
    name: 'trades without a fall',
    unit: 'share of stake',
    of: ({ traded, fallenByTrade }) => ratio(traded - fallenByTrade, traded),
  },
  {
    name: 'suspensions',
    unit: 'an hour',
    of: ({ suspensions, marketMs }) => scaled(ratio(suspensions, marketMs), HOUR_MS),
  },
  {
    name: 'length of a suspension',
    unit: 's',
    of: ({ suspensionsMs }) => scaled(quantile(suspensionsMs, 0.5), 0.001),
  },
  {
    name: 'move over a suspension',
    unit: 'log-odds',
    of: ({ suspensionJumps }) => quantile(suspensionJumps, 0.5),
  },
  {
    name: 'trades in the last 5 s',
    unit: 'a suspension',
    of: ({ tradesBeforeSuspension, tradedSuspensions }) => ratio(tradesBeforeSuspension, tradedSuspensions),
  },
  {
    name: 'volume in the last 5 min',
    unit: 'share',
    of: ({ lateStakes, traded }) => ratio(lateStakes?.five ?? NaN, traded),
  },
  {
    name: 'volume in the last minute',
    unit: 'share',
    of: ({ lateStakes, traded }) => ratio(lateStakes?.one ?? NaN, traded),
  },
  { name: 'overround at the touch', unit: 'share', of: ({ overrounds }) => quantile(overrounds, 0.5) },
];
