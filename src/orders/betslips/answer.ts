import { type ExchangePrices, reportedTerms } from '../../domain/exchange-prices.ts';
import { selectionList } from '../../domain/price-list.ts';
import type { ReadyBetslip } from '../gate-context.ts';
import type { BetslipCode } from '../send-gate.ts';
import type { Slot } from './slot.ts';

/** A betslip to use now, or why there is none. */
export type BetslipAnswer =
  | { readonly ok: true; readonly betslip: ReadyBetslip }
  | { readonly ok: false; readonly code: BetslipCode };

/** What decides whether a betslip is usable. */
export interface UsableFacts {
  readonly nowMs: number;
  /** Monotonic instant from which quotes are fresh. */
  readonly freshFromMs: number;
  readonly exchangePrices: ExchangePrices;
}

const unusable = (code: BetslipCode): BetslipAnswer => ({ ok: false, code });

/** Returns the betslip with its quote as prices of the selection, or why an order cannot use it now. Pure. */
export function answerOf(slot: Slot, { nowMs, freshFromMs, exchangePrices }: UsableFacts): BetslipAnswer {
  const { id, state, expiresMs, quote, quoteMs, market } = slot;
  if (state !== 'open' || id === null || nowMs >= expiresMs) return unusable('betslip_creating');
  if (quote === null) return unusable('quote_pending');
  if (quoteMs < freshFromMs) return unusable('quote_stale');
  // What the betslip's prices are may become known while it is open.
  const terms = reportedTerms(market.betType, market.betslipType ?? 'normal', exchangePrices);
  const list = terms === null ? quote : selectionList(terms.priceKind, quote);
  return { ok: true, betslip: { id, quote: list } };
}
