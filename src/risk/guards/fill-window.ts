import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import { isSelectionOf } from '../../domain/selection.ts';

interface TimedFill {
  readonly atMs: number;
  readonly fill: Fill;
}

/** The fills of each selection within a window of time. */
export class FillWindow {
  readonly #windowMs: number;
  readonly #fills = new Map<SelectionId, TimedFill[]>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds a fill and returns its selection's fills within the window. */
  add(fill: Fill, nowMs: number): readonly Fill[] {
    const earlier = this.#fills.get(fill.selectionId) ?? [];
    const recent = [...earlier.filter(({ atMs }) => nowMs - atMs < this.#windowMs), { atMs: nowMs, fill }];
    this.#fills.set(fill.selectionId, recent);
    return recent.map((timed) => timed.fill);
  }

  forget(event: EventName): void {
    for (const id of this.#fills.keys()) if (isSelectionOf(event, id)) this.#fills.delete(id);
  }
}
