import type { Micros } from '../domain/money.ts';

const MS_PER_DAY = 86_400_000;

const dayOf = (wallMs: number): number => Math.floor(wallMs / MS_PER_DAY);

/** How much was matched on the current UTC day, whenever we are told of it. */
export class Turnover {
  #day = 0;
  #matchedMicros: Micros = 0;

  /** Counts a bet that was matched at `atMs`, if that is today. */
  add(stakeMicros: Micros, atMs: number, wallMs: number): void {
    const today = this.today(wallMs);
    this.#day = dayOf(wallMs);
    this.#matchedMicros = today + (dayOf(atMs) === this.#day ? stakeMicros : 0);
  }

  today(wallMs: number): Micros {
    return this.#day === dayOf(wallMs) ? this.#matchedMicros : 0;
  }
}
