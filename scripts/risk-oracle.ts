/**
 * `npm run oracle`: compares the exposure that risk reports with a second, naive opinion, after every step of many
 * random lives of an account.
 *
 * Usage: node scripts/risk-oracle.ts [--states 1000000] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/lib/random.ts';
import { compareOpinions } from '../test/risk/support/storm.ts';

const { values } = parseArgs({
  options: { states: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const [states, seed] = [Number(values.states), Number(values.seed)];
const started = performance.now();
const differences = compareOpinions(states, (life) => seededRandom(seed, `life ${life}`));
for (const difference of differences) console.error(difference);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${states} states, seed ${seed}: ${differences.length} differences, ${seconds} s`);
process.exitCode = differences.length === 0 ? 0 : 1;
