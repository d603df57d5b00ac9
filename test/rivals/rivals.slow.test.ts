import { expect, it } from 'vitest';
import { lineOf, missed, playRounds } from './rounds.ts';
import { SCENARIOS } from './scenarios.ts';

const ROUNDS = 1;
const SEED = 1;

it.each(SCENARIOS)('lets one installation trade at a time: $name', async (scenario) => {
  const result = await playRounds(scenario, ROUNDS, SEED);
  expect(missed(result).map(({ seed, miss }) => `seed ${seed}: ${miss}`)).toEqual([]);
  expect(lineOf(result)).toMatch(
    new RegExp(`^${scenario.name}: ${ROUNDS} rounds, missed 0, both placed 0, `),
  );
});
