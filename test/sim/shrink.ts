import type { SimPlan } from './plan.ts';
import type { SimResult } from './simulate.ts';

/** Runs a plan; `shrink` tries its smaller plans with this. */
export type Live = (plan: SimPlan) => Promise<SimResult>;

const LONGEST_MARGIN_S = 1;
const MOST_RUNS = 120;

/** The smallest plan found that breaks the same invariant, with its result and the number of days tried. */
export interface Shrunk {
  readonly plan: SimPlan;
  readonly result: SimResult;
  readonly runs: number;
}

/** Minimises acts and faults, then time, then the world: greedy, one change at a time, until no change helps. */
export async function shrink(plan: SimPlan, failed: SimResult, live: Live): Promise<Shrunk> {
  const invariant = failed.violations[0]?.invariant;
  let best: Shrunk = { plan, result: failed, runs: 0 };
  let runs = 0;
  const better = async (candidate: SimPlan): Promise<boolean> => {
    runs++;
    const result = await live(candidate);
    if (result.violations[0]?.invariant !== invariant) return false;
    best = { plan: candidate, result, runs };
    return true;
  };
  for (let improved = true; improved && runs < MOST_RUNS;)
    improved = await onePass(() => best, better, MOST_RUNS - runs);
  return { ...best, runs };
}

/** Tries every simplification of the best plan so far once. Returns whether any worked. */
async function onePass(
  best: () => Shrunk,
  better: (plan: SimPlan) => Promise<boolean>,
  left: number,
): Promise<boolean> {
  let [improved, tried] = [false, 0];
  for (const simplify of simplifications(best())) {
    const candidate = simplify(best());
    if (candidate === null || same(candidate, best().plan)) continue;
    if (++tried > left) break;
    if (await better(candidate)) improved = true;
  }
  return improved;
}

/** Halves, quarters and so on, down to single items. */
function chunksOf<T>(items: readonly T[]): (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let size = Math.floor(items.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return items.length === 1 ? [items] : chunks;
}

type Simplify = (from: Shrunk) => SimPlan | null;

function simplifications({ plan }: Shrunk): Simplify[] {
  return [
    ({ plan: now }) => ({ ...now, acts: [] }),
    ({ plan: now }) => ({ ...now, faults: [] }),
    ({ plan: now, result }) => shorter(now, result.violations[0]?.atS ?? now.activeS),
    ...chunksOf(plan.acts).map((chunk): Simplify => ({ plan: now }) => ({
      ...now,
      acts: now.acts.filter((act) => !chunk.includes(act)),
    })),
    ...chunksOf(plan.faults).map((chunk): Simplify => ({ plan: now }) => ({
      ...now,
      faults: now.faults.filter((fault) => !chunk.includes(fault)),
    })),
    ({ plan: now }) => ({ ...now, world: { ...now.world, events: Math.min(3, now.world.events) } }),
    ({ plan: now }) => ({ ...now, world: { ...now.world, speed: 1 } }),
    ({ plan: now }) => ({ ...now, world: { ...now.world, latencyMs: [1, 5] } }),
    ({ plan: now }) => ({ ...now, daemon: { ...now.daemon, maxSelections: 1 } }),
    ({ plan: now }) => ({ ...now, daemon: { ...now.daemon, strategy: 'symmetric' } }),
  ];
}

/** Events after the violation have no part in it. */
function shorter(plan: SimPlan, brokenAtS: number): SimPlan | null {
  const activeS = Math.ceil(brokenAtS + LONGEST_MARGIN_S);
  if (activeS >= plan.activeS) return null;
  return {
    ...plan,
    activeS,
    acts: plan.acts.filter(({ atS }) => atS < activeS),
    faults: plan.faults.filter(({ at }) => Number(at) < activeS),
    ...(plan.restsS === undefined ? {} : { restsS: plan.restsS.filter((restS) => restS < activeS) }),
  };
}

const same = (a: SimPlan, b: SimPlan): boolean => JSON.stringify(a) === JSON.stringify(b);
