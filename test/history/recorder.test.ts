import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { HistoryError } from '../../src/domain/errors.ts';
import { betId, eventId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { HistoryFact } from '../../src/history/facts.ts';
import type { History } from '../../src/history/history.ts';
import { HistoryRecorder } from '../../src/history/recorder.ts';
import { IN_MEMORY, openHistory } from '../../src/history/sqlite-history.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { UTC_DAYS } from '../../src/lib/trading-day.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { type Logger, silentLogger } from '../../src/ports/logger.ts';

function fill(n: number, atMs: number, price = 2): HistoryFact {
  return {
    kind: 'fill',
    fill: {
      betId: betId(n),
      orderId: orderId(n),
      sport: sport('fb'),
      eventId: eventId('e'),
      role: 'maker',
      selectionId: 's' as SelectionId,
      direction: 'for',
      priceKind: 'odds-for',
      price,
      stakeMicros: 5,
      atMs,
      strategy: 'a',
      fair: null,
    },
  };
}

/** A recorder whose history may refuse to write, and what is asked of the history. */
function rig({ retentionDays = 10, ...over }: Partial<History> & { readonly retentionDays?: number } = {}) {
  const clock = new VirtualClock(Date.parse('2026-03-01T23:59:00Z'));
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const lines: string[] = [];
  const fields: unknown[] = [];
  const error: Logger['error'] = (message, given) => {
    lines.push(message);
    fields.push(given);
  };
  const logger: Logger = { ...silentLogger, error, info: error };
  const history = openHistory(IN_MEMORY, UTC_DAYS);
  const writes: number[] = [];
  const asked: string[] = [];
  let failure: Error | null = null;
  const watched: History = {
    ...history,
    write: (facts) => {
      if (failure !== null) throw failure;
      history.write(facts);
      writes.push(facts.length);
    },
    total: (terms) => {
      asked.push(`total ${terms.from} ${terms.to} ${terms.commissionRate}`);
      return history.total(terms);
    },
    prune: (day) => {
      asked.push(`prune ${day}`);
      history.prune(day);
    },
    thinSamples: (beforeMs) => void asked.push(`thin ${new Date(beforeMs).toISOString()}`),
    ...over,
  };
  const recorder = new HistoryRecorder({
    history: watched,
    days: UTC_DAYS,
    retentionDays,
    clock,
    logger,
    metrics,
  });
  const fails = (reason: Error | null): void => void (failure = reason);
  return { clock, metrics, lines, fields, history, watched, writes, asked, recorder, fails };
}

const FULL = new HistoryError('cannot write the history: the disk is full');

describe('the recorder of the history', () => {
  it('writes once a second, all waiting facts together', async () => {
    const { clock, recorder, writes } = rig();
    recorder.note(fill(1, clock.wallMs()));
    recorder.note(fill(2, clock.wallMs()));
    await clock.advance(900);
    expect(writes).toEqual([]);
    await clock.advance(200);
    recorder.note(fill(3, clock.wallMs()));
    await clock.advance(5_000);
    expect(writes).toEqual([2, 1]);
  });

  it('keeps facts through a failure, and tells its begin and its end', async () => {
    const { clock, recorder, history, lines, fails, metrics } = rig();
    fails(FULL);
    recorder.note(fill(1, clock.wallMs()));
    await clock.advance(3_500);
    expect(recorder.today()).toBeNull();
    fails(null);
    await clock.advance(1_000);
    expect(history.fills({ limit: 9 })).toHaveLength(1);
    expect(lines).toEqual([
      'the history cannot be written: trading goes on, and it is tried again',
      'the history is written again',
    ]);
    expect((await metrics.expose()).text).toContain('touchline_history_failures_total 3\n');
    expect(recorder.today()).toMatchObject({ bets: 1 });
  });

  it('drops a fact that the history refuses, and no other', async () => {
    const { clock, recorder, history, lines, metrics } = rig();
    recorder.note(fill(1, clock.wallMs()));
    recorder.note(fill(2, clock.wallMs(), NaN));
    recorder.note(fill(3, clock.wallMs()));
    await clock.advance(1_000);
    expect(history.fills({ limit: 9 }).map((each) => each.betId)).toEqual([3, 1]);
    expect(lines).toEqual(['the history refuses a fact, which is dropped']);
    expect((await metrics.expose()).text).toContain('touchline_history_dropped_total 1\n');
  });

  it('knows the sums of the current day, which begin again with the next', async () => {
    const { clock, recorder } = rig();
    expect(recorder.today()).toMatchObject({ day: '2026-03-01', bets: 0, settledMicros: 0 });
    const won = { orderId: orderId(1), sport: sport('fb'), eventId: eventId('e'), profitMicros: 8 };
    recorder.note(fill(1, clock.wallMs()));
    recorder.note({ kind: 'result', result: { ...won, atMs: clock.wallMs(), lastFair: null } });
    await clock.advance(1_000);
    expect(recorder.today()).toMatchObject({
      bets: 1,
      stakeMicros: 5,
      settledMicros: 8,
      winningsMicros: 8,
    });
    await clock.advance(60_000);
    expect(recorder.today()).toMatchObject({ day: '2026-03-02', bets: 0, settledMicros: 0 });
  });

  it('deletes the details of days beyond the retention, and keeps their sums', async () => {
    const { clock, recorder, history } = rig();
    const lost = { orderId: orderId(1), sport: sport('fb'), eventId: eventId('e'), profitMicros: -5 };
    recorder.note(fill(1, clock.wallMs()));
    recorder.note({ kind: 'result', result: { ...lost, atMs: clock.wallMs(), lastFair: null } });
    await clock.advance(1_000);
    const before = history.byDay({ commissionRate: 0 });
    for (let day = 0; day < 12; day++) await clock.advance(DAY_MS);
    expect(history.fills({ limit: 9 })).toEqual([]);
    expect(history.byDay({ commissionRate: 0 })).toEqual(before);
  });

  it('deletes once a day what is older than the retention, rounded up to days, and samples of two days', async () => {
    const { clock, recorder, asked, fails } = rig({ retentionDays: 9.5 });
    asked.length = 0;
    await clock.advance(5_000);
    expect(asked).toEqual(['prune 2026-02-19', 'thin 2026-02-27T23:59:01.000Z']);
    // A failed write does not repeat it either.
    fails(FULL);
    recorder.note(fill(1, clock.wallMs()));
    await clock.advance(5_000);
    fails(null);
    asked.length = 0;
    await clock.advance(60_000);
    expect(asked.filter((each) => !each.startsWith('total'))).toEqual([
      'prune 2026-02-20',
      'thin 2026-02-28T00:00:00.000Z',
    ]);
  });

  it('reads the sums of the day after a write of what they hold, and after no other', async () => {
    const { clock, recorder, asked } = rig();
    const day = 'total 2026-03-01 2026-03-01 0';
    expect(asked).toEqual([day]);
    await clock.advance(1_000);
    const event = { sport: sport('fb'), eventId: eventId('e') };
    const result = { orderId: orderId(1), ...event, profitMicros: 8, atMs: 1, lastFair: null };
    const changing: readonly HistoryFact[] = [
      fill(1, clock.wallMs()),
      { kind: 'markout', betId: betId(1), horizonS: 1, micros: 2 },
      { kind: 'validity', betId: betId(1), stands: false },
      { kind: 'result', result },
      { kind: 'reopened', orderId: orderId(1) },
    ];
    const others: readonly HistoryFact[] = [
      { kind: 'event', event, title: 'A v B', startMs: null },
      { kind: 'run_seen', runId: '1', atMs: 2, profitMicros: 3 },
    ];
    for (const [fact, reads] of [
      ...changing.map((each) => [each, [day]] as const),
      ...others.map((each) => [each, []] as const),
    ]) {
      asked.length = 0;
      recorder.note(fact);
      await clock.advance(1_000);
      recorder.today();
      expect([fact.kind, asked]).toEqual([fact.kind, reads]);
    }
  });

  it('reads the sums of the day again after any write that follows a failure', async () => {
    const { clock, recorder, fails } = rig();
    fails(FULL);
    recorder.note({ kind: 'run_seen', runId: '1', atMs: 2, profitMicros: 3 });
    await clock.advance(1_000);
    expect(recorder.today()).toBeNull();
    fails(null);
    await clock.advance(1_000);
    expect(recorder.today()).toMatchObject({ day: '2026-03-01', bets: 0 });
  });

  it('does not know the sums of a day that it cannot read', async () => {
    let isBroken = false;
    const history = openHistory(IN_MEMORY, UTC_DAYS);
    const { clock, recorder } = rig({
      total: (terms) => {
        if (isBroken) throw new HistoryError('cannot read the history: gone');
        return history.total(terms);
      },
    });
    isBroken = true;
    await clock.advance(50_000);
    expect(recorder.today()).toMatchObject({ day: '2026-03-01' });
    await clock.advance(10_000);
    expect(recorder.today()).toBeNull();
    history.close();
  });

  it('keeps the latest hundred thousand facts that wait, and counts those that it drops', async () => {
    const given: (readonly HistoryFact[])[] = [];
    let failure: HistoryError | null = FULL;
    const { clock, recorder, metrics } = rig({
      write: (facts) => {
        if (failure !== null) throw failure;
        given.push(facts);
      },
    });
    const dropped = async () =>
      /touchline_history_dropped_total (\d+)\n/.exec((await metrics.expose()).text)?.[1];
    const seen = (n: number): HistoryFact => ({ kind: 'run_seen', runId: `${n}`, atMs: n, profitMicros: 0 });
    for (let n = 0; n < 100_000; n++) recorder.note(seen(n));
    expect(await dropped()).toBe('0');
    for (let n = 100_000; n < 100_002; n++) recorder.note(seen(n));
    expect(await dropped()).toBe('2');
    await clock.advance(1_000);
    failure = null;
    await clock.advance(2_000);
    expect(given.map((facts) => [facts.length, facts[0], facts.at(-1)])).toEqual([
      [100_000, seen(2), seen(100_001)],
    ]);
  });

  it('tells which fact the history refuses, and why it cannot be written', async () => {
    const { clock, recorder, fields, fails } = rig();
    recorder.note(fill(2, clock.wallMs(), NaN));
    await clock.advance(1_000);
    expect(fields).toEqual([{ kind: 'fill', error: expect.any(HistoryError) as HistoryError }]);
    fails(FULL);
    recorder.note(fill(1, clock.wallMs()));
    await clock.advance(1_000);
    expect(fields.slice(1)).toEqual([{ error: FULL }]);
  });

  it('hides no mistake of the program behind a failure of the history', () => {
    const { recorder, fails, clock } = rig();
    const mistake = new TypeError('not a function');
    fails(mistake);
    recorder.note(fill(1, clock.wallMs()));
    expect(() => recorder.flush()).toThrow(mistake);
  });

  it('writes nothing more once it is closed, and reads from its history', async () => {
    const { clock, recorder, writes, watched } = rig();
    expect(recorder.reader).toBe(watched);
    recorder.close();
    recorder.note(fill(1, clock.wallMs()));
    await clock.advance(5_000);
    expect(writes).toEqual([]);
  });

  it('writes what waits before it closes', () => {
    const { clock, recorder, writes, history } = rig();
    recorder.note(fill(1, clock.wallMs()));
    recorder.close();
    expect(writes).toEqual([1]);
    expect(() => history.fills({ limit: 1 })).toThrow(HistoryError);
  });
});
