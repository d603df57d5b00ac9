import { expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { patient } from '../support/patience.ts';
import { drawPlan } from './plan.ts';
import { simulate } from './simulate.ts';

/** Betslips are lost all the time, so the day's are nearly used up. A wrong clock finds no second set. */
it(
  'keeps a run that began with a clock of another day within the betslips of this one',
  async () => {
    const day = drawPlan(5, 160);
    const lost = { target: 'account', fault: 'betslips_deleted', at: 5, every_s: 2, for_s: 160 };
    const { violations, reached } = await simulate({
      ...day,
      restS: 10,
      world: { ...day.world, betslipsPerDay: 120, openBetslips: 20, latencyMs: [1, 5] },
      daemon: { ...day.daemon, maxSelections: 4, inPlay: true, eventLimitUsdt: 4_000, durationS: 10 },
      acts: [
        { do: 'jump_wall', atS: 100, byS: 90_000 },
        { do: 'kill', atS: 102, downS: 1 },
        { do: 'jump_wall', atS: 108, byS: -90_000 },
      ],
      faults: [faultSchema.parse(lost)],
    });
    expect(violations).toEqual([]);
    expect(reached.get('runs')).toBe(2);
  },
  patient(60_000),
);
