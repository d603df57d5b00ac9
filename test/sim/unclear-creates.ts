import type { SelectionId } from '../../src/domain/ids.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { JournalView } from './journal-view.ts';
import { isCreate, type SentRequest, uuidOf } from './witness.ts';

/** A request lands this late at most. */
const LATEST_LANDING_MS = 30_000;

interface Create {
  readonly selectionId: SelectionId;
  readonly durationMs: number;
  /** From then on no order can come of it, or live. */
  overMs: number;
  /** The exchange has its order. */
  found: boolean;
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
    if (isCreate(sent)) this.#note(uuidOf(sent), sent.atMs);
  }

  /** The exchange has these. */
  see(orders: readonly InspectedOrder[]): void {
    for (const { requestUuid } of orders) {
      const create = requestUuid === null ? undefined : this.#creates.get(requestUuid);
      if (create !== undefined) create.found = true;
    }
  }

  /** Often: one that was written down may never have left, when the process died between; the next run cannot know. */
  look(nowMs: number): void {
    const { unsettled } = this.#journal;
    for (const uuid of this.#creates.keys()) if (!unsettled.has(uuid)) this.#creates.delete(uuid);
    for (const uuid of unsettled) if (!this.#creates.has(uuid)) this.#note(uuid, nowMs);
  }

  /** A run starts with a wall clock that was set back: it takes them for as young as if they were sent now. */
  startOver(nowMs: number): void {
    for (const create of this.#creates.values()) create.overMs = overMs(create, nowMs);
  }

  /** Selections on which an order may stand, at this monotonic instant, for all that can be known. */
  selections(nowMs: number): ReadonlySet<SelectionId> {
    this.look(nowMs);
    const unclear = [...this.#creates.values()].filter((create) => !create.found && nowMs <= create.overMs);
    return new Set(unclear.map(({ selectionId }) => selectionId));
  }

  #note(uuid: string, atMs: number): void {
    const intended = this.#journal.intended.get(uuid);
    if (intended === undefined) return;
    const { selectionId, place } = intended;
    const durationMs = place.durationS * 1000;
    const found = this.#creates.get(uuid)?.found ?? false;
    this.#creates.set(uuid, { selectionId, durationMs, overMs: overMs({ durationMs }, atMs), found });
  }
}

const overMs = ({ durationMs }: Pick<Create, 'durationMs'>, sentMs: number): number =>
  sentMs + durationMs + LATEST_LANDING_MS;
