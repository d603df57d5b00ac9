import type { Act, SimPlan } from './plan.ts';

/** What the judge asks of a plan after every event of a day that may have hundreds of faults: found out once. */
export interface Traits {
  readonly stalls: readonly Extract<Act, { do: 'stall' }>[];
  readonly jumpsWall: boolean;
  readonly breaksNetwork: boolean;
  readonly endsBetslips: boolean;
  readonly deletesHeartbeats: boolean;
  readonly harmsHeartbeats: boolean;
  readonly doublesRequests: boolean;
  /** When heartbeats of somebody else run out, and with them whatever is open. */
  readonly foreignEndsMs: readonly number[];
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
    breaksNetwork: faults.some(({ target }) => target === 'network'),
    endsBetslips: kinds.has('betslips_short_lived') || kinds.has('betslips_deleted'),
    deletesHeartbeats: kinds.has('heartbeats_deleted'),
    harmsHeartbeats: faults.some(({ target }) => target.startsWith('heartbeats')),
    doublesRequests: kinds.has('applied_twice'),
    foreignEndsMs: faults
      .filter((fault) => fault.fault === 'foreign_heartbeat')
      .map(({ at, timeout_s: timeoutS }) => (Number(at) + timeoutS) * 1000),
  };
}

/** Between the end of a heartbeat and the end of what it closes. */
const CLOSING_MS = 2_000;

/** Whether requests about heartbeats go astray, or somebody else's heartbeat has just run out. */
export function mayExpire(plan: SimPlan, nowMs: number): boolean {
  const { harmsHeartbeats, foreignEndsMs } = traitsOf(plan);
  return harmsHeartbeats || foreignEndsMs.some((endMs) => nowMs >= endMs && nowMs < endMs + CLOSING_MS);
}
