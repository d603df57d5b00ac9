import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freeName, simulateOptions } from '../../scripts/simulate-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'simulate-options-'));
const incomplete = join(folder, 'incomplete.json');
writeFileSync(incomplete, '{"seed":1}');

it.each([
  ['--seeds', ['--seeds', 'abc']],
  ['--seeds', ['--seeds', '0']],
  ['--seed', ['--seed', 'x']],
  ['--from', ['--from', '-1']],
  ['--minutes', ['--minutes', 'abc']],
  ['--hours', ['--hours', '0']],
  ['--jobs', ['--jobs', '1.5']],
  ['--arena', ['--arena', 'nowhere']],
  ['--against-prices', ['--against-prices', 'both']],
  ['--unknown', ['--unknown']],
  ['--plan', ['--plan', join(folder, 'missing.json')]],
  ['--plan', ['--plan', incomplete]],
  ['--seed', ['--plan', incomplete, '--seed', '1']],
])('names %s when it is wrong: %j', (option, args) => {
  const wrong = (): unknown => simulateOptions(args);
  expect(wrong).toThrow(option);
  expect(wrong).toThrow(/^.+$/);
});

it('accepts valid options', () => {
  const options = simulateOptions(['--seed', '7', '--minutes', '3']);
  expect(options).toMatchObject({ seed: 7, activeS: 180, plan: null, seeds: 20 });
});

it('says what prices of `against` markets are, and leaves it to the plan otherwise', () => {
  expect(simulateOptions(['--against-prices', 'odds']).againstPrices).toBe('odds');
  expect(simulateOptions([]).againstPrices).toBeUndefined();
});

it('lets a resumed campaign begin with the days that are awake', () => {
  const options = simulateOptions(['--awake', '--progress', incomplete]);
  expect(options).toMatchObject({ awake: true, progress: incomplete });
});

it('overwrites no earlier file', () => {
  const stem = join(folder, 'plan-7');
  expect(freeName(stem, '.json')).toBe(`${stem}.json`);
  writeFileSync(`${stem}.json`, '');
  expect(freeName(stem, '.json')).toBe(`${stem}-2.json`);
});
