import { expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import { tickOf } from '../../src/domain/odds.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { ACCOUNT, SimDesk } from '../support/sim-desk.ts';

const both = (desk: SimDesk, outcome: string): QuoteIntent[] => [
  {
    selectionId: desk.selection(outcome),
    direction: 'for',
    tick: tickOf(2.04) as number,
    stakeMicros: toMicros(10),
    level: 0,
  },
  {
    selectionId: desk.selection(outcome),
    direction: 'against',
    tick: tickOf(1.96) as number,
    stakeMicros: toMicros(10),
    level: 0,
  },
];

it('quotes both sides on the simulated exchange, fills as maker, and drains clean', async () => {
  const desk = new SimDesk({ seed: 1, outcomes: ['h', 'd'] });
  desk.begin();
  await desk.clock.advance(3_000);
  desk.desire([...both(desk, 'h'), ...both(desk, 'd')]);
  await desk.clock.advance(6_000);
  expect(desk.manager!.status().waiting).toEqual([]);
  expect(
    desk
      .openOrders()
      .map((order) => order.betType)
      .sort(),
  ).toEqual(['against,d', 'against,h', 'for,d', 'for,h']);
  desk.exchange.market.take(desk.at('h'), 'against', 2.04, toMicros(4), desk.clock.wallMs());
  await desk.clock.advance(1_000);
  expect(desk.fills).toMatchObject([
    { direction: 'for', price: 2.04, stakeMicros: toMicros(4), role: 'maker' },
  ]);
  await desk.clock.advance(600_000);
  expect(desk.openOrders()).toHaveLength(4);
  const drained = desk.manager!.drain(5_000);
  await desk.clock.advance(5_000);
  expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  expect(desk.openOrders()).toEqual([]);
  const account = desk.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
  expect(account).toMatchObject({ throttledCount: 0, heartbeats: [] });
  expect(desk.fatals).toEqual([]);
});
