import type { LiveState } from './event-entries.ts';
import type { Account, BetRecord, BetslipRecord, EventRecord, MarketBook, OrderRecord } from './model.ts';

/** What the exchange's parts have to tell; the stream hub is who listens. */
export interface Notices {
  orderChanged(order: OrderRecord): void;
  betMade(bet: BetRecord): void;
  balanceChanged(account: Account): void;
  /** The book of a market changed: its event's offers go out at the next broadcast. */
  bookChanged(market: MarketBook): void;
  /** What is known of an event changed. */
  eventChanged(event: EventRecord): void;
  eventEnded(event: EventRecord): void;
  /** Every offer of the event changed at once: broadcast now. */
  offersChanged(event: EventRecord): void;
  liveStateChanged(event: EventRecord, what: LiveState): void;
  feedLost(): void;
  betslipChanged(betslip: BetslipRecord): void;
  betslipClosed(betslip: BetslipRecord): void;
  /** A private quote: the `pmm` payload as JSON. */
  quoted(betslip: BetslipRecord, text: string): void;
}
