import type { RecentFill } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';

/** Older fills are of no interest to a quote. */
const KEPT_MS = 600_000;
/** Per selection; the newest are kept. */
const KEPT_FILLS = 50;

/** Our latest fills of each selection, for strategies that watch what happens after they were filled. */
export class RecentFills {
  readonly #bySelection = new Map<SelectionId, Fill[]>();

  add(fill: Fill, wallMs: number): void {
    const kept = [...this.#recent(fill.selectionId, wallMs), fill].slice(-KEPT_FILLS);
    this.#bySelection.set(fill.selectionId, kept);
  }

  /** Oldest first. */
  of(id: SelectionId, wallMs: number): RecentFill[] {
    return this.#recent(id, wallMs).map(({ direction, price, stakeMicros, atMs }) => ({
      ...{ direction, price, stakeMicros, ageMs: Math.max(0, wallMs - atMs) },
    }));
  }

  #recent(id: SelectionId, wallMs: number): Fill[] {
    return (this.#bySelection.get(id) ?? []).filter(({ atMs }) => wallMs - atMs <= KEPT_MS);
  }
}
