import { expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { patient } from '../support/patience.ts';
import { drawArena } from './arenas.ts';
import type { SimPlan } from './plan.ts';
import { simulate } from './simulate.ts';

/** Creates are doubled, and one of the two is often answered "throttled". Orders are reported late. */
function planWithTwins(): SimPlan {
  const day = drawArena('lost stream', 6, 60);
  return {
    ...day,
    restS: 30,
    acts: [],
    faults: [
      { target: 'orders.create', fault: 'applied_twice', answer: 'second', at: 10, for_s: 50 },
      { target: 'stream.order', fault: 'late_entry', delay_ms: 4_000, at: 10, for_s: 50 },
    ].map((fault) => faultSchema.parse(fault)),
    world: { ...day.world, openBetslips: 50, betslipsPerDay: 2_000 },
    daemon: { ...day.daemon, strategy: 'symmetric', maxSelections: 8, durationS: 60 },
  };
}

it(
  'assigns no order to a generation of its intent that was reported as not created',
  async () => {
    const { violations } = await simulate(planWithTwins());
    expect(violations).toEqual([]);
  },
  patient(60_000),
);
