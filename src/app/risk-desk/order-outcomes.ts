import type { RequestUuid } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { OrderOutcome } from '../../risk/index.ts';

/** While an order is in one of these, its create request is still to be judged. */
const UNDECIDED: readonly OrderState[] = ['prepared', 'sending', 'unknown'];

/** What became of each create request, told once; an order that is decided is forgotten. */
export class OrderOutcomes {
  readonly #states = new Map<RequestUuid, OrderState>();

  /** Orders whose create request is not decided yet. */
  get undecided(): number {
    return this.#states.size;
  }

  /** At each change of an order; null when it says nothing (yet). */
  see({ requestUuid, state }: Pick<LiveOrder, 'requestUuid' | 'state'>): OrderOutcome | null {
    const before = this.#states.get(requestUuid);
    if (UNDECIDED.includes(state)) this.#states.set(requestUuid, state);
    else this.#states.delete(requestUuid);
    return before === state ? null : outcomeOf(before, state);
  }
}

function outcomeOf(before: OrderState | undefined, now: OrderState): OrderOutcome | null {
  if (now === 'unknown') return 'unknown';
  if (now === 'refused') return 'refused';
  const wasOut = before === 'sending' || before === 'unknown';
  return wasOut && (now === 'live' || now === 'closed') ? 'accepted' : null;
}
