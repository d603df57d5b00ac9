import { expect, it } from 'vitest';
import { agreement } from '../../../../scripts/engines/agreement.ts';
import { SCENARIOS } from '../../../../src/fills/fill-model.ts';

/** `npm run engines` compares more cases. */
const CASES = 10;

it.each(SCENARIOS)('both engines find the same fills, to the micro: %s', async (scenario) => {
  const { differences, filled, fills } = await agreement(7, CASES, scenario);
  expect(differences).toEqual([]);
  expect(filled).toBeGreaterThanOrEqual(0.9 * CASES);
  expect(fills).toBeGreaterThan(CASES);
});
