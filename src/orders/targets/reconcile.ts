import type { RequestUuid } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/ladder.ts';
import { isBetter, type PriceKind } from '../../domain/odds.ts';
import { type ExchangeMode, haveSameMatching, type MatchingTerms, modeOf } from '../../domain/orders.ts';
import { intentKey, type IntentKey, kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import type { OrderOptions } from '../options.ts';
import { blockedBy, type Obstacle } from '../send-gate.ts';

/** An order of ours that has not ended, reduced to the facts that reconciliation uses. */
export interface HeldOrder {
  readonly uuid: RequestUuid;
  readonly key: IntentKey | null;
  readonly state: OrderState;
  /** What `tick` and `unfilledMicros` are. */
  readonly priceKind: PriceKind;
  readonly tick: Tick;
  readonly mode: ExchangeMode;
  /** What it asks for beside price and stake. Absent: nothing. */
  readonly matching?: MatchingTerms;
  readonly unfilledMicros: Micros;
  /** Milliseconds until the order lapses by itself; Infinity when it was not sent yet. */
  readonly lapsesInMs: number;
  /** The order is to be closed already. */
  readonly closeWanted: boolean;
}

export type ReconcilePolicy = Pick<
  OrderOptions,
  | 'replacement'
  | 'renewLeadMs'
  | 'toleranceAwayTicks'
  | 'toleranceTowardTicks'
  | 'minStakeRatio'
  | 'maxStakeRatio'
>;

export interface Placing {
  readonly key: IntentKey;
  readonly intent: QuoteIntent;
}

/** A wanted quote that has no order now, and the reason. */
export interface WaitingQuote extends Obstacle {
  readonly key: IntentKey;
  readonly intent: QuoteIntent;
}

/**
 * The result of reconciliation. A held order that is not in `close` is kept. Each wanted quote is in `place`
 * or `waiting`, or is served by a kept order.
 */
export interface Plan {
  readonly close: readonly RequestUuid[];
  readonly place: readonly Placing[];
  readonly waiting: readonly WaitingQuote[];
}

interface Draft {
  close: RequestUuid[];
  place: Placing[];
  waiting: WaitingQuote[];
}

/** The input of a plan for an event: its open orders and the policy. */
export interface PlanBasis {
  readonly held: readonly HeldOrder[];
  readonly policy: ReconcilePolicy;
}

/** Returns what the order manager would do at once to get these quotes on an event, ignoring budgets and the gate. */
export const planFor = (quotes: readonly QuoteIntent[], { held, policy }: PlanBasis): Plan =>
  reconcile(byKey(quotes), held, policy);

/** Quotes by intent key. */
export const byKey = (quotes: readonly QuoteIntent[]): ReadonlyMap<IntentKey, QuoteIntent> =>
  new Map(quotes.map((quote) => [intentKey(quote), quote]));

/**
 * Compares the wanted quotes of one event with its open orders. Pure.
 *
 * At most one order per intent is open or placed, besides orders that lapse within the renewal lead or are
 * being closed. At most one such older generation exists. The order of a take is never replaced or renewed.
 */
export function reconcile(
  wanted: ReadonlyMap<IntentKey, QuoteIntent>,
  held: readonly HeldOrder[],
  policy: ReconcilePolicy,
): Plan {
  const draft: Draft = { close: [], place: [], waiting: [] };
  const groups = groupByKey(held);
  for (const [key, orders] of groups) {
    if (key === null || !wanted.has(key)) closeAll(orders, draft);
  }
  for (const [key, intent] of wanted) {
    const orders = groups.get(key) ?? [];
    if (intent.take !== undefined) planTake(key, intent, orders, draft);
    else planIntent(key, intent, orders, policy, draft);
  }
  return draft;
}

/** While an order of the take exists, nothing else is placed for it. Afterwards the gate knows that its id is spent. */
function planTake(key: IntentKey, intent: QuoteIntent, orders: readonly HeldOrder[], draft: Draft): void {
  if (orders.length === 0) draft.place.push({ key, intent });
  else if (orders.every(isGoing)) draft.waiting.push({ key, intent, ...blockedBy('replacing') });
}

function groupByKey(held: readonly HeldOrder[]): Map<IntentKey | null, HeldOrder[]> {
  const groups = new Map<IntentKey | null, HeldOrder[]>();
  for (const order of held) {
    const group = groups.get(order.key);
    if (group === undefined) groups.set(order.key, [order]);
    else group.push(order);
  }
  return groups;
}

function closeAll(orders: readonly HeldOrder[], draft: Draft): void {
  for (const order of orders) if (!isGoing(order)) draft.close.push(order.uuid);
}

const isGoing = (order: HeldOrder): boolean => order.closeWanted || order.state === 'closing';

function planIntent(
  key: IntentKey,
  intent: QuoteIntent,
  orders: readonly HeldOrder[],
  policy: ReconcilePolicy,
  draft: Draft,
): void {
  let current: HeldOrder | null = null;
  let older = 0;
  const newest = newestFirst(orders);
  for (const order of newest) {
    const serves = current === null && !isGoing(order) && fits(order, intent, policy);
    const lapsing = order.lapsesInMs <= policy.renewLeadMs;
    if (serves && !lapsing) current = order;
    else older++;
    if (!serves && !isGoing(order)) draft.close.push(order.uuid);
  }
  if (current === null) planPlacing(key, intent, newest, older, policy, draft);
}

function planPlacing(
  key: IntentKey,
  intent: QuoteIntent,
  orders: readonly HeldOrder[],
  older: number,
  policy: ReconcilePolicy,
  draft: Draft,
): void {
  const unresolved = orders.some((order) => UNRESOLVED.includes(order.state));
  const code = unresolved
    ? 'outcome_unknown'
    : older > 1 || (older === 1 && policy.replacement === 'close-first')
      ? 'replacing'
      : null;
  if (code !== null) draft.waiting.push({ key, intent, ...blockedBy(code) });
  else draft.place.push({ key, intent });
}

/** An order of unknown outcome blocks its intent: a second order could double it. */
const UNRESOLVED: readonly OrderState[] = ['prepared', 'sending', 'unknown'];

const newestFirst = (orders: readonly HeldOrder[]): readonly HeldOrder[] =>
  orders.length < 2 ? orders : [...orders].sort((a, b) => b.lapsesInMs - a.lapsesInMs);

const NO_TERMS: MatchingTerms = {};

/** Returns whether the order is close enough to its intent to keep its place in the queue. */
function fits(order: HeldOrder, intent: QuoteIntent, policy: ReconcilePolicy): boolean {
  const kind = kindOfIntent(intent);
  // Ticks and stakes of different kinds cannot be compared.
  if (order.priceKind !== kind || order.mode !== modeOf(intent)) return false;
  if (!haveSameMatching(order.matching ?? NO_TERMS, intent)) return false;
  const least = intent.stakeMicros * policy.minStakeRatio;
  const most = intent.stakeMicros * policy.maxStakeRatio;
  if (order.unfilledMicros < least || order.unfilledMicros > most) return false;
  const distance = Math.abs(order.tick - intent.tick);
  const away = isBetter(kind, order.tick, intent.tick);
  return distance <= (away ? policy.toleranceAwayTicks : policy.toleranceTowardTicks);
}
