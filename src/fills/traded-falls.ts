/**
 * The rule for how far a recorded trade moves the queue at its own price: as far as its level falls at the same instant, and no further.
 *
 * A trade is recorded at a price, and the level of that price apart from it. Where the level falls by less than what traded, the rest met
 * stake that no level shows, mostly of other selections at a price at which nothing is recorded at all. Nobody knows whether an order of
 * ours would have stood before that stake, so it moves no queue. A fall by more than what traded is a cancellation for the rest.
 *
 * A trade waits here for the level of its instant, which follows it in the recording. Nothing looks ahead: the queue moves when the level
 * is read. What waits at the end of the instant is forgotten.
 */
import type { Micros } from '../domain/money.ts';
import type { Tick } from '../domain/ladder.ts';

/** The trades of one instant in one side of a book. */
export class TradedFalls {
  readonly #waiting = new Map<Tick, Micros>();
  #atMs = NaN;

  /** A trade took stake at a price. */
  trade(tick: Tick, micros: Micros, nowMs: number): void {
    if (nowMs !== this.#atMs) this.#waiting.clear();
    this.#atMs = nowMs;
    this.#waiting.set(tick, (this.#waiting.get(tick) ?? 0) + micros);
  }

  /** Waits with the same trades as another side. */
  takeOver(other: TradedFalls): void {
    this.#atMs = other.#atMs;
    this.#waiting.clear();
    for (const [tick, micros] of other.#waiting) this.#waiting.set(tick, micros);
  }

  /** How much of a fall of a level the trades of its instant made. It waits no more. */
  fall(tick: Tick, micros: Micros, nowMs: number): Micros {
    const waitingMicros = nowMs === this.#atMs ? (this.#waiting.get(tick) ?? 0) : 0;
    const tradedMicros = Math.min(waitingMicros, micros);
    if (tradedMicros > 0) this.#waiting.set(tick, waitingMicros - tradedMicros);
    return tradedMicros;
  }
}
