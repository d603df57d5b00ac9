import type { LiveState } from './event-entries.ts';
import type { Account, BetRecord, BetslipRecord, EventRecord, MarketBook, OrderRecord } from './model.ts';

/** Notices that the exchange's parts send to the stream. */
export interface Notices {
  orderChanged(order: OrderRecord): void;
  betMade(bet: BetRecord): void;
  balanceChanged(account: Account): void;
  /** The book of a market changed. The offers of its event go out at the next broadcast. */
  bookChanged(market: MarketBook): void;
  /** The data of an event changed. */
  eventChanged(event: EventRecord): void;
  eventEnded(event: EventRecord): void;
  /** Every offer of the event changed at once. They are broadcast immediately. */
  offersChanged(event: EventRecord): void;
  liveStateChanged(event: EventRecord, part: LiveState): void;
  feedLost(): void;
  betslipChanged(betslip: BetslipRecord): void;
  betslipClosed(betslip: BetslipRecord): void;
  /** A betslip has a private quote. `text` is the `pmm` payload as JSON. */
  quoted(betslip: BetslipRecord, text: string): void;
}
