import type { Micros } from '../../domain/money.ts';
import { DAY_MS } from '../../lib/time.ts';

const dayOf = (wallMs: number): number => Math.floor(wallMs / DAY_MS);

interface DayTurnover {
  readonly micros: Micros;
  /** Monotonic instant at which a bet of this day was told last. */
  readonly toldMs: number;
}

/** How much was matched on the current UTC day, whenever we are told of it, and whatever the clock shows then. */
export class Turnover {
  /** Today, and the days that bets were told of lately: a clock that was set wrong comes back to one of them. */
  readonly #days = new Map<number, DayTurnover>();

  /** Counts a bet that was matched at `atMs` by the wall clock. `nowMs` is monotonic. */
  add(stakeMicros: Micros, atMs: number, nowMs: number): void {
    const micros = this.today(atMs, nowMs) + stakeMicros;
    this.#days.set(dayOf(atMs), { micros, toldMs: nowMs });
  }

  today(wallMs: number, nowMs: number): Micros {
    // A day on which a bet was told so long ago is over for good.
    for (const [day, { toldMs }] of this.#days) if (nowMs - toldMs >= DAY_MS) this.#days.delete(day);
    return this.#days.get(dayOf(wallMs))?.micros ?? 0;
  }
}
