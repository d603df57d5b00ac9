import { Heap } from '../../lib/heap.ts';
import type { Feed, Market } from '../../simulator/core/api.ts';
import { RECORDED, type RecordedEvent } from './recorded-event.ts';

interface Due {
  readonly dueMs: number;
  /** Position of the event: events of one instant play in this order. */
  readonly at: number;
  readonly event: RecordedEvent;
}

const isBefore = (a: Due, b: Due): boolean => (a.dueMs === b.dueMs ? a.at < b.at : a.dueMs < b.dueMs);

/** Plays recorded events on an exchange. */
export class RecordedFeed implements Feed {
  readonly #events: readonly RecordedEvent[];
  readonly #due = new Heap<Due>(isBefore);

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events;
  }

  /** Lets all that was recorded until `nowMs` happen at once. */
  start(market: Market, nowMs: number): void {
    market.followRecording(RECORDED);
    for (const [at, event] of this.#events.entries()) {
      if ((event.nextDueMs() ?? Infinity) <= nowMs) event.advance(market, nowMs);
      this.#plan(event, at);
    }
  }

  nextDueMs(): number | null {
    return this.#due.peek()?.dueMs ?? null;
  }

  advance(market: Market, nowMs: number): void {
    for (let next = this.#due.peek(); next !== undefined && next.dueMs <= nowMs; next = this.#due.peek()) {
      this.#due.pop();
      next.event.advance(market, next.dueMs, nowMs);
      this.#plan(next.event, next.at);
    }
  }

  #plan(event: RecordedEvent, at: number): void {
    const dueMs = event.nextDueMs();
    if (dueMs !== null) this.#due.push({ dueMs, at, event });
  }
}
