import type { SelectionId } from '../../src/domain/ids.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { JournalView } from './journal-view.ts';
import { isCreate, uuidOf } from './witness.ts';
import type { SentRequest } from './witness.ts';

/** A request lands this late at most. */
const LATEST_LANDING_MS = 30_000;

interface Create {
  readonly selectionId: SelectionId;
  /** From then on no order can come of it, or live. */
  readonly overMs: number;
}

/**
 * Creates of which nobody can tell what becomes: the exchange has no such order, the journal does not say how it ended, and
 * one that lands late could still be open. Their prices are taken for ours until then (invariant 4).
 */
export class UnclearCreates {
  readonly #journal: Pick<JournalView, 'intended' | 'unsettled'>;
  readonly #creates = new Map<string, Create>();

  constructor(journal: Pick<JournalView, 'intended' | 'unsettled'>) {
    this.#journal = journal;
  }

  sent(sent: SentRequest): void {
    const uuid = isCreate(sent) ? uuidOf(sent) : '';
    const intended = this.#journal.intended.get(uuid);
    if (intended === undefined) return;
    const { selectionId, place } = intended;
    this.#creates.set(uuid, {
      selectionId,
      overMs: sent.atMs + place.durationS * 1000 + LATEST_LANDING_MS,
    });
  }

  /** The exchange has these. */
  see(orders: readonly InspectedOrder[]): void {
    for (const { requestUuid } of orders) if (requestUuid !== null) this.#creates.delete(requestUuid);
  }

  /** Selections on which an order may stand, at this monotonic instant, for all that can be known. */
  selections(nowMs: number): ReadonlySet<SelectionId> {
    for (const [uuid, { overMs }] of this.#creates)
      if (nowMs > overMs || !this.#journal.unsettled.has(uuid)) this.#creates.delete(uuid);
    return new Set([...this.#creates.values()].map(({ selectionId }) => selectionId));
  }
}
