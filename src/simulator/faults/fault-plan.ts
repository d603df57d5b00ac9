import { DAY_MS } from '../../lib/time.ts';
import type { Tuning } from '../core/api.ts';
import { EntryFaults, type FrameStep, FrozenQuotes, isEntryFault } from './entries.ts';
import { isRequestFault, ofOwn, type RequestPlan, UNHARMED, withPrices, worsen } from './request-plan.ts';
import type { Fault, FaultKind, FaultOf } from './schema.ts';
import { coversRequest, type RequestName } from './targets.ts';
import { arm, type Armed, type Due, happens, isAction, isActive, isPending, Timeline } from './timeline.ts';

/** The fate of one handshake. */
export type UpgradePlan =
  | { readonly kind: 'pass' }
  | { readonly kind: 'reset' | 'stalled' }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string };

/** An added fault, as people and tests see it. */
export interface FaultReport {
  readonly id: number;
  readonly fault: Fault;
  readonly active: boolean;
  readonly matched: number;
  readonly reached: number;
}

/** Conditions that last while faults are active. */
export interface FaultState {
  /** All connections are refused. */
  readonly networkDown: boolean;
  readonly tuning: Tuning;
}

/** The active faults of an interval in which no fault begins or ends. */
interface ActiveFaults {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly armed: readonly Armed[];
}

const isState = (fault: Fault): boolean => isTuning(fault) || fault.fault === 'connect_refused';

/** Bodies of handshake refusals (specification). */
const REFUSALS: Readonly<Record<number, string>> = { 400: 'missing_credentials', 401: 'auth_rejected' };

/**
 * Decides where faults happen, and carries out nothing itself. The same faults, seed and sequence of calls give the same
 * decisions: the plan reads no clock and no other randomness. Instants are the exchange's, in milliseconds since the
 * epoch.
 */
export class FaultPlan {
  readonly #seed: number;
  readonly #timeline = new Timeline();
  readonly #frozen = new FrozenQuotes();
  readonly #entries = new EntryFaults(this.#frozen);
  #armed: Armed[] = [];
  /** Cached, because few of a day's thousands of faults are active. Null when it must be computed again. */
  #active: ActiveFaults | null = null;
  readonly #removed: Armed[] = [];
  /** State faults that did not happen when their window began. */
  readonly #skippedStates = new Set<Armed>();
  #lastId = 0;

  constructor(seed = 1) {
    this.#seed = seed;
  }

  /** Adds a fault and returns its id. A relative `at` counts from `nowMs`. */
  add(fault: Fault, nowMs: number): number {
    const armed = arm(++this.#lastId, fault, this.#seed, nowMs);
    this.#armed.push(armed);
    this.#active = null;
    if (isAction(fault) || isState(fault)) this.#timeline.add(armed);
    return armed.id;
  }

  /** Ends a fault and returns it; null when no fault has this id. */
  remove(id: number): Armed | null {
    const removed = this.#armed.find((armed) => armed.id === id);
    if (removed === undefined) return null;
    this.#removed.push(removed);
    this.#armed = this.#armed.filter((armed) => armed.id !== id);
    this.#active = null;
    this.#timeline.remove(id);
    return removed;
  }

  list(nowMs: number): readonly FaultReport[] {
    return this.#armed.map((armed) => {
      const { id, fault, matched, reached } = armed;
      return { id, fault, active: isActive(armed, nowMs), matched, reached };
    });
  }

  /** How often each kind of fault has happened, removed faults included. */
  reached(): Readonly<Partial<Record<FaultKind, number>>> {
    const counts: Partial<Record<FaultKind, number>> = {};
    for (const { fault, reached } of [...this.#removed, ...this.#armed]) {
      counts[fault.fault] = (counts[fault.fault] ?? 0) + reached;
    }
    return counts;
  }

  planRequest(name: RequestName, nowMs: number): RequestPlan {
    let plan = UNHARMED;
    for (const armed of this.#activeAt(nowMs))
      if (isPending(armed, nowMs)) plan = this.#worsenRequest(plan, armed, name, nowMs);
    return plan;
  }

  planUpgrade(nowMs: number): UpgradePlan {
    const armed = this.#activeAt(nowMs).find(
      (one) => one.fault.target === 'handshake' && happens(one, nowMs),
    );
    return armed === undefined ? { kind: 'pass' } : upgradePlan(armed.fault);
  }

  /** The error code with which a client's command fails; null when the command passes. */
  planCommand(nowMs: number): string | null {
    for (const armed of this.#activeAt(nowMs)) {
      if (armed.fault.fault === 'command_fails' && happens(armed, nowMs)) return armed.fault.code;
    }
    return null;
  }

  /** Returns the frames to send in place of a frame; null when it passes as it is. */
  planFrame(connection: number, text: string, nowMs: number): readonly FrameStep[] | null {
    const armed = this.#activeAt(nowMs).filter((one) => isPending(one, nowMs) && isEntryFault(one.fault));
    if (armed.length === 0 && !this.#entries.holds(connection)) return null;
    return this.#entries.apply(armed, connection, text, nowMs);
  }

  /** Forgets a connection that has ended. */
  forget(connection: number): void {
    this.#entries.forget(connection);
  }

  /** The conditions that the active faults impose now. */
  state(nowMs: number): FaultState {
    const active = this.#activeAt(nowMs)
      .filter((armed) => !this.#skippedStates.has(armed))
      .map(({ fault }) => fault);
    return {
      networkDown: active.some(({ fault }) => fault === 'connect_refused'),
      tuning: tuningOf(active.filter(isTuning)),
    };
  }

  /** The next instant at which an action is due, or a state begins or ends. */
  nextDueMs(): number | null {
    return this.#timeline.nextMs();
  }

  /** Takes the next due step that does happen; null when there is none. */
  take(nowMs: number): Due | null {
    for (let due = this.#timeline.take(nowMs); due !== null; due = this.#timeline.take(nowMs)) {
      if (due.phase === 'end' || this.#begins(due)) return due;
      if (isState(due.armed.fault)) this.#skippedStates.add(due.armed);
    }
    return null;
  }

  /** Whether the step happens. Its repetition depends on that count, and is scheduled after it. */
  #begins(due: Due): boolean {
    const isReached = happens(due.armed, due.atMs);
    this.#timeline.repeat(due);
    return isReached;
  }

  #activeAt(nowMs: number): readonly Armed[] {
    const known = this.#active;
    if (known !== null && known.fromMs <= nowMs && nowMs < known.untilMs) return known.armed;
    this.#active = activeAt(this.#armed, nowMs);
    return this.#active.armed;
  }

  #worsenRequest(plan: RequestPlan, armed: Armed, name: RequestName, nowMs: number): RequestPlan {
    const { fault } = armed;
    if (fault.target === 'betslips') {
      return name === 'betslips.get' ? this.#rewriteQuote(plan, armed, nowMs) : plan;
    }
    if (!isRequestFault(fault) || !coversRequest(fault.target, name) || !happens(armed, nowMs)) return plan;
    return worsen(plan, fault, `fault-${armed.id}-${armed.reached}`);
  }

  /** A betslip that is read shows the same quote as the stream. */
  #rewriteQuote(plan: RequestPlan, armed: Armed, nowMs: number): RequestPlan {
    if (!happens(armed, nowMs)) return plan;
    const never = armed.fault.fault === 'quote_never';
    const change = (betslip: Readonly<Record<string, unknown>>): object =>
      never ? { price_list: [], total: null } : this.#frozen.freeze(betslip);
    const rewrite = ofOwn((own) => withPrices(own, change));
    return { ...plan, rewrites: [...plan.rewrites, rewrite] };
  }
}

