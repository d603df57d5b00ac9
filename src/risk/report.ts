import { type EventName, isSameEvent } from '../domain/events.ts';
import type { BetType, SelectionId } from '../domain/ids.ts';
import { type Micros, toMicros } from '../domain/money.ts';
import type { PriceKind } from '../domain/odds.ts';
import { GRID_SIZE } from '../domain/payoff.ts';
import type { Direction } from '../domain/selection.ts';
import type { ExposureBook, ScopeKind } from './exposure/book.ts';
import type { EventBets, Exposure } from './exposure/event-bets.ts';
import { payoffIn } from './exposure/groups.ts';
import type { ExposedOrder } from './exposure/exposed-order.ts';
import type { OrderTracker } from './exposure/tracker.ts';
import type { RiskLimits } from './limits/limits.ts';

/** Amounts are micros; a worst case is a profit, at most 0; gross is the sum of what each bet or order could lose, at least 0. */
export interface ExposureReport {
  readonly account: AccountExposure;
  readonly scopes: readonly ScopeExposure[];
  readonly events: readonly EventExposure[];
}

/** The exposure of the whole account; `openMicros` is the stake of all orders that may still be matched. */
export interface AccountExposure extends Exposure {
  readonly openOrders: number;
  readonly openMicros: Micros;
}

/** An event with bets that are not settled. */
export interface HeldEvent extends EventName {
  /** The least profit of these bets over the outcomes of the event. Above 0 if a gain is certain in every final score. */
  readonly leastMicros: Micros;
}

/** What the bets and orders of an event can pay. */
export interface EventRisk {
  /** The least, every open order counted as matched where that is worse; at most 0. */
  readonly worstMicros: Micros;
  /**
   * What held bets pay in each final score, row by row (index home × 20 + away): null for a score that can no longer be. Null altogether if no bet
   * is in the grid.
   */
  readonly cells: readonly (Micros | null)[] | null;
  /** The least that the held bets pay that no score decides. */
  readonly besidesMicros: Micros;
  /** The limit on the worst case of an event. */
  readonly limitMicros: Micros;
}

export interface ScopeExposure extends Exposure {
  readonly kind: ScopeKind;
  readonly name: string;
}

export interface EventExposure extends EventName, Exposure {
  readonly openOrders: number;
  /** The final score with the worst result for the account; null when no score decides. */
  readonly worstScore: { readonly home: number; readonly away: number } | null;
  readonly selections: readonly { readonly selectionId: SelectionId; readonly worstMicros: Micros }[];
  /** Bet types that count separately, because their link to other bet types is not known. */
  readonly offGrid: readonly BetType[];
}

/** The exposure now, for people and metrics. */
export function reportExposure(book: ExposureBook, tracker: OrderTracker): ExposureReport {
  const open = tracker.open();
  return {
    account: accountExposure(book, tracker),
    scopes: book.wider(),
    events: book.events().map((event) => reportEvent(event, open)),
  };
}

/** The account's part alone. It needs no pass over the events. */
export function accountExposure(book: ExposureBook, tracker: OrderTracker): AccountExposure {
  return { ...book.account(), openOrders: tracker.openCount, openMicros: tracker.openStakeMicros() };
}

/** Events with held bets. Open orders count nowhere here. */
export const heldEvents = (book: ExposureBook): readonly HeldEvent[] =>
  book
    .events()
    .filter((bets) => bets.isHeld())
    .map((bets) => ({ ...bets.event, leastMicros: bets.least() }));

/** Null for an event without bets and orders. */
export function eventRisk(
  book: ExposureBook,
  event: EventName,
  { worstCase }: Pick<RiskLimits, 'worstCase'>,
): EventRisk | null {
  const bets = book.event(event);
  if (bets === null) return null;
  const onGrid = bets.scoreGroup();
  return {
    worstMicros: bets.worst(),
    cells: onGrid?.heldIfReached() ?? null,
    besidesMicros: bets.least() - (onGrid?.least() ?? 0),
    limitMicros: toMicros(worstCase.eventUsdt),
  };
}

/** A held bet that a final score decides, and what it pays there. */
export interface ScoredBet {
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  /** What the price is. Price and stake are the exchange's own terms. */
  readonly priceKind: PriceKind;
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly paysMicros: Micros;
}

/** The held bets that the final score decides, those that pay most first. */
export function betsAtScore(
  book: ExposureBook,
  event: EventName,
  home: number,
  away: number,
): readonly ScoredBet[] {
  const cell = home * GRID_SIZE + away;
  const entries = Array.from(book.event(event)?.entries() ?? [], ([, entry]) => entry);
  return entries
    .filter(({ held, outcomes }) => held && outcomes !== null)
    .map(({ bet: { selectionId, direction, priceKind, price, stakeMicros }, payoffs, outcomes }) => ({
      selectionId,
      direction,
      priceKind,
      price,
      stakeMicros,
      paysMicros: payoffIn(cell, payoffs, outcomes),
    }))
    .toSorted((a, b) => b.paysMicros - a.paysMicros);
}

function reportEvent(bets: EventBets, open: readonly ExposedOrder[]): EventExposure {
  const entries = Array.from(bets.entries(), ([, entry]) => entry);
  const offGrid = entries.filter(({ outcomes }) => outcomes === null).map(({ bet }) => bet.betType);
  return {
    ...bets.event,
    ...bets.exposure(),
    openOrders: open.filter(({ bet }) => isSameEvent(bet, bets.event)).length,
    worstScore: bets.scoreGroup()?.worstScore() ?? null,
    selections: Array.from(new Set(entries.map(({ bet }) => bet.selectionId)), (selectionId) => ({
      selectionId,
      worstMicros: bets.selectionWorst(selectionId),
    })),
    offGrid: [...new Set(offGrid)],
  };
}
