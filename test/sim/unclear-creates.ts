import type { SelectionId } from '../../src/domain/ids.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { JournalView } from './journal-view.ts';
import { isCreate, type SentRequest, uuidOf } from './witness.ts';

/** A request lands at most this late. */
const LATEST_LANDING_MS = 30_000;

interface Create {
  readonly selectionId: SelectionId;
  readonly durationMs: number;
  /** From then on it can give no order, and none of it can live. */
  overMs: number;
  /** The exchange has its order. */
  found: boolean;
}

/**
 * Creates with an unknown outcome: the exchange has no such order, the journal has no end of it, and a late lander
 * could still be open. Their prices count as ours until then (invariant 4).
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

  /** The exchange has these orders. */
  see(orders: readonly InspectedOrder[]): void {
    for (const { requestUuid } of orders) {
      const create = requestUuid === null ? undefined : this.#creates.get(requestUuid);
      if (create !== undefined) create.found = true;
    }
  }

  /**
   * Called often. A journalled create may never have left, when the process died in between. The next run cannot know.
   */
  look(nowMs: number): void {
    const { unsettled } = this.#journal;
    for (const uuid of this.#creates.keys()) if (!unsettled.has(uuid)) this.#creates.delete(uuid);
    for (const uuid of unsettled) if (!this.#creates.has(uuid)) this.#note(uuid, nowMs);
  }

  /** A run starts with a wall clock that was set back: it treats these creates as if they were sent now. */
  startOver(nowMs: number): void {
    for (const create of this.#creates.values()) create.overMs = overMs(create, nowMs);
  }

  /** Selections on which an order may be open at this monotonic instant, by everything that is known. */
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
