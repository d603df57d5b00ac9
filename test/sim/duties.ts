import type { OwnOrder } from './exchange-orders.ts';
import type { SimPlan } from './plan.ts';
import type { Received } from './received.ts';
import { traitsOf } from './traits.ts';
import type { Unclosed } from './failed-closing.ts';
import type { Witness } from './witness.ts';

/**
 * The duties of the present run towards the exchange, judged by what crossed its border. Times are monotonic
 * milliseconds.
 */
export interface DutyFacts {
  readonly nowMs: number;
  readonly received: Received;
  readonly witness: Witness;
  /** Recovery is done. Until then a run has only the duties that a person's command gives it. */
  readonly hasStarted: boolean;
  /** Since when the run has started, or is up. */
  readonly startedMs: number;
  /** Open orders of ours at the exchange. */
  readonly open: readonly OwnOrder[];
  /** The exchange's monotonic instant of an order's creation. */
  readonly createdMs: (order: OwnOrder) => number;
  /** The quote that an order serves, by its journal record. */
  readonly keyOf: (order: OwnOrder) => string | null;
  readonly isBooked: (betId: number) => boolean;
  readonly killedSinceMs: number | null;
  readonly wedgedSinceMs: number | null;
  readonly unclosed: Unclosed;
  readonly journalFailed: () => boolean;
  /** The run was asked to stop. */
  readonly isEnding: boolean;
}

type Broken = Generator<readonly [invariant: string, seen: string]>;

/** An engine that makes no progress for this long hangs. */
export const WEDGED_MS = 10_000;
/** The time between receiving something and its consequence. */
const PROMPT_MS = 2_000;
/** The order manager checks at least this often whether the engine makes progress. */
const SWEEP_MS = 1_000;
/** A quote may be left to lapse when its remaining life is at most this. */
const LAPSING_MS = 4_000;
/** Orders of an earlier run are left alone as long as a target may still want them. */
const ADOPTION_MS = 13_000;
/** Prices older than 15 s are not quoted on. The engine checks once a second. */
const STALE_MS = 17_000;
const REFRESHED_BY = 0.5;
/** A hanging request is given up, and those before it in the queue are released. */
const STUCK_MS = 8_000;
const QUIET_MS = 10_000;
/** For this long after a 429, only the most urgent requests may get through. */
const THROTTLED_MS = 30_000;
/** The allowed number of refusals until the cap of open betslips is learned, and the time over which they count. */
const [MOST_REFUSALS, REFUSALS_MS] = [12, 20_000];

/** Judges what must have been done by now. A stalled loop has no duties until it has had time to catch up. */
export function* brokenDuties(facts: DutyFacts, plan: SimPlan): Broken {
  if (isStalled(plan, facts.nowMs)) return;
  if (!facts.hasStarted) return yield* closedAfterKill(facts);
  yield* receivedBetsAreBooked(facts);
  yield* replacedAreClosed(facts);
  yield* closedAtOnce(facts);
  yield* refreshRuns(facts, plan);
  yield* capIsLearned(facts, plan);
  yield* noneRestsOnOldData(facts);
  yield* noBetslipLeaks(facts, plan);
}

/** Whether the loop is stalled, or was until just now. */
export function isStalled(plan: SimPlan, nowMs: number): boolean {
  return traitsOf(plan).stalls.some(
    ({ atS, forS }) => nowMs > atS * 1000 && nowMs < (atS + forS) * 1000 + STUCK_MS,
  );
}

/** 8, 27: no bet that the stream reports is dropped. */
function* receivedBetsAreBooked({ received, nowMs, startedMs, isBooked, journalFailed }: DutyFacts): Broken {
  if (received.bets.size === 0 || journalFailed()) return;
  for (const [betId, { orderId, atMs }] of received.bets) {
    const knownMs = Math.max(atMs, received.orders.get(orderId) ?? Infinity);
    if (atMs < startedMs || nowMs < knownMs + PROMPT_MS) continue;
    if (!isBooked(betId)) yield ['27 entries dropped', `bet ${betId} was told at ${atMs / 1000} s`];
    received.bets.delete(betId);
  }
}

/** 1, 10: all orders that serve one quote except one were closed, unless they are about to lapse. */
function* replacedAreClosed(facts: DutyFacts): Broken {
  if (facts.open.length < 2) return;
  const byKey = Map.groupBy(facts.open, facts.keyOf);
  for (const [key, orders] of byKey) {
    if (key === null || orders.length < 2) continue;
    const staying = orders.filter((order) => stays(order, facts));
    const sinceMs = Math.max(...orders.map((order) => facts.received.orders.get(order.orderId) ?? Infinity));
    const dueMs = Math.max(sinceMs, facts.startedMs + ADOPTION_MS) + PROMPT_MS;
    if (staying.length > 1 && facts.nowMs > dueMs)
      yield ['10 replaced and not closed', `orders ${staying.map(({ orderId }) => orderId).join(' ')}`];
  }
}

const stays = (order: OwnOrder, { received, createdMs, nowMs }: DutyFacts): boolean => {
  const lapsesMs = createdMs(order) + order.expiryMs - order.createdMs;
  return !received.closes.has(order.orderId) && lapsesMs - nowMs > LAPSING_MS;
};

/** 14, 19, 20: closes leave at once, whatever else is the matter, on a person's word and when the engine hangs. */
function* closedAtOnce(facts: DutyFacts): Broken {
  const { wedgedSinceMs } = facts;
  yield* closedAfterKill(facts);
  if (wedgedSinceMs !== null)
    yield* closesAfterStop(facts, '14 closes when hung', wedgedSinceMs + WEDGED_MS + SWEEP_MS);
}

