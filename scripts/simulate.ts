/**
 * Lives through simulated days under faults and judges them:
 *
 *     npm run simulate -- --seeds 100 [--from N] [--minutes M]    a campaign
 *     npm run simulate -- --seed N [--minutes M]                  one day again, with its log
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { drawPlan } from '../test/sim/plan.ts';
import { simulate } from '../test/sim/simulate.ts';
import type { SimResult } from '../test/sim/simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
  },
});

const activeS = Number(values.minutes) * 60;

function tell({ seed, violations, traceHash, simulatedS, orders, fills }: SimResult): void {
  const verdict =
    violations.length === 0
      ? 'ok'
      : violations.map((v) => `${v.invariant}: ${v.seen} at ${v.atS} s`).join('; ');
  console.log(
    `seed ${seed}  ${simulatedS.toFixed(0)} s  ${orders} orders  ${fills} fills  ${traceHash.slice(0, 12)}  ${verdict}`,
  );
}

async function campaign(from: number, count: number): Promise<number> {
  const reached = new Map<string, number>();
  const startedMs = performance.now();
  let [failed, simulatedS] = [0, 0];
  for (let seed = from; seed < from + count; seed++) {
    const result = await simulate(drawPlan(seed, activeS));
    simulatedS += result.simulatedS;
    for (const [what, times] of result.reached) reached.set(what, (reached.get(what) ?? 0) + times);
    if (result.violations.length > 0) failed++;
    tell(result);
  }
  const tookS = (performance.now() - startedMs) / 1000;
  for (const [what, times] of [...reached].sort()) console.log(`reached ${times} times: ${what}`);
  console.log(
    `${(simulatedS / 3600).toFixed(1)} simulated hours in ${tookS.toFixed(0)} s, ${failed} of ${count} failed`,
  );
  return failed === 0 ? 0 : 1;
}

async function replay(seed: number): Promise<number> {
  const plan = drawPlan(seed, activeS);
  const result = await simulate(plan);
  console.log(JSON.stringify(plan, null, 1));
  for (const line of result.log) console.log(line);
  tell(result);
  return result.violations.length === 0 ? 0 : 1;
}

process.exitCode =
  values.seed === undefined
    ? await campaign(Number(values.from), Number(values.seeds))
    : await replay(Number(values.seed));
