import type { RecentFill } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import { selectionPrice, selectionStakeMicros } from '../domain/odds.ts';

/** Older fills do not matter to a quote. */
const KEPT_MS = 600_000;
/** Per selection; the newest fills are kept. */
const KEPT_FILLS = 500;

interface HeardFill {
  readonly fill: Fill;
  /** Monotonic. */
  readonly reportedMs: number;
}

/** Our latest fills of each selection, for strategies that watch the market after a fill. */
export class RecentFills {
  /** The selection whose latest fill is oldest comes first. */
  readonly #bySelection = new Map<SelectionId, readonly HeardFill[]>();

  /** An earlier run's fill gets its age from the wall clock once; from then on it ages by the monotonic clock. */
  add(fill: Fill, { monotonicMs, wallMs }: { readonly monotonicMs: number; readonly wallMs: number }): void {
    const { selectionId } = fill;
    const timed = { fill, reportedMs: monotonicMs - Math.max(0, wallMs - fill.atMs) };
    const kept = [...this.#recent(selectionId, monotonicMs), timed].slice(-KEPT_FILLS);
    this.#bySelection.delete(selectionId);
    this.#bySelection.set(selectionId, kept);
    this.#sweep(monotonicMs);
  }

  /** Oldest first, in prices of the selection. */
  of(id: SelectionId, monotonicMs: number): RecentFill[] {
    return this.#recent(id, monotonicMs).map(({ fill, reportedMs }) => ({
      direction: fill.direction,
      price: selectionPrice(fill.priceKind, fill.price),
      stakeMicros: selectionStakeMicros(fill.priceKind, fill.price, fill.stakeMicros),
      ageMs: monotonicMs - reportedMs,
    }));
  }

  #recent(id: SelectionId, monotonicMs: number): HeardFill[] {
    return (this.#bySelection.get(id) ?? []).filter(({ reportedMs }) => monotonicMs - reportedMs <= KEPT_MS);
  }

  #sweep(monotonicMs: number): void {
    for (const id of this.#bySelection.keys()) {
      if (this.#recent(id, monotonicMs).length > 0) return;
      this.#bySelection.delete(id);
    }
  }
}
