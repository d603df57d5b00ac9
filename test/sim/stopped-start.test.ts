import { expect, it } from 'vitest';
import { drawPlan } from './plan.ts';
import type { SimPlan } from './plan.ts';
import { simulate } from './simulate.ts';

/** The daemon dies with orders open, cannot read its journal at the next start, and is told to stop during that. */
function planWithStoppedStart(): SimPlan {
  const day = drawPlan(5, 90);
  return {
    ...day,
    acts: [
      { do: 'damage_journal', atS: 40, downS: 16, forS: 32, of: 'limits' },
      { do: 'restart_at_point', atS: 52, point: 3, downS: 16 },
    ],
    faults: [],
    daemon: { ...day.daemon, durationS: 60 },
  };
}

it('asks of a start that is stopped before it began nothing but what the stop finds', async () => {
  const { violations, reached } = await simulate(planWithStoppedStart());
  expect(violations).toEqual([]);
  expect(reached.get('act: restart_at_point')).toBe(1);
}, 60_000);
