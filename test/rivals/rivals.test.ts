import { expect, it } from 'vitest';
import { lineOf, missed, playAll } from './rounds.ts';
import type { Result } from './rounds.ts';
import { SCENARIOS } from './scenarios.ts';

const ROUNDS = 2;
const SEED = 1;

async function played(name: string): Promise<Result> {
  const scenario = SCENARIOS.filter((each) => each.name === name);
  for await (const result of playAll(ROUNDS, SEED, scenario)) return result;
  throw new Error(`there is no scenario ${name}`);
}

it.each(SCENARIOS.map(({ name }) => name))('it lets one installation trade at a time: %s', async (name) => {
  const result = await played(name);
  expect(missed(result).map(({ seed, miss }) => `seed ${seed}: ${miss}`)).toEqual([]);
  expect(lineOf(result)).toMatch(new RegExp(`^${name}: ${ROUNDS} rounds, missed 0, both placed 0, `));
});
