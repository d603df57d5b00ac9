import type { Act, SimPlan } from './plan.ts';

/** What the judge asks of a plan after every event of a day that may have hundreds of faults: found out once. */
export interface Traits {
  readonly stalls: readonly Extract<Act, { do: 'stall' }>[];
  readonly jumpsWall: boolean;
  readonly endsBetslips: boolean;
  readonly deletesHeartbeats: boolean;
  readonly doublesRequests: boolean;
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
    deletesHeartbeats: kinds.has('heartbeats_deleted'),
    doublesRequests: kinds.has('applied_twice'),
  };
}
