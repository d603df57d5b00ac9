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
      ...{ betId: betId(n), orderId: orderId(n), sport: sport('fb'), eventId: eventId('e'), role: 'maker' },
      ...{
        selectionId: 's' as SelectionId,
        direction: 'for',
        priceKind: 'odds-for',
        price,
        stakeMicros: 5,
        atMs,
      },
      ...{ strategy: 'a', fair: null },
    },
  };
}

function rig() {
  const clock = new VirtualClock(Date.parse('2026-03-01T23:59:00Z'));
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const lines: string[] = [];
  const error = (message: string): void => void lines.push(message);
  const logger: Logger = { ...silentLogger, error, info: error };
  const history = openHistory(IN_MEMORY, UTC_DAYS);
  const writes: number[] = [];
  let failure: HistoryError | null = null;
  const watched: History = {
    ...history,
    write: (facts) => {
      if (failure !== null) throw failure;
      history.write(facts);
      writes.push(facts.length);
    },
  };
  const recorder = new HistoryRecorder({
    ...{ history: watched, days: UTC_DAYS, retentionDays: 10 },
    ...{ clock, logger, metrics },
  });
  const fails = (reason: HistoryError | null): void => void (failure = reason);
  return { clock, metrics, lines, history, writes, recorder, fails };
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

  it('writes what waits before it closes', () => {
    const { clock, recorder, writes, history } = rig();
    recorder.note(fill(1, clock.wallMs()));
    recorder.close();
    expect(writes).toEqual([1]);
    expect(() => history.fills({ limit: 1 })).toThrow(HistoryError);
  });
});
