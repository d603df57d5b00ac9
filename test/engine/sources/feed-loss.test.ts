import { expect, it } from 'vitest';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const LOST_S = 60;
const lost = { target: 'stream', fault: 'clear_events', at: LOST_S };

function dayWith(...given: readonly object[]): CalmDay {
  const faults = given.map((fault) => faultSchema.parse(fault));
  return new CalmDay({ world: { events: 0 }, daemon: { maxSelections: 1 }, faults });
}

it('quotes again when the loss of the feed is reported after its return', async () => {
  const late = { target: 'stream.clear_events', fault: 'late_entry', delay_ms: 1_000 };
  const day = dayWith(lost, late);
  const known = new StillMarket(day.world, 7_200);
  await day.begin();
  await day.pass(LOST_S * 1_000);
  await day.pass(240_000);
  expect([...new Set(day.open().map(({ eventId }) => eventId))]).toEqual([known.eventId]);
});

it('has no order open while the feed is away for minutes, and quotes again once it is back', async () => {
  const day = dayWith({ ...lost, for_s: 180 });
  const known = new StillMarket(day.world, 7_200);
  await day.begin();
  await day.pass(LOST_S * 1_000);
  await day.until('closed', () => day.open().length === 0);
  const creates = day.creates();
  await day.pass(170_000);
  expect(day.open()).toEqual([]);
  expect(day.creates()).toBe(creates);
  await day.pass(120_000);
  expect([...new Set(day.open().map(({ eventId }) => eventId))]).toEqual([known.eventId]);
});

it('waits for an exchange that still loads its feed at the start', async () => {
  const day = dayWith({ target: 'stream', fault: 'clear_events', for_s: 90 });
  const known = new StillMarket(day.world, 7_200);
  await day.begin(false);
  await day.pass(60_000);
  expect(day.creates()).toBe(0);
  await day.pass(90_000);
  expect([...new Set(day.open().map(({ eventId }) => eventId))]).toEqual([known.eventId]);
});

it('learns of new events after a lost feed, though its full return was never reported', async () => {
  const once = { target: 'exchange', fault: 'events_told_once' };
  const unsynced = { target: 'stream.sync', fault: 'missing', at: LOST_S - 1, times: 1 };
  const day = dayWith(lost, once, unsynced);
  const known = new StillMarket(day.world, 600, '2026-03-01');
  await day.begin();
  await day.pass(2 * LOST_S * 1_000);
  const later = new StillMarket(day.world, 7_200, '2026-03-02');
  await day.pass(200_000);
  expect([...new Set(day.open().map(({ eventId }) => eventId))]).toEqual([known.eventId]);
  await day.pass(300_000);
  expect([...new Set(day.open().map(({ eventId }) => eventId))]).toEqual([later.eventId]);
});

it('receives the offers that the returning feed omitted, though private quotes came', async () => {
  const omitted = { target: 'stream.offer', fault: 'missing', at: LOST_S - 1, for_s: 5 };
  const day = dayWith(lost, omitted);
  const known = new StillMarket(day.world, 7_200);
  await day.begin();
  await day.pass(LOST_S * 1_000);
  expect(day.open()).toEqual([]);
  await day.pass(120_000);
  expect([...new Set(day.open().map(({ eventId }) => eventId))]).toEqual([known.eventId]);
});
