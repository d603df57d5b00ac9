/**
 * Plays rounds in which two installations trade one account, and judges them by the exchange's own state:
 *
 *     npm run rivals -- [--rounds 20] [--seed 1]                every scenario
 *     npm run rivals -- --only take-over [--rounds N --seed S]  scenarios whose name matches
 *
 * Prints one line for each scenario. For each round that broke a rule, prints its setup, the fault and the command that
 * plays the round again. Exits 1 when a round broke a rule.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Outcome } from '../test/rivals/round.ts';
import { lineOf, missed, playRounds } from '../test/rivals/rounds.ts';
import { SCENARIOS } from '../test/rivals/scenarios.ts';

const LOG_LINES = 12;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    log: { type: 'boolean', default: false },
  },
});

/** Reads a whole number from 1 on. Ends the process with exit code 2 for anything else. */
function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  console.error(`--${name}: ${text} is not a whole number of 1 or more`);
  return process.exit(2);
}

function printMiss(scenario: string, { seed, miss, drawn, logs }: Outcome, withLog: boolean): void {
  console.log(`  seed ${seed}: ${miss}`);
  console.log(`    ${drawn}`);
  console.log(`    again: npm run rivals -- --only '${scenario}' --rounds 1 --seed ${seed} --log`);
  if (!withLog) return;
  for (const [name, lines] of logs)
    for (const line of lines.slice(-LOG_LINES)) console.log(`    ${name} ${line}`);
}

const scenarios = SCENARIOS.filter(({ name }) => new RegExp(values.only).test(name));
const rounds = whole('rounds', values.rounds);
const seed = whole('seed', values.seed);
const startedMs = performance.now();
let misses = 0;
for (const scenario of scenarios) {
  const result = await playRounds(scenario, rounds, seed);
  console.log(lineOf(result));
  for (const outcome of missed(result)) printMiss(result.scenario, outcome, values.log);
  misses += missed(result).length;
}
console.log(`${misses} missed, ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
process.exitCode = misses === 0 && scenarios.length > 0 ? 0 : 1;
