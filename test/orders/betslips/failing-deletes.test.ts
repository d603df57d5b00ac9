import { expect, it, vi } from 'vitest';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { SimulatedRig } from '../../support/simulated-rig.ts';

const EVENTS = 10;
const OUTCOMES = ['h', 'd', 'a'];
const DIRECTIONS = ['for', 'against'] as const;
const HOUR_S = 3_600;

function quotesOn(rig: SimulatedRig, event: number): QuoteIntent[] {
  return OUTCOMES.flatMap((outcome) =>
    DIRECTIONS.map((direction) => ({
      selectionId: rig.selection(outcome, event),
      direction,
      stakeMicros: 10_000_000,
      level: 0,
      tick: direction === 'for' ? 130 : 60,
      valueMicrosPerS: 1,
    })),
  );
}

it('refreshes wanted betslips while many unwanted ones cannot be deleted', async () => {
  const rig = new SimulatedRig({
    seed: 1,
    outcomes: OUTCOMES,
    events: EVENTS,
    settings: { openBetslipCap: 60 },
    options: { durationS: 3_000 },
  });
  for (let event = 0; event < EVENTS; event++)
    for (const outcome of OUTCOMES) rig.setMarket(outcome, 1.9, 2.1, event);
  rig.begin();
  await rig.clock.advance(10_000);
  for (let event = 0; event < EVENTS; event++) rig.desire(quotesOn(rig, event), event);
  await rig.clock.advance(60_000);
  expect(rig.manager?.status().betslipsOpen).toBe(60);
  const failing = { target: 'betslips.delete', fault: 'unavailable', for_s: HOUR_S };
  rig.wires.host.addFault(faultSchema.parse(failing));
  for (let event = 1; event < EVENTS; event++) rig.desire([], event);
  await rig.clock.advance(60_000);
  expect(rig.manager?.status().betslipsOpen).toBe(6);
});

it('retries a failed delete again and again, also at a stop', async () => {
  const rig = new SimulatedRig({ seed: 1, outcomes: OUTCOMES });
  rig.begin();
  await rig.clock.advance(10_000);
  rig.desire(quotesOn(rig, 0));
  await rig.clock.advance(10_000);
  const failing = { target: 'betslips.delete', fault: 'unavailable', times: 6 };
  rig.wires.host.addFault(faultSchema.parse(failing));
  void rig.manager?.drain(20_000);
  await rig.clock.advance(4_000);
  expect(rig.manager?.status().betslipsOpen).toBe(0);
});

it('replaces betslips by better ones in turn while deletes fail', async () => {
  const rig = new SimulatedRig({
    seed: 1,
    outcomes: OUTCOMES,
    events: 2,
    settings: { openBetslipCap: 6 },
    options: { durationS: 3_000, betslips: { openCap: 6 } },
  });
  const send = vi.spyOn(rig.wires.http, 'send');
  const deletes = (): number =>
    send.mock.calls.filter(([{ method, path }]) => method === 'DELETE' && path.includes('/betslips/')).length;
  rig.begin();
  await rig.clock.advance(10_000);
  rig.desire(quotesOn(rig, 0));
  await rig.clock.advance(20_000);
  expect(rig.manager?.status().betslipsOpen).toBe(6);
  const failing = { target: 'betslips.delete', fault: 'unavailable', for_s: HOUR_S };
  rig.wires.host.addFault(faultSchema.parse(failing));
  const better = quotesOn(rig, 1).map((quote) => ({ ...quote, valueMicrosPerS: 100 }));
  // A lively market is judged many times a second.
  for (let turn = 0; turn < 3_000; turn++) {
    rig.desire(better, 1);
    await rig.clock.advance(20);
  }
  // At most one delete in 300 ms.
  expect(deletes()).toBeLessThanOrEqual(200);
});
