import type { Fault } from '../../src/simulator/faults/schema.ts';
import type { SimPlan } from './plan.ts';

/** A campaign that enabled a kind in this many plans and reached it in none has a hole. */
const ENOUGH_PLANS = 8;
/** The same number for a fault on one target, in one variant: some have few requests to strike. */
const ENOUGH_STRUCK = 16;

/** Faults of this length count apart from short ones. */
const LONG_S = 1_200;

/** Recovery paths that any campaign of some length must have taken. */
const PATHS = [
  'path: order unknown',
  'path: unknown order found',
  'path: unknown order proven absent',
  'path: order refused',
  'path: closed by heartbeat',
  'path: bet told in danger',
  'path: order paid before others',
  'path: heartbeat of an earlier run removed',
  'log: heartbeat lost',
  'log: create request failed',
  'log: close failed',
  'log: stream closed',
] as const;

/** Plans after which every path must have been taken. */
const ENOUGH_FOR_PATHS = 60;

/** Counts the kinds that plans enabled and those that their days reached. */
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

  /** Kinds that should have been reached by now and were not. */
  missing(): readonly string[] {
    const due = [...this.#enabled].filter(([what, plans]) => plans >= enoughFor(what)).map(([what]) => what);
    const paths = this.#plans >= ENOUGH_FOR_PATHS ? PATHS : [];
    return [...due, ...paths].filter((what) => !this.#reached.has(what));
  }
}

/** The names of the counters that a plan's faults and acts should increase. */
export function enabledBy(plan: SimPlan): ReadonlySet<string> {
  return new Set([
    ...plan.faults.flatMap((fault) => [`fault: ${fault.fault}`, struckBy(fault)]),
    ...plan.acts.map((act) => `act: ${act.do}`),
  ]);
}

/** The properties that distinguish a fault besides its kind and target. */
const VARIANTS = [
  'applied',
  'answer',
  'with_body',
  'release',
  'mid_frame',
  'status',
  'code',
  'reasons',
  'cap',
  'ends',
];

/** The name of the counter of a fault's kind on its target, in its variant. */
export function struckBy(fault: Fault): string {
  const given = Object.entries(fault).filter(([name]) => VARIANTS.includes(name));
  const variant = given.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const isLong = (fault.for_s ?? 0) >= LONG_S ? ['for long'] : [];
  const isSilent = 'retry_after_s' in fault && fault.retry_after_s === null ? ['without Retry-After'] : [];
  return ['struck:', fault.fault, fault.target, ...variant, ...isSilent, ...isLong].join(' ');
}

const enoughFor = (what: string): number => (what.startsWith('struck:') ? ENOUGH_STRUCK : ENOUGH_PLANS);

const bump = (counts: Map<string, number>, what: string, by: number): void =>
  void counts.set(what, (counts.get(what) ?? 0) + by);
