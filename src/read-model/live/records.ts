/** What the page asks for beside the stream. Amounts in USDT, instants in wall-clock milliseconds. */
import type { BetId, EventId, OrderId, SelectionId, Sport } from '../../domain/ids.ts';
import type { Direction } from '../../domain/selection.ts';
import type { ExchangeTerms } from '../bet-terms.ts';

/** How the account and the quotes stood at one instant. */
export interface TimelinePoint {
  readonly atMs: number;
  readonly settled: number;
  readonly expected: number;
  readonly worst: number;
  readonly gross: number;
  /** As the exchange counts stakes. */
  readonly openStake: number;
  readonly ordersOpen: number;
  readonly wanted: number;
  readonly quoted: number;
  readonly twoSided: number;
}

/** The profit of a strategy or an event at one instant, with the open bets at their fair worth. */
export interface RecordedProfit {
  readonly atMs: number;
  readonly of: 'strategy' | 'event';
  readonly name: string;
  readonly profit: number;
}

/** What a trading day brought, as its bets were settled. */
export interface RecordedDay {
  /** As 2026-01-31. */
  readonly day: string;
  readonly bets: number;
  /** As the exchange counts stakes. */
  readonly stake: number;
  readonly settled: number;
  readonly commission: number;
  /** Settled less commission. */
  readonly profit: number;
}

/** An alert of this run or an earlier one. */
export interface RecordedAlert {
  readonly kind: string;
  readonly severity: 'page' | 'warning' | 'info';
  readonly title: string;
  readonly text: string;
  readonly atMs: number;
  /** Null while it is in force, and if its run ended before it did. */
  readonly untilMs: number | null;
}

/** A matched bet, of this run or an earlier one. */
export interface RecordedFill {
  readonly betId: BetId;
  readonly orderId: OrderId;
  readonly atMs: number;
  readonly strategy: string | null;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly event: string;
  readonly selectionId: SelectionId;
  readonly outcome: string;
  readonly direction: Direction;
  /** Of the selection, like the stake. */
  readonly price: number;
  readonly stake: number;
  /** What the bet was called and priced on the exchange, if its price was not that of the selection. */
  readonly exchange?: ExchangeTerms;
  readonly role: string;
  readonly voided: boolean;
  /** What it had gained this many seconds later, as shares of its stake; null if that was not observed. */
  readonly markout1: number | null;
  readonly markout10: number | null;
  readonly markout60: number | null;
}
