import type { SimPlan } from './plan.ts';
import { traitsOf } from './traits.ts';

/** Without faults, everything older than this is known, updates windows included. */
const KNOWN_AFTER_MS = 300_000;
/** With a clock that is behind, updates windows end this much earlier. */
const CLOCK_BEHIND_MS = 3_600_000;
const MICROS = 1_000_000;
/** While one of these is out of order, the daemon may not receive what the stream omitted. */
const REPORTS: ReadonlySet<string> = new Set(['network', 'orders.updates', 'orders.*']);

/** Milliseconds after which the daemon knows the state of a bet, whatever faults the plan has. */
export function knownAfterMs(plan: SimPlan): number {
  // A fault that strikes only a few times is no outage.
  const outages = plan.faults.filter(({ target, times }) => REPORTS.has(target) && times === undefined);
  const outagesS = outages.map(({ for_s: forS = 0 }) => forS);
  return KNOWN_AFTER_MS + Math.max(0, ...outagesS) * 1000 + (traitsOf(plan).jumpsWall ? CLOCK_BEHIND_MS : 0);
}

/**
 * The allowed worst case: the limit, or the value after the void of a bet that had hedged others, until it improves
 * again. For a while after each change the daemon may not know of it and uses its earlier knowledge.
 */
class Allowance {
  readonly #limitMicros: number;
  readonly #unawareMs: number;
  #leastMicros: number;
  #unawareUntilMs = -Infinity;

  /** `limitMicros` is the allowed loss; `unawareMs` is how long a void may be unknown. */
  constructor(limitMicros: number, unawareMs: number) {
    [this.#limitMicros, this.#unawareMs] = [limitMicros, unawareMs];
    this.#leastMicros = 0 - limitMicros;
  }

  /** Whether a worst case at this instant is allowed. `takenBack`: a bet was voided since the last check. */
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

/** The allowances of everything under the same limit, by name. */
export class Allowances {
  readonly #byName = new Map<string, Allowance>();
  readonly #limitMicros: number;
  readonly #unawareMs: number;

  constructor(plan: SimPlan) {
    this.#limitMicros = plan.daemon.eventLimitUsdt * MICROS;
    this.#unawareMs = knownAfterMs(plan);
  }

  /** Whether this name may reach `worstMicros` at this instant. `takenBack`: a bet was voided since the last check. */
  take(name: string, worstMicros: number, takenBack: boolean, nowMs: number): boolean {
    const known = this.#byName.get(name) ?? new Allowance(this.#limitMicros, this.#unawareMs);
    this.#byName.set(name, known);
    return known.takes(worstMicros, takenBack, nowMs);
  }
}
