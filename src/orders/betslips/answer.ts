import type { BetslipCode, Obstacle, ReadyBetslip } from '../send-gate.ts';

/** A betslip to use now, or why there is none. */
export type BetslipAnswer =
  { readonly ok: true; readonly betslip: ReadyBetslip } | { readonly ok: false; readonly code: BetslipCode };

export const noBetslip = (code: BetslipCode): BetslipAnswer => ({ ok: false, code });

/** What a betslip would be for. */
export interface BetslipPurpose {
  /** Micros per second. */
  readonly value: number;
  /** Whether it serves an order that makes the worst case better: those may use the reserve. */
  reduces(): boolean;
  /** Asked when a betslip could be had. Default: nothing keeps an order from being sent. */
  readonly precheck?: Precheck;
}

/** What keeps an order that has no betslip yet from being sent, once that is asked. */
export class Precheck {
  obstacle: Obstacle | null = null;
  readonly #ask: (isPinned: boolean) => Obstacle | null;

  constructor(ask: (isPinned: boolean) => Obstacle | null) {
    this.#ask = ask;
  }

  /** Before a betslip is spent on it. A hot market keeps its betslip until nothing stands in the way; a cold one does not. */
  isRefused(isPinned: boolean): boolean {
    this.obstacle = this.#ask(isPinned);
    return this.obstacle !== null;
  }
}

/** What reduces goes before everything else that waits. */
export const worthOf = (purpose: BetslipPurpose): number => (purpose.reduces() ? Infinity : purpose.value);
