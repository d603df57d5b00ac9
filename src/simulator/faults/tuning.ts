import { DAY_MS } from '../../lib/time.ts';
import type { Tuning } from '../core/api.ts';
import type { Fault, FaultKind, FaultOf } from './schema.ts';

/** A delay that is longer than any run. */
const FOREVER_MS = 100 * 365 * DAY_MS;

type Tunings = { readonly [K in FaultKind]?: (fault: FaultOf<K>) => Tuning };

const TUNINGS: Tunings = {
  fill_after_close: (fault) => ({ closeLatencyMs: fault.delay_ms }),
  placement_delayed: (fault) => ({ placementDelayMs: [fault.delay_ms, fault.delay_ms] }),
  pending_forever: () => ({ pendingMs: FOREVER_MS }),
  bets_in_danger: (fault) => ({ dangerMs: fault.delay_ms, dangerEnds: fault.ends }),
  betslip_cap: (fault) => ({ openBetslipCap: fault.cap }),
  betslips_short_lived: (fault) => ({ betslipLifetimeMs: fault.life_s * 1000 }),
  results_in_turn: (fault) => ({ resultsMs: fault.over_s * 1000 }),
  events_told_once: () => ({ eventsLater: false }),
  quotes_late: (fault) => ({ quoteDelayMs: fault.delay_ms }),
};

/** Whether a fault changes how the exchange works while it is active. */
export function isTuning(fault: Fault): boolean {
  return fault.fault in TUNINGS;
}

/** The settings that these faults impose; a later fault overrides an earlier one. */
export function tuningOf(faults: readonly Fault[]): Tuning {
  const tunings = faults.map((fault) => (TUNINGS[fault.fault] as (fault: Fault) => Tuning)(fault));
  return Object.assign({}, ...tunings) as Tuning;
}
