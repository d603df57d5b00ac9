import type { Market, SimEventName } from '../core/api.ts';

/** The state of a market: it matches, it does not, or it is over or not there yet and says nothing of its event. */
export type MarketState = 'open' | 'halted' | 'absent';

/**
 * Tells the exchange what the markets of an event do: the outcomes of one that does not match are paused, and the event is suspended while none
 * of its markets matches.
 */
export class MarketStates {
  readonly #event: SimEventName;
  readonly #outcomes: readonly (readonly string[])[];
  readonly #paused: boolean[];
  #isSuspended = false;

  /** `outcomes`: of each market. */
  constructor(event: SimEventName, outcomes: readonly (readonly string[])[]) {
    [this.#event, this.#outcomes] = [event, outcomes];
    this.#paused = outcomes.map(() => false);
  }

  /** `states`: of each market. */
  show(exchange: Market, states: readonly MarketState[], nowMs: number): void {
    const going = states.filter((state) => state !== 'absent');
    const isSuspended = going.length > 0 && going.every((state) => state === 'halted');
    this.#tell(exchange, isSuspended, (market) => states[market] !== 'open', nowMs);
  }

  /** The event as a whole matches, or does not, whatever its markets do. */
  force(exchange: Market, isSuspended: boolean, nowMs: number): void {
    this.#tell(exchange, isSuspended, () => false, nowMs);
  }

  /** A suspended event says nothing of its markets: it begins before them and ends after them, so that it resumes once. */
  #tell(exchange: Market, isSuspended: boolean, isPaused: (market: number) => boolean, nowMs: number): void {
    if (isSuspended) this.#suspend(exchange, true, nowMs);
    for (const [market, outcomes] of this.#outcomes.entries()) {
      if (this.#paused[market] === isPaused(market)) continue;
      this.#paused[market] = isPaused(market);
      exchange.setPaused(this.#event, outcomes, isPaused(market), nowMs);
    }
    if (!isSuspended) this.#suspend(exchange, false, nowMs);
  }

  #suspend(exchange: Market, isSuspended: boolean, nowMs: number): void {
    if (isSuspended !== this.#isSuspended) exchange.setSuspended(this.#event, isSuspended, nowMs);
    this.#isSuspended = isSuspended;
  }
}
