import type { Refusal } from '../domain/approval.ts';
import type { BetslipId } from '../domain/ids.ts';
import type { PriceList } from '../domain/price-list.ts';

export interface ReadyBetslip {
  readonly id: BetslipId;
  readonly quote: PriceList;
}

/** Why there is no betslip to use now. */
export type BetslipCode =
  | 'betslip_creating'
  | 'quote_pending'
  | 'quote_stale'
  | 'betslip_cap'
  | 'betslip_budget'
  | 'betslip_pace'
  /** Others that wait are worth more, or have waited longer. */
  | 'betslip_turn'
  | 'betslip_refused';

export type BetslipAnswer =
  { readonly ok: true; readonly betslip: ReadyBetslip } | { readonly ok: false; readonly code: BetslipCode };

/** What a betslip would be for. */
export interface Purpose {
  /** Micros per second. */
  readonly value: number;
  /** Whether it serves an order that makes the worst case better: those may use the reserve. */
  reduces(): boolean;
  /** Asked when a betslip could be had. Default: risk refuses nothing. */
  readonly foreseen?: Foreseen;
}

/** What risk refuses an order for that has no betslip yet, once that is asked. */
export class Foreseen {
  refusal: Refusal | null = null;
  readonly #ask: () => Refusal | null;

  constructor(ask: () => Refusal | null) {
    this.#ask = ask;
  }

  isRefused(): boolean {
    this.refusal = this.#ask();
    return this.refusal !== null;
  }
}

/** What reduces goes before everything else that waits. */
export const worthOf = (purpose: Purpose): number => (purpose.reduces() ? Infinity : purpose.value);
