/**
 * `npm run engines`: do both engines of a backtest find the same fills, to the micro?
 *
 *     npm run engines -- --cases 500 --seed 7
 *
 * Each case is a generated market with up to six quotes in it, in a scenario of its turn. `docs/backtest.md` states where the engines
 * must agree. Prints a line of JSON last; exits 1 if a fill differs, or if fewer than 90 % of the cases have one.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { SCENARIOS } from '../src/fills/fill-model.ts';
import { type Agreement, agreement } from './engines/agreement.ts';

const LEAST_FILLED = 0.9;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '510' },
  },
});
const [seed, cases] = [options.seed, options.cases].map((text) => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  process.stderr.write(`engines: expected a positive whole number, not ${text}\n`);
  process.exit(2);
}) as [number, number];

const found: Agreement[] = [];
for (const [at, scenario] of SCENARIOS.entries()) {
  const share = Math.ceil(cases / SCENARIOS.length);
  const result = await agreement(SCENARIOS.length * seed + at, share, scenario);
  found.push(result);
  for (const { event, fast, full } of result.differences.slice(0, 3))
    process.stdout.write(`${scenario} ${event}\n  fast: ${fast.join('; ')}\n  full: ${full.join('; ')}\n`);
  process.stdout.write(
    `${scenario}: ${result.cases} cases, ${result.filled} with a fill, ${result.differences.length} differ\n`,
  );
}
const sum = (of: (each: Agreement) => number): number => found.reduce((total, each) => total + of(each), 0);
const total = {
  seed,
  cases: sum((each) => each.cases),
  filled: sum((each) => each.filled),
  fills: sum((each) => each.fills),
  differences: sum(({ differences }) => differences.length),
};
process.stdout.write(`${JSON.stringify(total)}\n`);
process.exitCode = total.differences === 0 && total.filled >= LEAST_FILLED * total.cases ? 0 : 1;