function activeAt(all: readonly Armed[], nowMs: number): ActiveFaults {
  const edgesMs = all.flatMap(({ fromMs, untilMs }) => (untilMs === null ? [fromMs] : [fromMs, untilMs]));
  return {
    fromMs: edgesMs.reduce((latest, ms) => (ms <= nowMs ? Math.max(latest, ms) : latest), -Infinity),
    untilMs: edgesMs.reduce((next, ms) => (ms > nowMs ? Math.min(next, ms) : next), Infinity),
    armed: all.filter((each) => isActive(each, nowMs)),
  };
}

function upgradePlan(fault: Fault): UpgradePlan {
  if (fault.fault === 'upgrade_reset') return { kind: 'reset' };
  if (fault.fault === 'upgrade_stall') return { kind: 'stalled' };
  const { status, body } = fault as FaultOf<'refused_upgrade'>;
  return { kind: 'refused', status, body: body ?? REFUSALS[status] ?? 'unavailable' };
}

/** A delay that is longer than any run. */
const FOREVER_MS = 100 * 365 * DAY_MS;

const TUNINGS: { readonly [K in FaultKind]?: (fault: FaultOf<K>) => Tuning } = {
  fill_after_close: (fault) => ({ closeLatencyMs: fault.delay_ms }),
  placement_delayed: (fault) => ({ placementDelayMs: [fault.delay_ms, fault.delay_ms] }),
  pending_forever: () => ({ pendingMs: FOREVER_MS }),
  bets_in_danger: (fault) => ({ dangerMs: fault.delay_ms, dangerEnds: fault.ends }),
  betslip_cap: (fault) => ({ openBetslipCap: fault.cap }),
  betslips_short_lived: (fault) => ({ betslipLifetimeMs: fault.life_s * 1000 }),
  results_in_turn: (fault) => ({ resultsMs: fault.over_s * 1000 }),
  events_told_once: () => ({ eventsLater: false }),
  tracked_forgotten: (fault) => ({ trackedLookupMs: fault.after_s * 1000 }),
  quotes_late: (fault) => ({ quoteDelayMs: fault.delay_ms }),
  prices_change: (fault) => ({ priceConvention: fault.against_prices }),
};

/** Whether a fault changes how the exchange works while it is active. */
function isTuning(fault: Fault): boolean {
  return fault.fault in TUNINGS;
}

/** The settings that these faults impose; a later fault overrides an earlier one. */
function tuningOf(faults: readonly Fault[]): Tuning {
  const tunings = faults.map((fault) => (TUNINGS[fault.fault] as (fault: Fault) => Tuning)(fault));
  return Object.assign({}, ...tunings) as Tuning;
}
