import type { SimPlan } from './plan.ts';

/** A campaign that enabled something in this many plans and reached it in none has a hole. */
const ENOUGH_PLANS = 8;

/** Paths of recovery that any campaign of some length must have taken. */
const PATHS = [
  'path: order unknown',
  'path: unknown order found',
  'path: unknown order proven absent',
  'path: order refused',
  'path: closed by heartbeat',
  'path: heartbeat of an earlier run removed',
  'log: heartbeat lost',
  'log: create request failed',
  'log: close failed',
  'log: stream closed',
] as const;

/** Plans after which every path must have been taken. */
const ENOUGH_FOR_PATHS = 60;

/** Counts what plans enabled and what their days reached. */
export class Reach {
  readonly #enabled = new Map<string, number>();
  readonly #reached = new Map<string, number>();
  #plans = 0;

  add(plan: SimPlan, reached: ReadonlyMap<string, number>): void {
    this.#plans++;
    for (const what of enabledBy(plan)) bump(this.#enabled, what, 1);
    for (const [what, times] of reached) bump(this.#reached, what, times);
  }

  /** How often each was reached, by name. */
  counts(): readonly (readonly [what: string, times: number])[] {
    return [...this.#reached].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** What should have been reached by now and was not. */
  missing(): readonly string[] {
    const due = [...this.#enabled].filter(([, plans]) => plans >= ENOUGH_PLANS).map(([what]) => what);
    const paths = this.#plans >= ENOUGH_FOR_PATHS ? PATHS : [];
    return [...due, ...paths].filter((what) => !this.#reached.has(what));
  }
}

/** Names of the counters that a plan's faults and acts should move. */
export function enabledBy(plan: SimPlan): ReadonlySet<string> {
  return new Set([
    ...plan.faults.map(({ fault }) => `fault: ${fault}`),
    ...plan.acts.map((act) => `act: ${act.do}`),
  ]);
}

const bump = (counts: Map<string, number>, what: string, by: number): void =>
  void counts.set(what, (counts.get(what) ?? 0) + by);
