import { expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { patient } from '../support/patience.ts';
import { drawPlan, type SimPlan } from './plan.ts';
import { simulate } from './simulate.ts';

/**
 * The daemon dies with orders open, cannot read its journal at the next start, and receives a stop during that start.
 */
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

it(
  'demands nothing of a start that is stopped before it began except what the stop finds',
  async () => {
    const { violations, reached } = await simulate(planWithStoppedStart());
    expect(violations).toEqual([]);
    expect(reached.get('act: restart_at_point')).toBe(1);
  },
  patient(60_000),
);

/**
 * The exchange lists no orders, so the run after a death does not finish its start. A person stops everything
 * meanwhile.
 */
it(
  'stops everything also before the start is done, and keeps it stopped over later starts',
  async () => {
    const day = drawPlan(5, 60);
    const { violations, reached } = await simulate({
      ...day,
      acts: [
        { do: 'kill', atS: 15, downS: 2 },
        { do: 'kill_switch', atS: 18, forS: 10 },
      ],
      faults: [faultSchema.parse({ target: 'orders.list', fault: 'server_error', at: 14, for_s: 25 })],
      world: { ...day.world, events: 2 },
      daemon: { ...day.daemon, durationS: 60 },
    });
    expect(violations).toEqual([]);
    expect(reached.get('act: kill_switch')).toBe(1);
  },
  patient(60_000),
);
