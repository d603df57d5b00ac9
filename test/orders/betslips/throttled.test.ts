import { expect, it } from 'vitest';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { SimulatedRig } from '../../support/simulated-rig.ts';

const OUTAGE_S = 3 * 3_600;

it('quotes soon after a restart that follows hours of answers 429 for betslips', async () => {
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
  rig.setMarket('h', 1.9, 2.1);
  rig.begin();
  await rig.clock.advance(10_000);
  const throttled = { target: 'betslips.create', fault: 'throttled', retry_after_s: 1, for_s: OUTAGE_S };
  rig.wires.host.addFault(faultSchema.parse(throttled));
  const selectionId = rig.selection('h');
  rig.desire([{ selectionId, direction: 'for', tick: 130, stakeMicros: 10_000_000, level: 0 }]);
  await rig.clock.advance(OUTAGE_S * 1000);
  expect(rig.openOrders()).toEqual([]);
  rig.kill();
  rig.begin();
  await rig.clock.advance(90_000);
  expect(rig.openOrders()).toHaveLength(1);
});

it('creates a betslip again soon after one answer 429', async () => {
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
  rig.setMarket('h', 1.9, 2.1);
  rig.begin();
  await rig.clock.advance(10_000);
  const throttled = { target: 'betslips.create', fault: 'throttled', retry_after_s: 2, times: 1 };
  rig.wires.host.addFault(faultSchema.parse(throttled));
  const selectionId = rig.selection('h');
  rig.desire([{ selectionId, direction: 'for', tick: 130, stakeMicros: 10_000_000, level: 0 }]);
  await rig.clock.advance(8_000);
  expect(rig.openOrders()).toHaveLength(1);
});
