import { describe, expect, it } from 'vitest';
import type { Check } from '../../../scripts/soak/checks.ts';
import { type DaysEnd, type DaySample, judgeDays } from '../../../scripts/soak/days-checks.ts';
import { judgeSockets, type SocketsEnd, type SocketSample } from '../../../scripts/soak/sockets-checks.ts';

const MB = 1_000_000;

/** The names of the checks that did not pass. */
const notPassed = (checks: readonly Check[]): readonly string[] =>
  checks.filter(({ verdict }) => verdict !== 'ok').map(({ name }) => name);

describe('a run over sockets', () => {
  /** Half an hour in which nothing leaks: the heap is a saw over 100 MB. */
  const healthy = (at: number): SocketSample => ({
    hours: at / 720,
    residentBytes: 500 * MB,
    heapBytes: (100 + ((at * 7) % 50)) * MB,
    descriptors: 45 + (at % 3),
    processorS: at,
    lagP99S: 0.02,
    journalBytes: at * 12_000,
    logBytes: 6 * MB,
    lastSeq: at * 40,
    records: at * 40,
    turns: at * 150,
    fills: at * 2,
    requests: at * 20,
    ready: 1,
    readBytes: at * 25 * MB,
  });
  const end: SocketsEnd = {
    exitCode: 0,
    ordersOpen: 0,
    orders: 6_000,
    bets: 800,
    settledOrders: 100,
    settledMicros: 5,
    reconcileCode: 0,
    residualMicros: 0,
    problems: [],
    errors: [],
    warnings: {},
  };
  const judged = (
    change: (sample: SocketSample, at: number) => Partial<SocketSample> = () => ({}),
    changedEnd: Partial<SocketsEnd> = {},
  ): readonly string[] => {
    const samples = Array.from({ length: 360 }, (_, i) => healthy(i + 1));
    const changed = samples.map((each, i) => ({ ...each, ...change(each, i + 1) }));
    return notPassed(judgeSockets(changed, { ...end, ...changedEnd }).checks);
  };

  it('passes while nothing grows', () => {
    expect(judged()).toEqual([]);
  });

  it('may grow while it warms up', () => {
    expect(
      judged(({ heapBytes }, at) => (at < 120 ? { heapBytes: heapBytes / 2, descriptors: 12 } : {})),
    ).toEqual([]);
  });

  it.each<[string, (sample: SocketSample, at: number) => Partial<SocketSample>]>([
    ['load received', (_, at) => ({ readBytes: at * 5 * MB })],
    ['ready', (_, at) => ({ ready: at % 4 === 0 ? 0 : 1 })],
    ['resident memory', ({ residentBytes }, at) => ({ residentBytes: residentBytes + at * MB })],
    ['heap in use', ({ heapBytes }, at) => ({ heapBytes: heapBytes + (at / 10) * MB })],
    ['open descriptors, least of last third against first', (_, at) => ({ descriptors: 45 + at / 20 })],
    ['journal, bytes a record', (_, at) => ({ journalBytes: at * 60_000 })],
    ['journal, records a request', (_, at) => ({ lastSeq: at * 100 })],
    ["journal, SQLite's log", (_, at) => ({ logBytes: at * MB })],
    ['event loop lag, 99 %, median', () => ({ lagP99S: 0.4 })],
  ])('fails for %s', (name, change) => {
    expect(judged(change)).toEqual([name]);
  });

  it.each<[string, Partial<SocketsEnd>]>([
    ['orders', { orders: 600 }],
    ['bets', { bets: 60 }],
    ['orders settled', { settledOrders: 0 }],
    ['unexplained residual', { residualMicros: -1 }],
    ['exit code of touchline reconcile', { reconcileCode: 1 }],
    ['differences between exchange and journal', { problems: ['fill 7 is not booked'] }],
    ['error lines', { errors: ['{"level":"error"}'] }],
    ['orders open at exit', { ordersOpen: 1 }],
    ['exit code', { exitCode: 1 }],
    ['exit code', { exitCode: null }],
  ])('fails for %s at the end: %j', (name, change) => {
    expect(judged(undefined, change)).toEqual([name]);
  });
});

describe('a run of days', () => {
  /** Two weeks in which a bet costs two kilobytes, and every second one is an order with a line that stays. */
  const healthy = (hour: number): DaySample => {
    const day = hour / 24;
    const retained = 30_000 * Math.min(1, day) + 500 * Math.sin(day * 2 * Math.PI);
    const keptRecords = Math.round(750 * Math.max(0, day - 1));
    return {
      day,
      heapBytes: 60 * MB * Math.min(1, day) + day * 1_500 * 2_000,
      journalBytes: 600 * retained + 400 * keptRecords,
      records: Math.round(retained),
      keptRecords,
      orders: 6_000 * day,
      bets: 1_500 * day,
      betsBooked: 1_500 * day,
      residualMicros: 0,
      reconciledMicros: day < 1 ? null : 0,
    };
  };
  const end: DaysEnd = { errors: [], warnings: 12, ordersOpen: 0 };
  const judged = (
    change: (sample: DaySample) => Partial<DaySample> = () => ({}),
    changedEnd: Partial<DaysEnd> = {},
  ): readonly string[] => {
    const samples = Array.from({ length: 14 * 24 }, (_, i) => healthy(i + 1));
    const changed = samples.map((each) => ({ ...each, ...change(each) }));
    return notPassed(judgeDays(changed, { ...end, ...changedEnd }).checks);
  };

  it('passes while only what is kept by design grows', () => {
    expect(judged()).toEqual([]);
  });

  it.each<[string, (sample: DaySample) => Partial<DaySample>]>([
    ['orders', ({ day }) => ({ orders: 100 * day })],
    ['heap after a collection', ({ heapBytes, day }) => ({ heapBytes: heapBytes + 10 * MB * day })],
    [
      'journal, records that retention may remove',
      ({ records, day }) => ({ records: records + 3_000 * day }),
    ],
    ['journal, records that stay', ({ keptRecords, day }) => ({ keptRecords: keptRecords + 2_000 * day })],
    ['journal, size', ({ journalBytes, day }) => ({ journalBytes: journalBytes + 5 * MB * day })],
    ['unexplained residual, worst hour', ({ day }) => ({ residualMicros: day === 5 ? -1 : 0 })],
    [
      "residual of the daemon's reconciliations, worst hour",
      ({ day }) => ({ reconciledMicros: day > 5 ? 10_001 : null }),
    ],
    ['bets not booked, worst hour', ({ day, bets }) => ({ betsBooked: day === 5 ? bets - 1 : bets })],
  ])('fails for %s', (name, change) => {
    expect(judged(change)).toEqual([name]);
  });

  it('fails for error lines and for open orders', () => {
    expect(judged(undefined, { errors: ['late'] })).toEqual(['error lines']);
    expect(judged(undefined, { ordersOpen: 2 })).toEqual(['orders open at the end']);
  });

  it('leaves slopes undecided while records and bets may still accumulate', () => {
    const days = Array.from({ length: 5 * 24 }, (_, i) => healthy(i + 1));
    const { checks } = judgeDays(days, end);
    expect(checks.filter(({ verdict }) => verdict === 'undecided')).toHaveLength(4);
  });
});
