/**
 * Plants one realistic mistake after the other in the daemon and shows that the campaign catches it:
 *
 *     npm run simulate:planted [-- --seeds 12] [--minutes 2] [--only PATTERN]
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { drawPlan } from '../test/sim/plan.ts';
import { PLANTED } from '../test/sim/planted/index.ts';
import type { Planted } from '../test/sim/planted/planted.ts';
import { simulate } from '../test/sim/simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '12' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});

const [from, most] = [Number(values.from), Number(values.seeds)];
const activeS = Number(values.minutes) * 60;

/** Seeds that it took, null when none of them caught it. */
async function seedsToCatch(planted: Planted): Promise<number | null> {
  for (let tried = 1; tried <= most; tried++) {
    const { violations, traceHash } = await simulate(drawPlan(from + tried - 1, activeS), planted);
    const first = violations[0];
    if (first === undefined) continue;
    console.log(
      `caught  ${planted.name}  after ${tried} seeds: ${first.invariant} (${traceHash.slice(0, 8)})`,
    );
    return tried;
  }
  console.log(`MISSED  ${planted.name}  in ${most} seeds`);
  return null;
}

const took: number[] = [];
const chosen = PLANTED.filter(({ name }) => new RegExp(values.only).test(name));
for (const planted of chosen) {
  const seeds = await seedsToCatch(planted);
  if (seeds !== null) took.push(seeds);
}
const median = took.sort((a, b) => a - b)[Math.floor((took.length - 1) / 2)];
console.log(`${took.length} of ${chosen.length} caught, median ${median} seeds`);
process.exitCode = took.length === chosen.length ? 0 : 1;
