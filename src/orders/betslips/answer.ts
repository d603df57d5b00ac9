import type { BetslipCode, Obstacle, ReadyBetslip } from '../send-gate.ts';

/** A betslip to use now, or why there is none. */
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

/** What keeps an order that has no betslip yet from being sent, once that is asked. */
export class Foreseen {
  obstacle: Obstacle | null = null;
  readonly #ask: (isHot: boolean) => Obstacle | null;

  constructor(ask: (isHot: boolean) => Obstacle | null) {
    this.#ask = ask;
  }

  /** Before a betslip is spent on it. A hot market keeps its betslip until nothing stands in the way; a cold one does not. */
  isRefused(isHot: boolean): boolean {
    this.obstacle = this.#ask(isHot);
    return this.obstacle !== null;
  }
}

/** What reduces goes before everything else that waits. */
export const worthOf = (purpose: Purpose): number => (purpose.reduces() ? Infinity : purpose.value);
