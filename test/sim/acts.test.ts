import { expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { drawPlan } from './plan.ts';
import { simulate } from './simulate.ts';

it(
  'runs acts at their own instants, also within a second of each other',
  async () => {
    const acts = [
      { do: 'kill_switch', atS: 15.3, forS: 5 },
      { do: 'kill', atS: 15.4, downS: 2 },
    ] as const;
    const { log, timeline, violations } = await simulate({ ...drawPlan(5, 20), faults: [], acts, restS: 30 });
    expect(violations).toEqual([]);
    expect(log.some((line) => line.startsWith('15.300 warn risk: killed'))).toBe(true);
    const sent = timeline.filter(({ what, atS }) => what !== 'fill' && atS > 15.3);
    expect(sent.filter(({ atS }) => atS > 15.4 && atS < 17.4)).toEqual([]);
    expect(sent.length).toBeGreaterThan(0);
  },
  patient(60_000),
);
