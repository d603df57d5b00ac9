import type { Micros } from '../domain/money.ts';

const MS_PER_DAY = 86_400_000;

const dayOf = (wallMs: number): number => Math.floor(wallMs / MS_PER_DAY);

/** How much was matched on the current UTC day, whenever we are told of it. */
export class Turnover {
  /** By day, those around today: a clock that was set back over midnight comes back to the later day. */
  readonly #matched = new Map<number, Micros>();

  /** Counts a bet that was matched at `atMs`, if that is today. */
  add(stakeMicros: Micros, atMs: number, wallMs: number): void {
    const today = dayOf(wallMs);
    for (const day of this.#matched.keys()) if (Math.abs(day - today) > 1) this.#matched.delete(day);
    if (dayOf(atMs) === today) this.#matched.set(today, this.today(wallMs) + stakeMicros);
  }

  today(wallMs: number): Micros {
    return this.#matched.get(dayOf(wallMs)) ?? 0;
  }
}
