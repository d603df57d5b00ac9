import type { LimitRequest, Limiter } from './limiter.ts';

/** `count` requests that stop counting in `expiresInMs`. */
export interface RollingSlot {
  readonly expiresInMs: number;
  readonly count: number;
}

interface Slot {
  readonly untilMs: number;
  count: number;
}

/** Requests are counted in slots of this length. Each counts until the end of its slot has left the window. */
const SLOT_MS = 60_000;

/** At most `limit` requests in any window of `windowMs`. */
export class RollingLimit implements Limiter {
  readonly #limit: number;
  readonly #windowMs: number;
  #slots: Slot[] = [];
  #total = 0;

  constructor(limit: number, windowMs: number, earlier: readonly RollingSlot[], nowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.replace(earlier, nowMs);
  }

  /** Replaces everything counted so far by these requests. */
  replace(earlier: readonly RollingSlot[], nowMs: number): void {
    this.#slots = earlier.map((slot) => ({ untilMs: nowMs + slot.expiresInMs, count: slot.count }));
    this.#total = earlier.reduce((sum, slot) => sum + slot.count, 0);
  }

  waitMs(nowMs: number, { place, reserve }: LimitRequest): number {
    this.#expire(nowMs);
    let missing = place + reserve - (this.#limit - this.#total);
    if (missing <= 0) return 0;
    for (const slot of this.#slots) {
      missing -= slot.count;
      if (missing <= 0) return slot.untilMs - nowMs;
    }
    return this.#windowMs;
  }

  take(nowMs: number): void {
    const untilMs = Math.ceil((nowMs + 1) / SLOT_MS) * SLOT_MS + this.#windowMs;
    const last = this.#slots.at(-1);
    if (last?.untilMs === untilMs) last.count += 1;
    else this.#slots.push({ untilMs, count: 1 });
    this.#total += 1;
  }

  markSent(): void {
    // The wait for a connection is negligible against a day.
  }

  giveBack(nowMs: number): void {
    this.#expire(nowMs);
    const last = this.#slots.at(-1);
    if (last === undefined || last.count === 0) return;
    last.count -= 1;
    this.#total -= 1;
  }

  release(): void {
    // Only time makes room.
  }

  left(nowMs: number): number {
    this.#expire(nowMs);
    return this.#limit - this.#total;
  }

  state(nowMs: number): readonly RollingSlot[] {
    this.#expire(nowMs);
    return this.#slots.map((slot) => ({ expiresInMs: slot.untilMs - nowMs, count: slot.count }));
  }

  #expire(nowMs: number): void {
    while (this.#slots[0] !== undefined && this.#slots[0].untilMs <= nowMs) {
      this.#total -= (this.#slots.shift() as Slot).count;
    }
  }
}
