import { atLeast, atMost, type Check, none, slopeBelow } from './checks.ts';
import type { PartReport } from './part-report.ts';
import { floorsOf, medianOf, type Point, type Slope, slopeOf } from './slope.ts';

/** What a few seconds of the daemon over sockets left behind. Counts are since the start. */
export interface SocketSample {
  /** Hours since the first order was live. */
  readonly hours: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly descriptors: number;
  readonly processorS: number;
  /** Of the time since the last sample. */
  readonly lagP99S: number;
  /** The journal's file, and SQLite's log beside it. */
  readonly journalBytes: number;
  readonly logBytes: number;
  readonly lastSeq: number;
  /** Records that retention may still remove. */
  readonly records: number;
  readonly turns: number;
  readonly fills: number;
  readonly requests: number;
  readonly ready: number;
  /** From files and sockets. */
  readonly readBytes: number;
}

/** The end of the run. Amounts in micros. */
export interface SocketsEnd {
  readonly exitCode: number | null;
  /** The daemon's orders on the exchange: those still open, all, and their bets. */
  readonly ordersOpen: number;
  readonly orders: number;
  readonly bets: number;
  /** The daemon's settled orders with a result, and the sum of their results. */
  readonly settledOrders: number;
  readonly settledMicros: number;
  readonly residualMicros: number;
  /** Of `touchline reconcile`, once the balance was explained; null if a signal ended it. */
  readonly reconcileCode: number | null;
  /** Differences between the exchange's orders and the journal. */
  readonly problems: readonly string[];
  /** Lines of level error or fatal, of daemon and exchange. */
  readonly errors: readonly string[];
  readonly warnings: Readonly<Record<string, number>>;
}

const MB = 1_000_000;
const HOURS_PER_MINUTE = 1 / 60;
/** Code is compiled, pools are filled and the heap finds its size in this part of the run, or in ten minutes. */
const WARM_UP_PART = 1 / 3;
const WARM_UP_HOURS = 10 * HOURS_PER_MINUTE;

/** Each bound with its reason. A figure beyond it fails the soak. */
const BOUNDS = {
  /** Two thirds of what the exchange's bench delivers to one client: otherwise the machine was too slow for the load. */
  receivedMbPerS: 3,
  /** A sixth of what the daemon places here. Below it, memory and journal were hardly tested. */
  ordersPerMinute: 30,
  betsPerMinute: 5,
  /** Below it the daemon hardly traded. A machine with much other work loses the stream now and then. */
  readyPart: 0.8,
  /**
   * A day at this rate needs 1.5 GB more, which a small machine has. By design a bet costs about a kilobyte until the daemon
   * restarts, which at the rate of the soak is a tenth of the bound.
   */
  residentMbPerHour: 60,
  heapMbPerHour: 30,
  /** A pool of connections grows in a rush and shrinks again. A leak of one descriptor a request would leave thousands. */
  moreDescriptors: 5,
  /** A record of an order has some 500 bytes; the index over kinds and the page's free part come on top. */
  bytesPerRecord: 1_000,
  /** An order has two or three requests and five or six records. More means that something repeats itself. */
  recordsPerRequest: 4,
  /** SQLite's log moves into the file every 500 commits, about four megabytes; a reader may delay that. */
  logMb: 16,
  /** A heartbeat and a kill must not wait longer behind the load, even beside other work on the machine. */
  lagP99S: 0.25,
} as const;

/** Judges a run over sockets. Throws without samples. */
export function judgeSockets(samples: readonly SocketSample[], end: SocketsEnd): PartReport {
  const warmUpHours = Math.min(WARM_UP_HOURS, WARM_UP_PART * lastOf(samples).hours);
  const warm = samples.filter(({ hours }) => hours >= warmUpHours);
  const checks = [
    ...activityChecks(samples, end),
    ...memoryChecks(warm),
    ...journalChecks(samples),
    atMost('event loop lag, 99 %, median', medianOf(warm.map(({ lagP99S }) => lagP99S)), BOUNDS.lagP99S, 's'),
    ...endChecks(end),
  ];
  return { checks, figures: figuresOf(samples, warm, end) };
}

function activityChecks(samples: readonly SocketSample[], end: SocketsEnd): Check[] {
  const { orders, bets, settledOrders } = end;
  const minutes = lastOf(samples).hours / HOURS_PER_MINUTE;
  const ready = samples.filter(({ ready: isReady }) => isReady === 1).length / samples.length;
  return [
    atLeast('load received', receivedMbPerS(samples), BOUNDS.receivedMbPerS, 'MB/s'),
    atLeast('orders', orders / minutes, BOUNDS.ordersPerMinute, 'a minute'),
    atLeast('bets', bets / minutes, BOUNDS.betsPerMinute, 'a minute'),
    {
      name: 'orders settled',
      verdict: settledOrders > 0 ? 'ok' : 'undecided',
      text: settledOrders > 0 ? `${settledOrders}` : 'no match with bets was over before the end',
    },
    atLeast('ready', ready, BOUNDS.readyPart, 'of the samples'),
  ];
}

