import { expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { crashPointsOf, SCENARIOS } from './crash-points.ts';
import { simulate } from './simulate.ts';

const LONGEST_MS = 60_000;
/** The number of deaths tried here for each scenario, spread evenly. `npm run simulate -- --crash-points` takes all. */
const DEATHS = 2;

it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  'breaks nothing by a death in the middle of %s',
  async (name, scenario) => {
    const { plans } = await crashPointsOf(scenario);
    console.log(`${name}: ${DEATHS} of ${plans.length} deaths`);
    expect(plans.length).toBeGreaterThan(10 * DEATHS);
    for (let death = 1; death <= DEATHS; death++) {
      const plan = plans[Math.floor((death * plans.length) / (DEATHS + 1))];
      if (plan === undefined) throw new Error('no such death');
      const { violations, reached } = await simulate(plan);
      expect(violations).toEqual([]);
      expect([...reached.keys()].some((what) => what.startsWith('kill at '))).toBe(true);
    }
  },
  patient(LONGEST_MS),
);
