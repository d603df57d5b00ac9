import type { Refusal } from '../domain/approval.ts';
import type { BetslipId } from '../domain/ids.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { PostOnlyCode } from './post-only.ts';

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

export const no = (code: BetslipCode): BetslipAnswer => ({ ok: false, code });

/** What a betslip would be for. */
export interface Purpose {
  /** Micros per second. */
  readonly value: number;
  /** Whether it serves an order that makes the worst case better: those may use the reserve. */
  reduces(): boolean;
  /** Asked when a betslip could be had. Default: nothing keeps an order from being sent. */
  readonly foreseen?: Foreseen;
}

interface Asks {
  /** Of risk. */
  refusal(): Refusal | null;
  /** By the public prices and our own orders. */
  obstacle(): PostOnlyCode | null;
}

/** What keeps an order that has no betslip yet from being sent, once that is asked. */
export class Foreseen {
  refusal: Refusal | null = null;
  obstacle: PostOnlyCode | null = null;
  readonly #asks: Asks;

  constructor(asks: Asks) {
    this.#asks = asks;
  }

  /** A hot market keeps its betslip until nothing stands in the way; a cold one would lose it, and need another. */
  isRefused(isHot: boolean): boolean {
    this.refusal = this.#asks.refusal();
    this.obstacle = isHot ? null : this.#asks.obstacle();
    return this.refusal !== null || this.obstacle !== null;
  }
}

/** What reduces goes before everything else that waits. */
export const worthOf = (purpose: Purpose): number => (purpose.reduces() ? Infinity : purpose.value);
