import { expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { patient } from '../support/patience.ts';
import { type Act, CLOSES, drawPlan, type SimPlan } from './plan.ts';
import { simulate } from './simulate.ts';

const STOP_S = 60;

/** The loop stalls by plan during an orderly stop. Acts before the stall are still performed then. */
function planWithLateStall(): SimPlan {
  const day = drawPlan(3, 90);
  const between = [0.4, 0.5, 0.6, 0.7].map((laterS): Act => ({ do: 'start_second', atS: STOP_S + laterS }));
  return {
    ...day,
    restS: 30,
    acts: [
      { do: 'restart', atS: STOP_S, downS: 0.1 },
      ...between,
      { do: 'stall', atS: STOP_S + 0.8, forS: 25 },
    ],
    faults: CLOSES.map((target) =>
      faultSchema.parse({ target, fault: 'unavailable', at: STOP_S - 5, for_s: 35 }),
    ),
    world: { ...day.world, events: 6, speed: 1, latencyMs: [1, 5], betslipsPerDay: 2_000 },
    daemon: {
      strategy: 'guarded-ladder',
      durationS: 60,
      heartbeatS: 15,
      maxSelections: 4,
      inPlay: true,
      eventLimitUsdt: 4_000,
    },
  };
}

it(
  'blames nobody for a stall that comes later than planned',
  async () => {
    const { violations } = await simulate(planWithLateStall());
    expect(violations).toEqual([]);
  },
  patient(60_000),
);
