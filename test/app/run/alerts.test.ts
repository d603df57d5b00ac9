import { describe, expect, it } from 'vitest';
import { Alerts } from '../../../src/app/run/alerts.ts';
import type { Status } from '../../../src/read-model/status.ts';
import { aStatus } from '../../support/status.ts';

const at = (alerts: Alerts, status: Partial<Status> = {}, killed: string | null = null, wallMs = 0) =>
  alerts.at({ status: aStatus(status), killed, journalFailed: false }, wallMs);

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
