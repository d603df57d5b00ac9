import { expect, it } from 'vitest';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const once = faultSchema.parse({ target: 'exchange', fault: 'events_told_once' });

async function dayWith(first: { startsInS: number }) {
  const day = new CalmDay({ world: { events: 0 }, daemon: { maxSelections: 1 }, faults: [once] });
  const known = new StillMarket(day.world, first.startsInS, '2026-03-01');
  await day.begin();
  const quoted = (): string[] => [...new Set(day.open().map(({ eventId }) => eventId))];
  return { day, known, quoted };
}

it('quotes an event that appeared after the stream began, though the stream never reports it', async () => {
  const { day, known, quoted } = await dayWith({ startsInS: 600 });
  const later = new StillMarket(day.world, 7_200, '2026-03-02');
  await day.pass(300_000);
  expect(quoted()).toEqual([known.eventId]);
  await day.pass(310_000);
  expect(quoted()).toEqual([later.eventId]);
});

it('leaves an event before a start that was brought forward, though the stream never reports that', async () => {
  const { day, known, quoted } = await dayWith({ startsInS: 7_200 });
  known.startIn(600);
  await day.pass(90_000);
  expect(quoted()).toEqual([known.eventId]);
  await day.pass(515_000);
  expect(quoted()).toEqual([]);
});

it('gives the place of an ended event to another, though the stream never reports its end', async () => {
  const settings = { 'universe.maxEvents': '1' };
  const day = new CalmDay({
    world: { events: 0 },
    daemon: { maxSelections: 1, inPlay: true },
    faults: [once],
    settings,
  });
  const first = new StillMarket(day.world, 60, '2026-03-01');
  const second = new StillMarket(day.world, 7_200, '2026-03-02');
  await day.begin();
  const quoted = (): string[] => [...new Set(day.open().map(({ eventId }) => eventId))];
  expect(quoted()).toEqual([first.eventId]);
  await day.pass(120_000);
  first.does((market, nowMs) => market.removeEvent(first.at, nowMs));
  await day.pass(700_000);
  expect(quoted()).toEqual([second.eventId]);
});
