import { expect, it } from 'vitest';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const HOUR_MS = 3_600_000;

it('books the bets of an order whose outcome was unknown, though the exchange has forgotten its uuid', async () => {
  const day = new CalmDay({ world: { events: 0 }, daemon: { maxSelections: 1, durationS: 30 } });
  const market = new StillMarket(day.world, 7_200);
  await day.begin();
  const { wires, exchange } = day.world;
  const add = (...faults: readonly object[]): number[] =>
    faults.map((fault) => wires.host.addFault(faultSchema.parse(fault)));
  const before = new Set(exchange.inspect().orders.map(({ orderId }) => orderId));
  // The answers to the next creates are lost, and nothing else says that the orders exist.
  const silent = add(
    { target: 'orders.create', fault: 'answer_lost' },
    { target: 'orders.tracked', fault: 'request_lost' },
    { target: 'stream.order', fault: 'missing' },
    { target: 'stream.bet', fault: 'missing' },
  );
  const placed = () => day.open().filter(({ orderId }) => !before.has(orderId));
  await day.until('placed unseen', () => placed().length > 0);
  const unseen = placed().map(({ orderId }) => orderId);
  day.world.kill();
  market.take('for', 20);
  market.take('against', 20);
  for (const id of silent) wires.host.removeFault(id);
  add({ target: 'exchange', fault: 'tracked_forgotten', after_s: 6 * 3_600 });
  await day.pass(7 * HOUR_MS);
  const bets = exchange
    .inspect()
    .orders.filter(({ orderId }) => unseen.includes(orderId))
    .flatMap(({ fills }) => fills.map(({ betId }) => betId));
  expect(bets.length).toBeGreaterThan(0);
  await day.begin(false);
  await day.pass(120_000);
  const booked = Array.from(
    day.run.composed.journal.ofKind('fill_booked'),
    ({ data }) => (data as { readonly fill: { readonly betId: number } }).fill.betId,
  );
  expect(booked).toEqual(expect.arrayContaining(bets));
  expect(new Set(booked).size).toBe(booked.length);
});
