/**
 * The answer of the order manager's `reconcile` while one order at most could serve each quote, as it is almost always. It makes none of
 * the objects that `reconcile` needs, so that a backtest can plan after each decision.
 */
import { type QuoteIntent, intentKey } from '../../../domain/quote-intent.ts';
import { isBetter, SELECTION_KINDS } from '../../../domain/odds.ts';
import { haveSameMatching, modeOf } from '../../../domain/orders.ts';
import type { SelectionId } from '../../../domain/ids.ts';
import type { OwnOrder } from '../exchange/own-order.ts';
import type { FastSettings } from '../settings.ts';

export interface Plan {
  readonly close: readonly OwnOrder[];
  readonly place: readonly QuoteIntent[];
  /** A wanted quote has to wait for another order. */
  readonly isWaiting: boolean;
}

/** Lists are made when they get their first entry: most plans change nothing. */
interface Draft {
  close: readonly OwnOrder[];
  place: readonly QuoteIntent[];
  isWaiting: boolean;
  /** How many orders belong to a wanted quote. */
  known: number;
}

export interface PlanInput {
  readonly wanted: readonly QuoteIntent[];
  /** Orders that we hold for open, by the position of their selection. */
  readonly held: readonly (readonly OwnOrder[])[];
  readonly heldCount: number;
  readonly positions: ReadonlyMap<SelectionId, number>;
  readonly settings: FastSettings;
  readonly nowMs: number;
}

const NO_ORDERS: readonly OwnOrder[] = [];
const NO_QUOTES: readonly QuoteIntent[] = [];

/** Null in the rare cases that `reconcile` has to answer. */
export function usualPlan(input: PlanInput): Plan | null {
  if (input.settings.replacement !== 'place-first') return null;
  const plan: Draft = { close: NO_ORDERS, place: NO_QUOTES, isWaiting: false, known: 0 };
  for (const intent of input.wanted)
    if (intent.take !== undefined || !planQuote(intent, plan, input)) return null;
  if (plan.known < input.heldCount) planUnwanted(plan, input);
  return plan;
}

/** The orders of one quote. */
interface Served {
  /** An order serves the quote and stays. */
  isServed: boolean;
  /** An order fits the quote, and lapses soon. */
  lapsing: OwnOrder | null;
  isUnresolved: boolean;
  others: number;
}

/** Returns false if several orders could serve the quote. */
function planQuote(intent: QuoteIntent, plan: Draft, input: PlanInput): boolean {
  const served: Served = { isServed: false, lapsing: null, isUnresolved: false, others: 0 };
  for (const order of input.held[input.positions.get(intent.selectionId) ?? -1] ?? []) {
    if (order.direction !== intent.direction || order.level !== intent.level) continue;
    if (order.take !== undefined) continue;
    plan.known++;
    if (!planOrder(order, intent, { plan, served, input })) return false;
  }
  if (served.isServed) {
    // An order that lapses soon goes once another one serves its quote.
    if (served.lapsing !== null) plan.close = [...plan.close, served.lapsing];
  } else if (served.isUnresolved || served.others > 1) plan.isWaiting = true;
  else plan.place = [...plan.place, intent];
  return true;
}

interface Planning {
  readonly plan: Draft;
  readonly served: Served;
  readonly input: PlanInput;
}

function planOrder(order: OwnOrder, intent: QuoteIntent, { plan, served, input }: Planning): boolean {
  const { nowMs, settings } = input;
  if (order.closeWanted) {
    served.others++;
    return true;
  }
  if (nowMs < order.answeredMs) served.isUnresolved = true;
  const fits = isFit(order, intent, settings);
  if (fits && order.expiryMs - nowMs > settings.renewLeadMs) {
    const isOnly = !served.isServed;
    served.isServed = true;
    return isOnly;
  }
  served.others++;
  if (!fits) plan.close = [...plan.close, order];
  else if (served.lapsing !== null) return false;
  else served.lapsing = order;
  return true;
}

/** Whether an order asks for what its quote does beside price and stake. */
const asksAlike = (order: OwnOrder, intent: QuoteIntent): boolean =>
  order.mode === modeOf(intent) && haveSameMatching(order.matching, intent);

/** As in `reconcile`. */
function isFit(order: OwnOrder, intent: QuoteIntent, settings: FastSettings): boolean {
  if (!asksAlike(order, intent)) return false;
  const unfilledMicros = order.stakeMicros - order.knownFilledMicros;
  if (unfilledMicros < intent.stakeMicros * settings.minStakeRatio) return false;
  if (unfilledMicros > intent.stakeMicros * settings.maxStakeRatio) return false;
  const away = isBetter(SELECTION_KINDS[intent.direction], order.tick, intent.tick);
  const tolerance = away ? settings.toleranceAwayTicks : settings.toleranceTowardTicks;
  return Math.abs(order.tick - intent.tick) <= tolerance;
}

/** Closes the orders that no quote wants, before all others. */
function planUnwanted(plan: Draft, { wanted, held }: PlanInput): void {
  const keys = new Set(wanted.map(intentKey));
  plan.close = [...held.flat().filter((order) => !order.closeWanted && !keys.has(order.key)), ...plan.close];
}