function memoryChecks(warm: readonly SocketSample[]): Check[] {
  const third = Math.ceil(warm.length / 3);
  const least = (some: readonly SocketSample[]): number =>
    Math.min(...some.map(({ descriptors }) => descriptors));
  return [
    slopeBelow('resident memory', residentSlope(warm), BOUNDS.residentMbPerHour, 'MB/h'),
    slopeBelow('heap in use', heapSlope(warm), BOUNDS.heapMbPerHour, 'MB/h'),
    atMost(
      'open descriptors, least of last third against first',
      least(warm.slice(-third)) - least(warm.slice(0, third)),
      BOUNDS.moreDescriptors,
      'more',
    ),
  ];
}

function journalChecks(samples: readonly SocketSample[]): Check[] {
  const [first, last] = [firstOf(samples), lastOf(samples)];
  const records = last.lastSeq - first.lastSeq;
  const bytes = last.journalBytes - first.journalBytes;
  const log = Math.max(...samples.map(({ logBytes }) => logBytes)) / MB;
  return [
    atMost('journal, bytes a record', bytes / records, BOUNDS.bytesPerRecord, 'B'),
    atMost(
      'journal, records a request',
      records / (last.requests - first.requests),
      BOUNDS.recordsPerRequest,
      '',
    ),
    atMost("journal, SQLite's log", log, BOUNDS.logMb, 'MB'),
  ];
}

const endChecks = (end: SocketsEnd): Check[] => [
  atMost('unexplained residual', Math.abs(end.residualMicros), 0, 'micros'),
  atMost('exit code of touchline reconcile', end.reconcileCode ?? NaN, 0, ''),
  none('differences between exchange and journal', end.problems),
  none('error lines', end.errors),
  atMost('orders open at exit', end.ordersOpen, 0, 'orders'),
  atMost('exit code', end.exitCode ?? NaN, 0, ''),
];

function figuresOf(
  samples: readonly SocketSample[],
  warm: readonly SocketSample[],
  end: SocketsEnd,
): PartReport['figures'] {
  const [first, last] = [firstOf(samples), lastOf(samples)];
  const { problems, errors, ...rest } = end;
  const journal = (by: (sample: SocketSample) => number): Slope | null =>
    slopeOf(warm.map((sample) => ({ x: sample.hours, y: by(sample) })));
  return {
    minutes: last.hours / HOURS_PER_MINUTE,
    samples: samples.length,
    receivedMbPerS: receivedMbPerS(samples),
    processorShare: (last.processorS - first.processorS) / ((last.hours - first.hours) * 3_600),
    residentMbPerHour: residentSlope(warm),
    heapMbPerHour: heapSlope(warm),
    descriptorsPerHour: journal(({ descriptors }) => descriptors),
    journalMbPerHour: journal(({ journalBytes }) => journalBytes / MB),
    recordsPerHour: journal(({ lastSeq }) => lastSeq),
    first,
    last,
    ...rest,
    problems: problems.length,
    errors: errors.length,
  };
}

/** Of each minute, after its collection (`collect.ts`). */
const heapSlope = (warm: readonly SocketSample[]): Slope | null =>
  slopeOf(
    floorsOf(
      pointsOf(warm, ({ heapBytes }) => heapBytes / MB),
      HOURS_PER_MINUTE,
    ),
  );

const residentSlope = (warm: readonly SocketSample[]): Slope | null =>
  slopeOf(
    floorsOf(
      pointsOf(warm, ({ residentBytes }) => residentBytes / MB),
      HOURS_PER_MINUTE,
    ),
  );

const pointsOf = (samples: readonly SocketSample[], by: (sample: SocketSample) => number): readonly Point[] =>
  samples.map((sample) => ({ x: sample.hours, y: by(sample) }));

function receivedMbPerS(samples: readonly SocketSample[]): number {
  const [first, last] = [firstOf(samples), lastOf(samples)];
  return (last.readBytes - first.readBytes) / MB / ((last.hours - first.hours) * 3_600);
}

function firstOf(samples: readonly SocketSample[]): SocketSample {
  const [first] = samples;
  if (first === undefined) throw new Error('the run has no samples');
  return first;
}

const lastOf = (samples: readonly SocketSample[]): SocketSample => samples.at(-1) ?? firstOf(samples);
