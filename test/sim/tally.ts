import type { SimPlan } from './plan.ts';
import type { SimResult } from './simulate.ts';

/** A day that broke an invariant. */
export interface FailedDay {
  readonly seed: number;
  readonly invariant: string;
  readonly seen: string;
  readonly atS: number;
}

/** The results of a campaign so far, as in its progress file. */
export interface Progress {
  /** The judged commit, with a plus when files differed from it. */
  readonly commit: string;
  /** Length of the days, seconds. */
  readonly activeS: number;
  /** The first seed, and the first one that has not ended. */
  readonly from: number;
  readonly next: number;
  /** Later seeds that have ended already: parallel days take different times. */
  readonly ahead: readonly number[];
  readonly days: number;
  readonly simulatedS: number;
  /** How long the daemon had orders open. */
  readonly quotingS: number;
  /** Processor time of all cores, in seconds. */
  readonly busyS: number;
  readonly orders: number;
  readonly fills: number;
  /** Starts of the daemon after the first of each day. */
  readonly restarts: number;
  readonly acts: number;
  readonly faults: number;
  /** Simulated seconds by market. Days at the modelled market's default pace are `usual`. */
  readonly markets: Readonly<Record<string, number>>;
  /** How often each fault, act and path was reached, by name. */
  readonly reached: Readonly<Record<string, number>>;
  readonly failed: readonly FailedDay[];
}

/** The state before the first day. */
export const nothingYet = (commit: string, activeS: number, from: number): Progress => ({
  commit,
  activeS,
  from,
  next: from,
  ahead: [],
  days: 0,
  simulatedS: 0,
  quotingS: 0,
  busyS: 0,
  orders: 0,
  fills: 0,
  restarts: 0,
  acts: 0,
  faults: 0,
  markets: {},
  reached: {},
  failed: [],
});

/** Adds up the days of a campaign, in whatever order they end. */
export class Tally {
  #progress: Progress;

  constructor(before: Progress) {
    this.#progress = before;
  }

  get progress(): Progress {
    return this.#progress;
  }

  add({ seed, world }: SimPlan, result: SimResult, busyS: number): void {
    const before = this.#progress;
    const market = world.market?.name ?? 'usual';
    this.#progress = {
      ...before,
      ...endedWith(before, seed),
      days: before.days + 1,
      simulatedS: before.simulatedS + result.simulatedS,
      quotingS: before.quotingS + result.quotingS,
      busyS: before.busyS + busyS,
      orders: before.orders + result.orders,
      fills: before.fills + result.fills,
      restarts: before.restarts + Math.max(0, reachedBy(result, 'runs') - 1),
      acts: before.acts + reachedBy(result, 'act: '),
      faults: before.faults + reachedBy(result, 'fault: '),
      markets: sumOf(before.markets, [[market, result.simulatedS]]),
      reached: sumOf(before.reached, result.reached),
      failed: [...before.failed, ...failuresOf(result)],
    };
  }
}

/** Days end in any order. A resumed campaign begins at the first seed that has not ended. */
function endedWith({ next, ahead }: Progress, seed: number): Pick<Progress, 'next' | 'ahead'> {
  const ended = new Set([...ahead, seed]);
  let first = next;
  while (ended.delete(first)) first++;
  return { next: first, ahead: [...ended] };
}

function sumOf(
  before: Readonly<Record<string, number>>,
  more: Iterable<readonly [name: string, amount: number]>,
): Readonly<Record<string, number>> {
  const sum = { ...before };
  for (const [name, amount] of more) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
}

/** The days that have ended, by their seeds. */
export const endedSeeds = ({ from, next, ahead }: Progress): readonly number[] => [
  ...Array.from({ length: next - from }, (_, index) => from + index),
  ...ahead,
];

const reachedBy = ({ reached }: SimResult, prefix: string): number =>
  [...reached].reduce((sum, [what, times]) => (what.startsWith(prefix) ? sum + times : sum), 0);

const failuresOf = ({ seed, violations }: SimResult): FailedDay[] =>
  violations.slice(0, 1).map(({ invariant, seen, atS }) => ({ seed, invariant, seen, atS }));

/** The campaign in words: its size, its speed, and how full its hours were. */
export function summaryOf(progress: Progress): readonly string[] {
  const { days, simulatedS, quotingS, busyS, from, commit, failed, markets } = progress;
  const hours = simulatedS / 3600;
  const perHour = (count: number): string => (count / hours).toFixed(1);
  const { orders, fills, faults, acts, restarts } = progress;
  const shares = Object.entries(markets).map(([name, s]) => `${name} ${(s / 3600).toFixed(1)} h`);
  return [
    `${days} days from seed ${from} at ${commit}: ${hours.toFixed(1)} simulated hours, ${failed.length} days failed`,
    `${(hours / busyS).toFixed(2)} hours a second and core, ${(simulatedS / busyS).toFixed(0)} times real time`,
    `orders open for ${((100 * quotingS) / simulatedS).toFixed(0)} % of the time; markets: ${shares.join(', ')}`,
    `an hour: ${perHour(orders)} orders, ${perHour(fills)} fills, ${perHour(faults)} faults, ${perHour(acts)} acts, ` +
      `${perHour(restarts)} restarts`,
    ...failed.map((day) => `seed ${day.seed} broke ${day.invariant} at ${day.atS} s: ${day.seen}`),
  ];
}
