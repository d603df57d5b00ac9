/**
 * `npm run oracle`: compares risk with a second, naive implementation over many random lives of an account. Checks the
 * exposure after every step, the limits that no sequence may pass, and the orders that must not be refused because they
 * reduce risk.
 *
 * Usage: node scripts/risk-oracle.ts [--states 1000000] [--lives 60] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/lib/random.ts';
import { judgeReducing } from '../test/risk/support/reducing-states.ts';
import { compareOpinions, TIGHT } from '../test/risk/support/storm.ts';
import { offerOrders, pressLimits } from '../test/risk/support/storm-properties.ts';

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '1000000' },
    lives: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const states = Number(values.states);
const lives = Number(values.lives);
const seed = Number(values.seed);
const randomOf = (what: string) => (life: number) => seededRandom(seed, `${what} ${life}`);

/** Runs one comparison and prints its result and duration. Returns the number of faults. */
function timed(work: () => readonly [faults: number, found: string]): number {
  const started = performance.now();
  const [faults, found] = work();
  console.log(`${found}, seed ${seed}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return faults;
}

const faults = [
  timed(() => {
    const differences = compareOpinions(states, randomOf('life'));
    for (const difference of differences) console.error(difference);
    return [differences.length, `${states} states: ${differences.length} differences`];
  }),
  timed(() => {
    const { reducing, leaning, reversing, differences } = judgeReducing(states, randomOf('reductions'));
    for (const difference of differences) console.error(difference);
    const kinds = `${reducing} reduce, ${leaning} lean on open orders, ${reversing} may reverse the position`;
    return [differences.length, `${states} offers: ${kinds}; ${differences.length} differences`];
  }),
  timed(() => {
    const { steps, passed, closestUsdt } = pressLimits(lives, randomOf('limits'));
    const near = `closest ${closestUsdt.toFixed(2)} of -${TIGHT.worstCase.accountUsdt} USDT`;
    return [passed, `${steps} steps against the limits: ${passed} passed one, ${near}`];
  }),
  timed(() => {
    const { helping, wronged, refused } = offerOrders(lives, randomOf('helping'));
    const found = `${helping} orders that help: ${wronged} refused; ${refused} others refused for exposure`;
    return [wronged, found];
  }),
];
process.exitCode = faults.every((count) => count === 0) ? 0 : 1;
