import { expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { ACCOUNT, SimulatedRig } from '../support/simulated-rig.ts';

const both = (rig: SimulatedRig, outcome: string): QuoteIntent[] => [
  {
    selectionId: rig.selection(outcome),
    direction: 'for',
    tick: tickOf(2.04) as number,
    stakeMicros: toMicros(10),
    level: 0,
  },
  {
    selectionId: rig.selection(outcome),
    direction: 'against',
    tick: tickOf(1.96) as number,
    stakeMicros: toMicros(10),
    level: 0,
  },
];

it('quotes both sides on the simulated exchange, fills as maker, and drains clean', async () => {
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h', 'd'] });
  rig.begin();
  await rig.clock.advance(3_000);
  rig.desire([...both(rig, 'h'), ...both(rig, 'd')]);
  await rig.clock.advance(6_000);
  expect(rig.manager!.status().waiting).toEqual([]);
  expect(
    rig
      .openOrders()
      .map((order) => order.betType)
      .sort(),
  ).toEqual(['against,d', 'against,h', 'for,d', 'for,h']);
  rig.exchange.market.take(rig.at('h'), 'against', 2.04, toMicros(4), rig.clock.wallMs());
  await rig.clock.advance(1_000);
  expect(rig.fills).toMatchObject([
    { direction: 'for', price: 2.04, stakeMicros: toMicros(4), role: 'maker' },
  ]);
  await rig.clock.advance(600_000);
  expect(rig.openOrders()).toHaveLength(4);
  const drained = rig.manager!.drain(5_000);
  await rig.clock.advance(5_000);
  expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  expect(rig.openOrders()).toEqual([]);
  const account = rig.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
  expect(account).toMatchObject({ throttledCount: 0, heartbeats: [] });
  expect(rig.fatals).toEqual([]);
});