function* closedAfterKill(facts: DutyFacts): Broken {
  if (facts.killedSinceMs !== null) yield* closesAfterStop(facts, '19 closes at once', facts.killedSinceMs);
}

function* closesAfterStop(
  { open, received, startedMs, nowMs }: DutyFacts,
  invariant: string,
  sinceMs: number,
): Broken {
  for (const { orderId } of open) {
    const knownMs = Math.max(sinceMs, startedMs, received.orders.get(orderId) ?? Infinity);
    if (nowMs > knownMs + PROMPT_MS && !received.closes.has(orderId))
      yield [invariant, `order ${orderId} was not told to close`];
  }
}

/**
 * 12, 14: the heartbeat is refreshed while the engine makes progress and the stream is trusted. A kill that cannot
 * close orders that may be open does not let it expire.
 */
function* refreshRuns(facts: DutyFacts, plan: SimPlan): Broken {
  const { received, nowMs, startedMs, witness, wedgedSinceMs, unclosed, journalFailed, isEnding } = facts;
  // A run that cannot journal a heartbeat request, or ends before it, has no heartbeat and places nothing.
  if (received.heartbeatSentMs === -Infinity && (isEnding || journalFailed())) return;
  // Without a key it is left to expire.
  if (received.keyRefusedMs !== null) return;
  const isUp = witness.streamDownSinceMs === null && received.syncedMs !== -Infinity;
  const isTrusted = isUp && nowMs - received.lastReceivedMs < QUIET_MS;
  const hasLetGo = received.hasLetGo || (isEnding && received.mayHaveLetGo);
  if (wedgedSinceMs !== null || !isTrusted || hasLetGo || unclosed.isFailed(nowMs)) return;
  const askedMs = Math.max(received.heartbeatSentMs, received.heartbeatSoughtMs);
  const sinceMs = Math.max(askedMs, startedMs, received.syncedMs, unclosed.overMs, received.keyTriedMs);
  const limitMs = plan.daemon.heartbeatS * 1000 * REFRESHED_BY + STUCK_MS;
  if (nowMs - sinceMs > limitMs)
    yield ['14 the refresh runs', `no refresh left for ${(nowMs - sinceMs) / 1000} s`];
}

/** 22: the cap of open betslips is learned from refusals. */
function* capIsLearned({ received, nowMs }: DutyFacts, plan: SimPlan): Broken {
  if (received.capRefusals.length <= MOST_REFUSALS) return;
  const recent = received.capRefusals.filter(({ atMs }) => atMs > nowMs - REFUSALS_MS);
  // Where there is no place at all, every request in flight before the first refusal arrives is refused.
  const placeless = recent.filter(({ atMs }) => hasNoPlaces(plan, atMs));
  const firstRefusedMs = placeless[0]?.atMs ?? Infinity;
  const inFlight = placeless.slice(1).filter(({ sentMs }) => sentMs < firstRefusedMs).length;
  const refused = recent.length - inFlight;
  if (refused > MOST_REFUSALS)
    yield ['22 the cap is learned', `${refused} betslips refused in ${REFUSALS_MS / 1000} s`];
}

const hasNoPlaces = (plan: SimPlan, atMs: number): boolean =>
  traitsOf(plan).noPlacesS.some(([fromS, untilS]) => atMs >= fromS * 1000 && atMs < untilS * 1000 + STUCK_MS);

/** 17: no quote rests on prices older than the staleness limit. */
function* noneRestsOnOldData({ open, received, nowMs, startedMs }: DutyFacts): Broken {
  for (const order of open) {
    const { orderId } = order;
    const knownMs = Math.max(startedMs + ADOPTION_MS, received.orders.get(orderId) ?? Infinity);
    const ageMs = nowMs - Math.max(received.pricedMs(order), startedMs);
    if (nowMs > knownMs + PROMPT_MS && ageMs > STALE_MS + PROMPT_MS && !received.closes.has(orderId))
      yield ['17 rests on old data', `order ${orderId} on prices ${ageMs / 1000} s old`];
  }
}

/** 22: an unwanted betslip is deleted, not left to expire. */
function* noBetslipLeaks({ received, nowMs }: DutyFacts, plan: SimPlan): Broken {
  if (traitsOf(plan).endsBetslips) return;
  for (const [betslipId, endsMs] of received.betslips)
    if (nowMs >= endsMs) yield* endedBetslip(betslipId, endsMs, received, plan);
  for (const [betslipId, atMs] of received.lapsed) yield* endedBetslip(betslipId, atMs, received, plan);
  received.lapsed.clear();
}

function* endedBetslip(betslipId: string, atMs: number, received: Received, plan: SimPlan): Broken {
  received.betslips.delete(betslipId);
  // A throttled run sends closes first.
  if (isStalled(plan, atMs) || atMs < received.throttledMs + THROTTLED_MS) return;
  // Without a key nothing is refreshed or deleted.
  if (received.keyRefusedMs !== null || atMs < received.keyTriedMs + PROMPT_MS) return;
  yield ['22 betslips leak', `betslip ${betslipId} was neither refreshed nor deleted`];
}

/** Whether an engine that hangs must no longer refresh its heartbeat. */
export const isHung = (wedgedSinceMs: number | null, nowMs: number): boolean =>
  nowMs - (wedgedSinceMs ?? nowMs) > WEDGED_MS + PROMPT_MS;
