import { ClockLead } from '../../lib/clock-lead.ts';
import type { OrderContext } from '../state/context.ts';

/** The exchange's word on a betslip's life is believed up to this multiple of the usual one, and from this part of it on. */
export const LONGEST_LIFE = 4;
const SHORTEST_LIFE = 1 / 3;

/**
 * How long a betslip lives by the instant at which it expires. That is told by the exchange's clock, and ours may be
 * wrong: what time it is there, its frames tell.
 */
export class BetslipLife {
  readonly #context: OrderContext;
  readonly #lead = new ClockLead();

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** A frame that the exchange has sent at that instant of its clock. */
  heard(sentMs: number, receivedMonotonicMs: number): void {
    this.#lead.see(sentMs, receivedMonotonicMs);
  }

  /** Milliseconds from now until then, as far as it can be believed; as usual where nothing is told. */
  leftMs(expiryMs: number | null): number {
    const { clock } = this.#context.deps;
    const { lifeMs } = this.#context.options.betslips;
    if (expiryMs === null) return lifeMs;
    const leftMs = expiryMs - (this.#lead.exchangeMs(clock.monotonicMs()) ?? clock.wallMs());
    return Math.min(Math.max(leftMs, lifeMs * SHORTEST_LIFE), lifeMs * LONGEST_LIFE);
  }
}
