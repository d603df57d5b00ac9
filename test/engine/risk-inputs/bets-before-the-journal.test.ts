import { expect, it } from 'vitest';
import { placeByHand } from '../../sim/manual-orders.ts';
import { KEY } from '../../sim/world.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const HOUR_MS = 3_600_000;

/** A day with a manual bet of 5 USDT two hours before the first run, which has just recovered. */
async function dayAfterBet() {
  const day = new CalmDay({ world: { events: 0 } });
  const market = new StillMarket(day.world, 4 * 3_600);
  const hand = { http: day.world.wires.http, clock: day.world.clock, key: KEY };
  await day.pass(3_000);
  const placed = placeByHand(hand, { sport: 'fb', eventId: market.eventId, rests: false });
  await day.pass(6_000);
  expect(await placed).toBe(true);
  await day.pass(2 * HOUR_MS);
  await day.begin(false);
  return { day, market };
}

/** Halts the account while none of our orders is open or matched. */
async function halt(day: CalmDay): Promise<void> {
  day.halt('so that only the bet counts');
  await day.until('closed', () => day.open().length === 0);
  await day.pass(1_000);
}

it('leaves a bet from before the journal out of later mark-outs', async () => {
  const { day } = await dayAfterBet();
  await halt(day);
  await day.pass(120_000);
  const { readModel, parts } = day.run.composed;
  expect(readModel.fills).toBe(1);
  for (const markout of parts.core.ledger.markouts())
    expect(markout).toMatchObject({ fills: 0, notObservable: 0 });
});

const grossUsdt = ({ run }: CalmDay): number => run.composed.core.risk.accountExposure().grossMicros / 1e6;

it('counts a bet from before the journal in its first run and in later ones, until it is settled', async () => {
  const { day, market } = await dayAfterBet();
  await halt(day);
  const held = grossUsdt(day);
  expect(held).toBeGreaterThanOrEqual(5);
  await day.stop();
  await day.begin(false);
  expect(grossUsdt(day)).toBe(held);
  const result = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;
  market.intervene({ kind: 'end', result });
  await day.pass(180_000);
  expect(grossUsdt(day)).toBe(0);
});
