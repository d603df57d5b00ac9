import type { TrackedOrder } from '../../account/orders.ts';
import type { EventKey, RequestUuid, SelectionId } from '../../domain/ids.ts';
import { eventKey } from '../../domain/events.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';

/** What keeps a take from being placed. `spent`: its id has had its order. `waits`: the last take of the selection counts first. */
export type TakeObstacle = 'spent' | 'waits';

/** A take that may be placed, or is about to be sent. */
export interface JudgedTake {
  readonly owner: string;
  readonly id: string;
  readonly selectionId: SelectionId;
  /** Its own request; null before it has one. */
  readonly requestUuid: RequestUuid | null;
}

export interface TakeFacts {
  /** The request that has spent an id of a strategy: the journal knows it before the first byte leaves. */
  readonly spentBy: (owner: string, id: string) => RequestUuid | null;
  /** Orders of ours that have not ended. */
  readonly active: () => Iterable<TrackedOrder>;
}

/** A take that ended, and how many had ended by then. */
interface Ended {
  readonly event: EventKey;
  readonly count: number;
}

/**
 * Takes go one by one: the next take on a selection waits until the last one has ended and a strategy has decided the event since. An
 * order ends only once its fills are booked, so a decision after its end has them in its view.
 */
export class Takes {
  readonly #facts: TakeFacts;
  /** By selection: takes that ended and that no decision has seen yet. */
  readonly #unseen = new Map<SelectionId, Ended>();
  #count = 0;

  constructor(facts: TakeFacts) {
    this.#facts = facts;
  }

  /** How many takes have ended. A decision that is made now has seen them. */
  get ended(): number {
    return this.#count;
  }

  /** An order has changed. */
  changed({ take, state, selectionId, ...order }: LiveOrder): void {
    if (take === undefined || !isTerminal(state)) return;
    this.#unseen.set(selectionId, { event: eventKey(order), count: ++this.#count });
  }

  /** An event was decided when so many takes had ended. */
  decided(event: EventKey, ended: number): void {
    for (const [selection, each] of this.#unseen)
      if (each.event === event && each.count <= ended) this.#unseen.delete(selection);
  }

  obstacle({ owner, id, selectionId, requestUuid }: JudgedTake): TakeObstacle | null {
    const spender = this.#facts.spentBy(owner, id);
    if (spender !== null && spender !== requestUuid) return 'spent';
    if (this.#unseen.has(selectionId)) return 'waits';
    for (const { order } of this.#facts.active()) {
      const isOther = order.selectionId === selectionId && order.requestUuid !== requestUuid;
      if (isOther && order.take !== undefined) return 'waits';
    }
    return null;
  }
}
