import type { TrackedOrder } from '../../account/orders.ts';
import type { EventKey } from '../../domain/ids.ts';

/** When the next order of each event is to be renewed. */
export class Renewals {
  readonly #dueMs = new Map<EventKey, number>();
  #nextMs = Infinity;

  /** Notes the orders of an event. An order is renewed `leadMs` before it lapses. */
  set(event: EventKey, active: readonly TrackedOrder[], leadMs: number, nowMs: number): void {
    let dueMs = Infinity;
    for (const { lapsesMonotonicMs } of active) {
      const renewMs = (lapsesMonotonicMs ?? Infinity) - leadMs;
      if (renewMs > nowMs) dueMs = Math.min(dueMs, renewMs);
    }
    if (dueMs === Infinity) this.#dueMs.delete(event);
    else this.#dueMs.set(event, dueMs);
    this.#nextMs = Math.min(this.#nextMs, dueMs);
  }

  /** Takes the events with an order to be renewed. */
  due(nowMs: number): readonly EventKey[] {
    if (nowMs < this.#nextMs) return [];
    const due = [...this.#dueMs].filter(([, atMs]) => atMs <= nowMs).map(([event]) => event);
    for (const event of due) this.#dueMs.delete(event);
    this.#nextMs = Math.min(Infinity, ...this.#dueMs.values());
    return due;
  }

  /** Monotonic instant before which no order is to be renewed. */
  get nextMs(): number {
    return this.#nextMs;
  }
}
