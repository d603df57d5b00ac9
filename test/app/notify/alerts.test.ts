import { describe, expect, it } from 'vitest';
import { AlertCauses, type CausesNow } from '../../../src/app/notify/alert-causes.ts';
import { Alerts } from '../../../src/app/notify/alerts.ts';
import type { HistoryAlert } from '../../../src/history/facts.ts';
import type { Conditions } from '../../../src/notify/conditions.ts';
import type { Status } from '../../../src/read-model/status.ts';
import { aStatus } from '../../support/status.ts';

const at = (alerts: Alerts, status: Partial<Status> = {}, killed: string | null = null, wallMs = 0) =>
  alerts.at({ status: aStatus(status), killed, journalFailed: false }, wallMs);

const CONTRADICTED: NonNullable<Status['priceConvention']> = {
  convention: 'lay',
  how: 'configured',
  isProven: false,
  votes: { odds: 9, lay: 0 },
  hold: null,
  contradiction: 'the stream shows odds prices',
};

const lossOf = (use: number): Partial<Status> => ({
  limits: [{ name: 'loss.dayUsdt', use, limit: 100, unit: 'usdt' }],
});

describe('alerts of the dashboard', () => {
  it('are the troubles in force, each with what to do', () => {
    const alerts = new Alerts();
    expect(at(alerts)).toEqual([]);
    expect(at(alerts, { oldestUnknownOrderS: 90 }, 'SIGUSR2')).toMatchObject([
      { kind: 'killed', severity: 'page', text: expect.stringContaining('touchline resume'), seenBy: null },
      { kind: 'order_unknown', severity: 'page', title: 'An order is unknown', seenBy: null },
    ]);
  });

  it('stay seen while they last, and are new when they come again', () => {
    const alerts = new Alerts();
    expect(alerts.see('killed', 'anna')).toBe(false);
    at(alerts, {}, 'enough');
    expect(alerts.see('killed', 'anna')).toBe(true);
    expect(at(alerts, {}, 'enough')).toMatchObject([{ kind: 'killed', seenBy: 'anna' }]);
    expect(at(alerts)).toEqual([]);
    expect(at(alerts, {}, 'again')).toMatchObject([{ kind: 'killed', seenBy: null }]);
  });

  it('are told when they begin, and when they end', () => {
    const told: unknown[] = [];
    const alerts = new Alerts((alert) => told.push(alert));
    at(alerts, {}, null, 1_000);
    at(alerts, {}, 'enough', 2_000);
    at(alerts, {}, 'enough', 3_000);
    at(alerts, {}, null, 4_000);
    const killed = { kind: 'killed', severity: 'page', atMs: 2_000 };
    expect(told).toMatchObject([
      { ...killed, text: expect.stringContaining('enough') as string, untilMs: null },
      { ...killed, text: expect.stringContaining('enough') as string, untilMs: 4_000 },
    ]);
  });

  it('last until a loss is clearly away from its limit', () => {
    const alerts = new Alerts();
    expect(at(alerts, lossOf(79))).toEqual([]);
    expect(at(alerts, lossOf(81))).toHaveLength(1);
    expect(at(alerts, lossOf(77))).toHaveLength(1);
    expect(at(alerts, lossOf(74))).toEqual([]);
    expect(at(alerts, lossOf(77))).toEqual([]);
  });

  it('are none while the run stops', () => {
    expect(at(new Alerts(), { stopping: 'SIGTERM' }, 'enough')).toEqual([]);
  });
});

describe('the time of an alert', () => {
  const beganOf = (
    status: Partial<Status>,
    sinceMs: Conditions['sinceMs'] = {},
    killed: string | null = null,
  ) => {
    const told: HistoryAlert[] = [];
    const state = { status: aStatus(status), killed, journalFailed: false, sinceMs };
    new Alerts((alert) => told.push(alert)).at(state, 100_000);
    return told.map(({ kind, atMs }) => ({ kind, atMs }));
  };

  it.each([
    { kind: 'killed', sinceMs: { killed: 91_000 }, status: {}, killed: 'enough' },
    {
      kind: 'convention_contradicted',
      sinceMs: { convention_contradicted: 92_000 },
      status: { priceConvention: CONTRADICTED },
      killed: null,
    },
  ] as const)('is that of its cause: $kind', ({ kind, sinceMs, status, killed }) => {
    expect(beganOf(status, sinceMs, killed)).toEqual([{ kind, atMs: Object.values(sinceMs)[0] }]);
  });

  it('of an unknown order is that of the order', () => {
    expect(beganOf({ oldestUnknownOrderS: 61 })).toEqual([{ kind: 'order_unknown', atMs: 39_000 }]);
  });

  it('is that of the look where nothing tells the cause', () => {
    expect(beganOf({}, {}, 'enough')).toEqual([{ kind: 'killed', atMs: 100_000 }]);
  });
});

describe('causes of alerts', () => {
  const CALM: CausesNow = {
    killed: null,
    journalFailed: false,
    isContradicted: false,
    isHeartbeatProven: true,
  };
  const causes = (...looks: readonly (readonly [wallMs: number, now: Partial<CausesNow>])[]) => {
    const watch = new AlertCauses();
    const changed = looks.map(([wallMs, now]) => {
      watch.look({ ...CALM, ...now }, wallMs);
      return watch.takeChange();
    });
    return { changed, sinceMs: watch.sinceMs };
  };

  it('have the time at which they came, until they go', () => {
    const lost = { isHeartbeatProven: false };
    expect(causes([1, {}], [2, lost], [3, lost])).toEqual({
      changed: [false, true, false],
      sinceMs: { heartbeat_lost: 2 },
    });
    expect(causes([1, {}], [2, lost], [3, {}])).toEqual({ changed: [false, true, true], sinceMs: {} });
    expect(causes([1, {}], [2, { journalFailed: true, isContradicted: true }]).sinceMs).toEqual({
      journal_failed: 2,
      convention_contradicted: 2,
    });
  });

  it('have the time of a kill, but none before this run', () => {
    expect(causes([5, {}], [9, { killed: { atMs: 7 } }]).sinceMs).toEqual({ killed: 7 });
    expect(causes([5, { killed: { atMs: 1 } }]).sinceMs).toEqual({ killed: 5 });
  });

  it('are no lost heartbeat before the first, or after a kill', () => {
    expect(causes([1, { isHeartbeatProven: false }]).sinceMs).toEqual({});
    expect(causes([1, {}], [2, { isHeartbeatProven: false, killed: { atMs: 2 } }]).sinceMs).toEqual({
      killed: 2,
    });
  });
});
