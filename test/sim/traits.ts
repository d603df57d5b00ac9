import type { Act, SimPlan } from './plan.ts';

/**
 * The facts of a plan that the judge needs after every event of a day, which may have hundreds of faults: computed
 * once.
 */
export interface Traits {
  readonly stalls: readonly Extract<Act, { do: 'stall' }>[];
  readonly jumpsWall: boolean;
  readonly endsBetslips: boolean;
  /** When the account's heartbeats are deleted, in seconds. */
  readonly heartbeatsDeletedS: readonly number[];
  readonly doublesRequests: boolean;
  /** When the exchange has no place for any betslip, in seconds. */
  readonly noPlacesS: readonly (readonly [fromS: number, untilS: number])[];
  /** The longest time until all orders of an event are paid. */
  readonly resultsMs: number;
}

/** Plans do not change. */
const KNOWN = new WeakMap<SimPlan, Traits>();

export function traitsOf(plan: SimPlan): Traits {
  const known = KNOWN.get(plan) ?? traits(plan);
  KNOWN.set(plan, known);
  return known;
}

function traits({ acts, faults }: SimPlan): Traits {
  const kinds = new Set(faults.map(({ fault }) => fault));
  return {
    stalls: acts.filter((act) => act.do === 'stall'),
    jumpsWall: acts.some((act) => act.do === 'jump_wall'),
    endsBetslips: kinds.has('betslips_short_lived') || kinds.has('betslips_deleted'),
    heartbeatsDeletedS: faults.flatMap(({ fault, at }) =>
      fault === 'heartbeats_deleted' ? [Number(at)] : [],
    ),
    doublesRequests: kinds.has('applied_twice'),
    noPlacesS: faults.flatMap((each) =>
      each.fault === 'betslip_cap' && each.cap === 0
        ? [[Number(each.at), Number(each.at) + (each.for_s ?? Infinity)] as const]
        : [],
    ),
    resultsMs: Math.max(
      0,
      ...faults.map((each) => (each.fault === 'results_in_turn' ? each.over_s * 1000 : 0)),
    ),
  };
}

/** For this long after a heartbeat was deleted, orders may be placed on the proof of its last refresh, and land. */
const PROVEN_MS = 90_000;

/** Whether there is no heartbeat since `sinceMs`, monotonic, because it was deleted. */
export const wereDeleted = (plan: SimPlan, sinceMs: number | null): boolean =>
  sinceMs !== null &&
  traitsOf(plan).heartbeatsDeletedS.some((atS) => sinceMs >= atS * 1000 && sinceMs < atS * 1000 + PROVEN_MS);

/**
 * When the account's heartbeats were last deleted; -Infinity for never. A heartbeat left to expire must be armed anew
 * then.
 */
export const deletedMs = (plan: SimPlan, nowMs: number): number =>
  Math.max(
    -Infinity,
    ...traitsOf(plan)
      .heartbeatsDeletedS.map((atS) => atS * 1000)
      .filter((ms) => ms <= nowMs),
  );
