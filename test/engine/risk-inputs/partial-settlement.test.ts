import { expect, it } from 'vitest';
import type { EventName } from '../../../src/domain/events.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import type { CalmDay } from '../../support/calm-day.ts';
import { dayWithBet, lossLimitsOf } from '../../support/day-with-bet.ts';

const WON = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;

const realisedMicros = ({ run }: CalmDay): number =>
  run.composed.parts.core.ledger.profitLoss(() => null).realisedMicros;

/**
 * A daemon that no longer quotes and holds two bets that cancel each other. Each alone can lose more than the
 * limit of 15.
 */
async function hedgedDay() {
  const { day, market } = await dayWithBet(lossLimitsOf(15));
  const { parts } = day.run.composed;
  await day.pass(10_000);
  market.take('against', 20);
  await day.pass(2_000);
  const { ifWinMicros, ifLoseMicros } = parts.core.ledger.position(market.selectionId as SelectionId);
  expect([ifWinMicros, ifLoseMicros].map((micros) => Math.abs(micros) < 3e6)).toEqual([true, true]);
  day.halt('so that only the bets are settled');
  await day.until('closed', () => day.open().length === 0);
  await day.pass(2_000);
  return { day, market };
}

/** The stream reports only one of the two results. The exchange’s updates report the other a minute later. */
it.each([
  ['first', 0],
  ['second', 1],
])(
  'loses nothing on bets that cancel each other while the result of the %s is still to come',
  async (_, skip) => {
    const { day, market } = await hedgedDay();
    const { parts } = day.run.composed;
    const { risk } = parts.core;
    const missing = faultSchema.parse({ target: 'stream.order', fault: 'missing', skip, times: 1 });
    day.world.wires.host.run((nowMs) => day.world.wires.host.faults.add(missing, nowMs));
    market.intervene({ kind: 'end', result: WON });
    await day.until('partly settled', () => Math.abs(realisedMicros(day)) > 15e6);
    await day.pass(180_000);
    expect(parts.core.ledger.selections()).toEqual([]);
    expect(risk.killed).toBeNull();
    const fromPeak = risk.snapshot().results.map(({ fromPeakMicros }) => fromPeakMicros);
    expect(Math.min(...fromPeak)).toBeGreaterThan(-3e6);
  },
);

it('loses nothing while known results are corrected one by one', async () => {
  const { day, market } = await hedgedDay();
  const { parts } = day.run.composed;
  const { risk } = parts.core;
  market.intervene({ kind: 'end', result: WON });
  await day.until('settled', () => parts.core.ledger.selections().length === 0);
  await day.pass(2_000);
  const missing = faultSchema.parse({ target: 'stream.order', fault: 'missing', times: 1 });
  day.world.wires.host.run((nowMs) => day.world.wires.host.faults.add(missing, nowMs));
  market.intervene({ kind: 'end', result: { ...WON, home: 0, away: 1 } });
  await day.until('partly corrected', () => Math.abs(realisedMicros(day)) > 15e6);
  await day.pass(180_000);
  expect(Math.abs(realisedMicros(day))).toBeLessThan(3e6);
  await day.pass(180_000);
  expect(risk.killed).toBeNull();
});

/** The exchange reports the first order with bets as lost. */
async function tellLost(day: CalmDay): Promise<void> {
  const listing = day.run.composed.parts.venue.orders({ pageSize: 100 });
  await day.pass(1_000);
  const order = (await listing).orders.findLast(({ bets }) => bets.length > 0);
  if (order === undefined) throw new Error('no order with bets');
  const lost = { ...order, closed: true, status: 'reconciled', profitLossMicros: -19e6 } as const;
  const atMs = day.world.clock.wallMs();
  day.run.composed.core.account.apply({ kind: 'report', order: lost, atMs });
}

/** The second bet’s result is reported, and the first one’s is not. */
async function partlySettledDay() {
  const { day } = await hedgedDay();
  await tellLost(day);
  await day.pass(2_000);
  return day;
}

it.each([
  ['keeps running', false],
  ['restarts', true],
])('kills when a result is still missing after five minutes, where the daemon %s', async (_, again) => {
  const day = await partlySettledDay();
  if (again) {
    await day.crash();
    await day.begin(false);
  }
  await day.pass(290_000);
  expect(realisedMicros(day)).toBe(-19e6);
  expect(day.run.composed.core.risk.killed).toBeNull();
  await day.pass(15_000);
  expect(day.run.composed.core.risk.killed).toMatchObject({ by: 'loss limit' });
});

it.each([
  ['dies', (day: CalmDay) => day.crash(), 5],
  ['stops', (day: CalmDay) => day.stop(), 3],
])('kills when a result is missing, also where the daemon %s every 100 s', async (_, end, lives) => {
  const day = await partlySettledDay();
  for (let life = 1; life < lives; life++) {
    await day.pass(100_000);
    expect(day.run.composed.core.risk.killed).toBeNull();
    await end(day);
    await day.begin(false);
  }
  await day.pass(100_000);
  expect(day.run.composed.core.risk.killed).toMatchObject({ by: 'loss limit' });
});

it('books no loss on bets that cancel each other when the daemon dies soon after the first of them', async () => {
  const { day, market } = await dayWithBet(lossLimitsOf(15));
  market.take('against', 20);
  await day.pass(2_000);
  await tellLost(day);
  await day.crash();
  await day.begin(false);
  await day.pass(60_000);
  expect(realisedMicros(day)).toBe(-19e6);
  expect(day.run.composed.core.risk.killed).toBeNull();
});

it('records the judged total of an event soon, also where another sport that uses its id has bets', async () => {
  const { day } = await dayWithBet();
  await day.pass(5_000);
  const { ledger } = day.run.composed.core;
  const [selectionId] = ledger.selections() as readonly [SelectionId];
  const [, event = ''] = selectionId.split('|');
  const half = { sport: 'fb_ht', eventId: event } as EventName;
  const bet = {
    betId: 990_000_000_001,
    orderId: 990_000_000_002,
    requestUuid: null,
    betType: 'for,h',
  } as Fill;
  const at = { selectionId: `fb_ht|${event}|h` as SelectionId, direction: 'for', role: 'maker' } as const;
  const atMs = day.world.clock.wallMs();
  const fill = { ...bet, ...half, ...at, price: 2, stakeMicros: 1e6, atMs };
  day.run.composed.core.account.apply({ kind: 'bet', fill });
  await day.pass(2_000);
  const snapshot = day.run.composed.journal.last('risk_snapshot')?.data as object as Record<string, unknown>;
  expect(snapshot['eventTotals']).toContainEqual(expect.objectContaining(half));
});
