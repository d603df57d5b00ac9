import { expect, it } from 'vitest';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { SimDesk } from '../../support/sim-desk.ts';

const OUTAGE_S = 3 * 3_600;

it('quotes soon after a restart that follows hours of answers 429 for betslips', async () => {
  const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
  desk.setMarket('h', 1.9, 2.1);
  desk.begin();
  await desk.clock.advance(10_000);
  const throttled = { target: 'betslips.create', fault: 'throttled', retry_after_s: 1, for_s: OUTAGE_S };
  desk.wires.host.addFault(faultSchema.parse(throttled));
  const selectionId = desk.selection('h');
  desk.desire([{ selectionId, direction: 'for', tick: 130, stakeMicros: 10_000_000, level: 0 }]);
  await desk.clock.advance(OUTAGE_S * 1000);
  expect(desk.openOrders()).toEqual([]);
  desk.kill();
  desk.begin();
  await desk.clock.advance(90_000);
  expect(desk.openOrders()).toHaveLength(1);
});

it('creates a betslip again soon after one answer 429', async () => {
  const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
  desk.setMarket('h', 1.9, 2.1);
  desk.begin();
  await desk.clock.advance(10_000);
  const throttled = { target: 'betslips.create', fault: 'throttled', retry_after_s: 2, times: 1 };
  desk.wires.host.addFault(faultSchema.parse(throttled));
  const selectionId = desk.selection('h');
  desk.desire([{ selectionId, direction: 'for', tick: 130, stakeMicros: 10_000_000, level: 0 }]);
  await desk.clock.advance(8_000);
  expect(desk.openOrders()).toHaveLength(1);
});
