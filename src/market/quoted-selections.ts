import type { SportEvent } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import { MID_HISTORY_MS, type MidHistory, noteMid } from '../domain/mid-history.ts';
import type { PriceKind } from '../domain/odds.ts';
import { selectionName } from '../domain/selection-name.ts';
import type { Moment } from '../lib/time.ts';
import type { SelectionBook } from './books.ts';

interface QuotedSelection {
  /** The description that gave the name. */
  event: SportEvent;
  name: string;
  readonly mids: number[];
  /** What our orders against the selection are priced in, as last chosen. */
  secondKind: PriceKind | null;
  /** Monotonic. */
  viewedMs: number;
}

/**
 * Names and courses of the mid, which only quoted selections need. Kept from the first view of a selection until its event
 * is removed, or until no view has named it for as long as a history reaches. Other selections cost nothing.
 */
export class QuotedSelections {
  readonly #known = new Map<SelectionId, QuotedSelection>();
  #sweptMs = -Infinity;

  /** Number of selections that are kept. */
  get size(): number {
    return this.#known.size;
  }

  /** The name of a selection and a copy of its mid's course, after the mid of this view was noted. */
  view(
    book: Pick<SelectionBook, 'id' | 'outcome'>,
    event: SportEvent,
    mid: number | null,
    { monotonicMs, wallMs }: Moment,
  ): { readonly name: string; readonly mids: MidHistory } {
    this.#sweep(monotonicMs);
    const known = this.#open(book, event, monotonicMs);
    noteMid(known.mids, mid, wallMs);
    return { name: known.name, mids: known.mids.slice() };
  }

  /** The last choice of `chooseSecondKind`; null without one. */
  secondKindOf(id: SelectionId): PriceKind | null {
    return this.#known.get(id)?.secondKind ?? null;
  }

  /** Remembers the choice for a selection that was viewed. */
  chooseSecondKind(id: SelectionId, choose: (before: PriceKind | null) => PriceKind): PriceKind {
    const known = this.#known.get(id);
    const kind = choose(known?.secondKind ?? null);
    if (known !== undefined) known.secondKind = kind;
    return kind;
  }

  forget(id: SelectionId): void {
    this.#known.delete(id);
  }

  /** A new description of the event may name the teams differently. */
  #open(
    { id, outcome }: Pick<SelectionBook, 'id' | 'outcome'>,
    event: SportEvent,
    nowMs: number,
  ): QuotedSelection {
    const known = this.#known.get(id);
    if (known === undefined) {
      const made = {
        event,
        name: selectionName(outcome, event),
        mids: [],
        secondKind: null,
        viewedMs: nowMs,
      };
      this.#known.set(id, made);
      return made;
    }
    if (known.event !== event) [known.event, known.name] = [event, selectionName(outcome, event)];
    known.viewedMs = nowMs;
    return known;
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < MID_HISTORY_MS) return;
    this.#sweptMs = nowMs;
    for (const [id, { viewedMs }] of this.#known) {
      if (nowMs - viewedMs > MID_HISTORY_MS) this.#known.delete(id);
    }
  }
}
