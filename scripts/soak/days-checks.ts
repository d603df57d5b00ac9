import { atLeast, atMost, type Check, none, slopeBelow } from './checks.ts';
import type { PartReport } from './part-report.ts';
import { floorsOf, medianOf, type Slope, slopeOf } from './slope.ts';

/** The state at the end of a simulated hour. Counts are since the start. */
export interface DaySample {
  /** Simulated days since the start. */
  readonly day: number;
  /** Of daemon and exchange together, after a collection. */
  readonly heapBytes: number;
  readonly journalBytes: number;
  /** Records that retention may still remove, and those that it has kept for good. */
  readonly records: number;
  readonly keptRecords: number;
  readonly orders: number;
  readonly bets: number;
  readonly betsBooked: number;
  /** The amount that the exchange has paid and the daemon has not booked. */
  readonly residualMicros: number;
  /** The residual of the daemon's own last reconciliation; null before the first. */
  readonly reconciledMicros: number | null;
}

/** The end of the run. */
export interface DaysEnd {
  readonly errors: readonly string[];
  readonly warnings: number;
  readonly ordersOpen: number;
}

const MB = 1_000_000;
/** Hours of one day differ from each other as matches come and go, so that a slope is judged over blocks of a quarter. */
const BLOCK_DAYS = 1 / 4;

/** Each bound with its reason. A figure beyond it fails the soak. */
const BOUNDS = {
  /** A tenth of what the daemon places here. Below it the run tested hardly anything. */
  ordersPerDay: 500,
  betsPerDay: 100,
  /**
   * By design the daemon knows every bet of its run: the bet, its order's result, and its part of the attribution. So does the
   * exchange in this process. What is left for everything else is a megabyte a day, with which a year needs 365 MB.
   */
  heapBytesPerBet: 4_000,
  heapMbPerDay: 1,
  /** Retention keeps a day. The number of records follows the market, but must not follow time. */
  recordsPartPerDay: 0.05,
  /** A line for each settled order stays for good, and some of orders without bets; a setting or two besides. */
  keptPerBet: 1.2,
  keptPerDay: 10,
  /** A line that stays has less than a kilobyte. The rest follows the market, as the number of records does. */
  bytesPerKept: 1_000,
  journalPartPerDay: 0.05,
} as const;

/**
 * A checkpoint holds the bets of 3.5 days and of their event's day, and retention keeps the checkpoints of a day. Until then
 * journal and heap only grow. A run that is not longer decides nothing about slopes.
 */
const WARM_UP_DAYS = 6;

/** Judges a run of simulated days. Throws without samples. */
export function judgeDays(samples: readonly DaySample[], end: DaysEnd): PartReport {
  const last = lastOf(samples);
  const isLong = last.day > WARM_UP_DAYS + 1;
  const warm = samples.filter(({ day }) => day >= Math.min(WARM_UP_DAYS, last.day / 2));
  const [orders, bets] = [last.orders / last.day, last.bets / last.day];
  const slopes = slopesOf(warm);
  const judged = isLong ? slopes : NO_SLOPES;
  const atFirst = (by: (sample: DaySample) => number): number => medianOf(firstDayOf(warm).map(by));
  const keptBound = BOUNDS.keptPerBet * bets + BOUNDS.keptPerDay;
  const checks: Check[] = [
    atLeast('orders', orders, BOUNDS.ordersPerDay, 'a day'),
    atLeast('bets', bets, BOUNDS.betsPerDay, 'a day'),
    slopeBelow(
      'heap after a collection',
      judged.heapMb,
      BOUNDS.heapMbPerDay + (BOUNDS.heapBytesPerBet * bets) / MB,
      'MB/day',
    ),
    slopeBelow(
      'journal, records that retention may remove',
      judged.records,
      BOUNDS.recordsPartPerDay * atFirst(({ records }) => records),
      'a day',
    ),
    slopeBelow('journal, records that stay', judged.keptRecords, keptBound, 'a day'),
    slopeBelow(
      'journal, size',
      judged.journalMb,
      (BOUNDS.journalPartPerDay * atFirst(({ journalBytes }) => journalBytes) +
        BOUNDS.bytesPerKept * keptBound) /
        MB,
      'MB/day',
    ),
    atMost('unexplained residual, worst hour', mostOf(samples, residual), 0, 'micros'),
    atMost("residual of the daemon's reconciliations, worst hour", mostOf(samples, reconciled), 0, 'micros'),
    atMost('bets not booked, worst hour', mostOf(samples, unbooked), 0, 'bets'),
    none('error lines', end.errors),
    atMost('orders open at the end', end.ordersOpen, 0, 'orders'),
  ];
  const { errors, ...rest } = end;
  return {
    checks,
    figures: { days: last.day, ...slopes, first: samples[0], last, ...rest, errors: errors.length },
  };
}

const residual = ({ residualMicros }: DaySample): number => Math.abs(residualMicros);
const reconciled = ({ reconciledMicros }: DaySample): number => Math.abs(reconciledMicros ?? 0);
const unbooked = ({ bets, betsBooked }: DaySample): number => Math.abs(bets - betsBooked);
const mostOf = (samples: readonly DaySample[], by: (sample: DaySample) => number): number =>
  Math.max(...samples.map(by));

interface Slopes {
  readonly heapMb: Slope | null;
  readonly records: Slope | null;
  readonly keptRecords: Slope | null;
  readonly journalMb: Slope | null;
}

const NO_SLOPES: Slopes = { heapMb: null, records: null, keptRecords: null, journalMb: null };

/** Per simulated day. */
function slopesOf(warm: readonly DaySample[]): Slopes {
  const slope = (by: (sample: DaySample) => number): Slope | null =>
    slopeOf(
      floorsOf(
        warm.map((sample) => ({ x: sample.day, y: by(sample) })),
        BLOCK_DAYS,
      ),
    );
  return {
    heapMb: slope(({ heapBytes }) => heapBytes / MB),
    records: slope(({ records }) => records),
    keptRecords: slope(({ keptRecords }) => keptRecords),
    journalMb: slope(({ journalBytes }) => journalBytes / MB),
  };
}

/** Bounds are parts of what the first day after the warm-up shows: a later day would grow with the leak. */
const firstDayOf = (warm: readonly DaySample[]): readonly DaySample[] =>
  warm.filter(({ day }) => day < (warm[0]?.day ?? 0) + 1);

function lastOf(samples: readonly DaySample[]): DaySample {
  const last = samples.at(-1);
  if (last === undefined) throw new Error('the run has no samples');
  return last;
}
