import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { tradingDays } from '../../../src/lib/trading-day.ts';
import type { EventResult } from '../../../src/domain/bet-types/result.ts';
import { RememberedDay } from '../../support/remembered-day.ts';

const HOME_WINS: EventResult = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 };

const AWAY_WINS: EventResult = { ...HOME_WINS, home: 0, away: 1 };

/** A day that has reconciled once, and whose quotes were then taken. */
async function traded(day = new RememberedDay()): Promise<RememberedDay> {
  await day.begin();
  expect((await day.reconcile()).residual).toBe(0);
  day.market.take('for', 20);
  await day.pass(2_000);
  day.market.take('against', 7.77);
  await day.pass(2_000);
  return day;
}

async function settle(day: RememberedDay, result: EventResult | null): Promise<void> {
  day.market.intervene({ kind: 'end', result });
  await day.until('settled', () => day.run.composed.parts.core.ledger.selections().length === 0);
  await day.pass(2_000);
}

const errorsOf = (day: RememberedDay): readonly string[] =>
  day.world.log.filter((line) => line.includes('the balance differs'));

describe('a reconciliation of the balance', () => {
  it('explains results and voids to the micro', async () => {
    const day = await traded();
    const before = day.balanceMicros;
    const [first] = day.world.exchange.inspect().orders.flatMap(({ fills }) => fills);
    day.world.wires.host.run((nowMs) => day.world.exchange.markBet(first?.betId ?? 0, 'void', nowMs));
    await day.pass(2_000);
    await settle(day, HOME_WINS);
    const change = day.balanceMicros - before;
    expect(change).not.toBe(0);
    expect(await day.reconcile()).toMatchObject({
      change: change / 1e6,
      settled: change / 1e6,
      commission: 0,
      deposits: 0,
      residual: 0,
    });
    expect(errorsOf(day)).toEqual([]);
  });

  it('explains an event that is void', async () => {
    const day = await traded();
    await settle(day, null);
    expect(await day.reconcile()).toMatchObject({ change: 0, settled: 0, residual: 0 });
  });

  it('is not disturbed by stakes at risk', async () => {
    const day = await traded();
    expect(day.run.composed.parts.core.ledger.selections()).toHaveLength(1);
    expect(await day.reconcile()).toMatchObject({ change: 0, residual: 0 });
  });

  it('explains a deposit that was entered, before the money arrives or after', async () => {
    const day = await traded();
    day.account.deposit(toMicros(250), 'savings', 'a person');
    expect((await day.reconcile()).residual).toBe(-250);
    day.moveMoney(toMicros(250));
    expect(await day.reconcile()).toMatchObject({ change: 250, deposits: 250, residual: 0 });
    day.moveMoney(toMicros(-99.5));
    expect((await day.reconcile()).residual).toBe(-99.5);
    day.account.deposit(toMicros(-99.5), 'rent', 'a person');
    expect(await day.reconcile()).toMatchObject({ deposits: -99.5, residual: 0 });
    await day.pass(2_000);
    expect(day.history.deposits(9).map(({ amountMicros, note }) => [amountMicros, note])).toEqual([
      [toMicros(-99.5), 'rent'],
      [toMicros(250), 'savings'],
    ]);
  });

  it('reports exactly what nothing explains, until somebody explains it', async () => {
    const day = await traded();
    await settle(day, HOME_WINS);
    day.moveMoney(-12_345_678);
    expect((await day.reconcile()).residual).toBe(-12.345678);
    expect((await day.reconcile()).residual).toBe(-12.345678);
    expect(day.run.daemon.status().reconciliation?.residual).toBe(-12.345678);
    expect(errorsOf(day)).toHaveLength(2);
    await day.pass(2_000);
    expect(day.history.reconciliations(1)[0]?.residualMicros).toBe(-12_345_678);
    day.account.deposit(-12_345_678, 'a fee of the exchange', 'a person');
    expect((await day.reconcile()).residual).toBe(0);
  });

  it('compares nothing with the account before the one that a person accepted', async () => {
    const day = await traded();
    day.moveMoney(toMicros(-264));
    day.run.composed.core.account.apply({ kind: 'other_account' });
    expect(await day.reconcile()).toMatchObject({ sinceMs: null, residual: 0 });
    expect(errorsOf(day)).toEqual([]);
    const saysFirst = day.world.log.filter((line) => line.includes('the first balance'));
    const saysAgrees = day.world.log.filter((line) => line.includes('the balance agrees'));
    expect([saysFirst.length, saysAgrees.length]).toEqual([2, 0]);
    day.moveMoney(toMicros(5));
    expect((await day.reconcile()).residual).toBe(5);
  });

  it('begins with the accepted account also in the next run', async () => {
    const day = await traded();
    day.run.composed.core.account.apply({ kind: 'other_account' });
    await day.stop();
    day.moveMoney(toMicros(-264));
    await day.begin();
    expect(await day.reconcile()).toMatchObject({ sinceMs: null, residual: 0 });
  });

  it('expects commission on the net winnings of an event', async () => {
    const settings = { 'exchange.commissionRate': '0.05' };
    const day = await traded(new RememberedDay({ settings }));
    const before = day.balanceMicros;
    await settle(day, AWAY_WINS);
    const wonMicros = day.balanceMicros - before;
    expect(wonMicros).toBeGreaterThan(0);
    // The embedded exchange takes none.
    const commission = Math.ceil(wonMicros * 0.05) / 1e6;
    expect(await day.reconcile()).toMatchObject({
      settled: wonMicros / 1e6,
      commission,
      residual: commission,
    });
    const { today, run } = day.run.daemon.status().profit;
    expect(today).toEqual({ ...run, settled: wonMicros / 1e6 - commission, commission });
    day.moveMoney(-Math.round(commission * 1e6));
    expect((await day.reconcile()).residual).toBe(0);
  });

  it('counts from the last one also after a crash, with results and deposits of the time between', async () => {
    const day = await traded();
    const before = day.balanceMicros;
    await day.crash();
    day.market.intervene({ kind: 'end', result: HOME_WINS });
    day.moveMoney(toMicros(40));
    await day.pass(10_000);
    await day.begin(false);
    day.account.deposit(toMicros(40), 'savings', 'a person');
    const made = await day.reconcile();
    expect(made.change).toBe((day.balanceMicros - before) / 1e6);
    expect(made).toMatchObject({ deposits: 40, residual: 0 });
    expect(made.settled).not.toBe(0);
  });

  it('waits for results that may still arrive before it reports a difference', async () => {
    const day = await traded();
    await day.crash();
    day.moveMoney(toMicros(5));
    await day.begin(false);
    void day.account.reconcile();
    await day.pass(1_000);
    expect(day.account.report()).toMatchObject({
      pending: true,
      why: 'results from before the stream was synced may still arrive',
      last: { residual: 0 },
    });
    expect((await day.reconcile()).residual).toBe(5);
  });

  it('is made at the end of each trading day by itself', async () => {
    const day = await traded(new RememberedDay({}, tradingDays({ timeZone: 'UTC', startHour: 13 })));
    const first = day.account.report().last?.atMs ?? NaN;
    await settle(day, HOME_WINS);
    await day.pass(Date.parse('2026-03-01T13:00:30Z') - day.world.clock.wallMs());
    const last = day.account.report().last;
    expect(last?.atMs).toBeGreaterThan(first);
    expect(new Date(last?.atMs ?? NaN).toISOString()).toMatch(/^2026-03-01T13:00:/);
    expect(last?.residual).toBe(0);
  });
});
