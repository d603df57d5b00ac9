import type { SimPlan } from './plan.ts';
import { traitsOf } from './traits.ts';

/** What happened longer ago than this is known without faults, updates windows included. */
const TOLD_BY_MS = 300_000;
/** With a clock that is behind, updates windows end so much earlier. */
const CLOCK_BEHIND_MS = 3_600_000;
const MICROS = 1_000_000;
/** While one of these is out of order the daemon may not hear of what the stream did not tell it. */
const HEARD_BY: ReadonlySet<string> = new Set(['network', 'orders.updates', 'orders.*']);

/** Milliseconds after which the daemon has heard of what became of a bet, whatever the plan does to it. */
export function toldByMs(plan: SimPlan): number {
  // What strikes a few times only is no outage.
  const outages = plan.faults.filter(({ target, times }) => HEARD_BY.has(target) && times === undefined);
  const outagesS = outages.map(({ for_s: forS = 0 }) => forS);
  return TOLD_BY_MS + Math.max(0, ...outagesS) * 1000 + (traitsOf(plan).jumpsWall ? CLOCK_BEHIND_MS : 0);
}

/**
 * What a worst case may be: the limit, or what became of it when a bet was taken back that had hedged others, until it is
 * better again. For a while after each the daemon may not know of it, and goes by what it knew.
 */
class Allowance {
  readonly #limitMicros: number;
  readonly #unawareMs: number;
  #leastMicros: number;
  #unawareUntilMs = -Infinity;

  /** `limitMicros` is what may be lost; `unawareMs` for how long a void may be unknown. */
  constructor(limitMicros: number, unawareMs: number) {
    [this.#limitMicros, this.#unawareMs] = [limitMicros, unawareMs];
    this.#leastMicros = 0 - limitMicros;
  }

  /** Whether a worst case at this instant is allowed; `takenBack` when a bet was since the last one. */
  takes(worstMicros: number, takenBack: boolean, nowMs: number): boolean {
    if (takenBack) this.#unawareUntilMs = nowMs + this.#unawareMs;
    const atMostMicros = Math.min(0 - this.#limitMicros, worstMicros);
    if (nowMs < this.#unawareUntilMs) {
      this.#leastMicros = atMostMicros;
      return true;
    }
    const isTaken = worstMicros >= this.#leastMicros;
    this.#leastMicros = Math.max(this.#leastMicros, atMostMicros);
    return isTaken;
  }
}

/** The allowances of all that has the same limit, by name. */
export class Allowances {
  readonly #byName = new Map<string, Allowance>();
  readonly #limitMicros: number;
  readonly #unawareMs: number;

  constructor(plan: SimPlan) {
    this.#limitMicros = plan.daemon.eventLimitUsdt * MICROS;
    this.#unawareMs = toldByMs(plan);
  }

  /** Whether so named may come to `worstMicros` at this instant; `takenBack` when a bet was since the last time. */
  take(name: string, worstMicros: number, takenBack: boolean, nowMs: number): boolean {
    const known = this.#byName.get(name) ?? new Allowance(this.#limitMicros, this.#unawareMs);
    this.#byName.set(name, known);
    return known.takes(worstMicros, takenBack, nowMs);
  }
}
