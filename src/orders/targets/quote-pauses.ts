import type { BetslipRequest } from '../../domain/orders.ts';
import type { IntentKey } from '../../domain/quote-intent.ts';
import type { FruitlessOrders } from '../outcomes/fruitless-orders.ts';
import { Backoffs } from '../state/backoff.ts';

/** Longest pause of a quote, however often it has failed. */
const LONGEST_PAUSE_MS = 60_000;

/** While orders come to nothing, their quotes look this often whether one has rested. */
const LOOK_MS = 1_000;

/** The pauses of quotes after orders that were refused, not sent, or took. */
export class QuotePauses {
  readonly #failed: Backoffs<IntentKey>;
  /** Pauses after an unintended take. Unlike `#failed`, they are not cleared when the order closes. */
  readonly #taken: Backoffs<IntentKey>;
  readonly #fruitless: Pick<FruitlessOrders, 'untilMs'>;
  readonly #now: () => number;

  constructor(now: () => number, fruitless: Pick<FruitlessOrders, 'untilMs'>) {
    this.#failed = new Backoffs(now, LONGEST_PAUSE_MS);
    this.#taken = new Backoffs(now, LONGEST_PAUSE_MS);
    this.#fruitless = fruitless;
    this.#now = now;
  }

  /** Pauses a quote that risk refuses. */
  refusedByRisk(key: IntentKey, ms: number): void {
    this.#failed.pause(key, ms);
  }

  /** Pauses a quote whose request has failed. Repeats pause it for longer. */
  failed(key: IntentKey, ms: number): void {
    this.#failed.grow(key, ms);
  }

  /** Pauses a quote whose order took, for at least `ms` milliseconds. */
  took(key: IntentKey, ms: number): void {
    this.#taken.grow(key, ms, Math.max(ms, LONGEST_PAUSE_MS));
  }

  /** Ends the pause of a quote whose order has closed, since its reason may have passed. */
  closed(key: IntentKey): void {
    this.#failed.clear(key);
  }

  /** Monotonic instant until which a quote pauses; Infinity while the outcome of another order decides. */
  untilMs(key: IntentKey, market: BetslipRequest | null): number {
    const ownMs = Math.max(this.#failed.untilMs(key), this.#taken.untilMs(key));
    return market === null ? ownMs : Math.max(ownMs, this.#fruitless.untilMs(market));
  }

  /** Monotonic instant at which a pause may be over. The outcome of other orders may end theirs at any time. */
  mayEndMs(key: IntentKey, market: BetslipRequest | null): number {
    return Math.max(this.untilMs(key, null), Math.min(this.untilMs(key, market), this.#now() + LOOK_MS));
  }

  sweep(): void {
    this.#failed.sweep();
    this.#taken.sweep();
  }
}
