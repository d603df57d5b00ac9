import { expect, it } from 'vitest';
import { type EventId, sport } from '../../../src/domain/ids.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { placeByHand } from '../../sim/manual-orders.ts';
import { KEY } from '../../sim/world.ts';
import type { CalmDay } from '../../support/calm-day.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';
import { StillMarket } from '../../support/still-market.ts';
import { ACCOUNT } from '../../../src/risk/index.ts';

const DAY_MS = 86_400_000;

/** The position once only the bet is at stake. */
async function heldBy(day: CalmDay) {
  const { core, parts, readModel } = day.run.composed;
  const { risk } = core;
  day.halt('so that only the bet counts');
  await day.until('closed', () => day.open().length === 0);
  // And reported.
  await day.pass(1_000);
  return {
    grossMicros: risk.accountExposure().grossMicros,
    selections: parts.core.ledger.selections(),
    fills: readModel.fills,
  };
}

/** This long after the bet, the exchange’s updates no longer report it after a restart. */
const UNTOLD_MS = 300_000;

it('keeps a bet over an orderly restart when its event’s name is days old', async () => {
  const { day, market } = await dayWithBet({}, '2026-02-25');
  await day.pass(UNTOLD_MS);
  const before = await heldBy(day);
  expect(before).toMatchObject({ selections: [market.selectionId], fills: 1 });
  expect(before.grossMicros).toBeGreaterThan(0);
  await day.stop();
  await day.begin(false);
  await day.pass(65_000);
  expect(await heldBy(day)).toEqual(before);
});

it('keeps a bet when the clock jumped days ahead around the stop', async () => {
  const { day, market } = await dayWithBet();
  await day.pass(UNTOLD_MS);
  day.world.clock.jumpWall(4 * DAY_MS);
  await day.stop();
  day.world.clock.jumpWall(-4 * DAY_MS);
  await day.begin(false);
  expect(await heldBy(day)).toMatchObject({ selections: [market.selectionId], fills: 1 });
});

it('counts a bet after a restart where it counted before, although its event is no longer described', async () => {
  const { day, market } = await dayWithBet();
  await day.pass(65_000);
  const places = () =>
    day.run.composed.core.risk.exposure().scopes.map(({ kind, name }) => `${kind} ${name}`);
  const before = places();
  expect(before).toContain('competition 7');
  await day.crash();
  market.withdraw();
  await day.begin(false);
  await day.pass(1_000);
  expect(
    day.run.composed.parts.core.market.event({ sport: sport('fb'), eventId: market.eventId as EventId }),
  ).toBeUndefined();
  expect(places()).toEqual(before);
});

/** The events whose places the journal’s last snapshot holds. */
function placesRemembered(day: CalmDay): readonly string[] {
  const { places } = day.run.composed.journal.last('risk_snapshot')!.data as {
    readonly places: readonly { readonly eventId: string }[];
  };
  return places.map(({ eventId }) => eventId).toSorted();
}

/** Delays the exchange’s answer about the key, which the daemon awaits before any other request. */
function answerLate(day: CalmDay, lateMs: number): void {
  const { http } = day.world.wires;
  const send = http.send.bind(http);
  http.send = async (request) => {
    if (request.method === 'GET' && request.path.includes('xrates')) await sleep(day.world.clock, lateMs);
    return send(request);
  };
}

it('remembers the event of a manual order in a run that has not received it yet', async () => {
  const { day } = await dayWithBet();
  day.halt('so that nothing of ours is on the other event');
  await day.until('closed', () => day.open().length === 0);
  const market = new StillMarket(day.world, 3_600, '2026-03-02');
  const { http } = day.world.wires;
  const hand = { http, clock: day.world.clock, key: KEY };
  const placed = placeByHand(hand, { sport: 'fb', eventId: market.eventId, rests: true });
  await day.pass(6_000);
  expect(await placed).toBe(true);
  day.run.composed.core.apply({
    kind: 'state',
    scope: ACCOUNT,
    state: 'reducing',
    by: 'test',
    why: 'so that it saves',
  });
  const remembered = placesRemembered(day);
  expect(remembered).toEqual(['2026-03-01,1,2', market.eventId]);
  day.world.kill();
  answerLate(day, 4_000);
  await day.world.begin();
  await day.pass(500);
  expect(day.run.composed.core.risk.exposure().events).toHaveLength(1);
  day.controls.kill('so that it saves', 'a person');
  expect(placesRemembered(day)).toEqual(remembered);
});

it('drops a settled bet once its event is long past', async () => {
  const { day, market } = await dayWithBet();
  const { ledger } = day.run.composed.core;
  const score = { home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 };
  market.intervene({ kind: 'end', result: { kind: 'score', ...score } });
  await day.until('settled', () => ledger.profitLoss(() => null).realisedMicros !== 0);
  const fills: number[] = [];
  for (const awayMs of [60_000, 4 * DAY_MS, 60_000]) {
    await day.stop();
    await day.pass(awayMs);
    await day.begin(false);
    fills.push(day.run.composed.readModel.fills);
  }
  expect(fills).toEqual([1, 1, 0]);
});
