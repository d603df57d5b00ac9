import type { OrderState } from '../../domain/lifecycle.ts';
import type { OrderOutcome } from '../../risk/index.ts';

/** What a change of state tells of an order's create request: each outcome once; null when it says nothing (yet). */
export function outcomeOf(before: OrderState | null, now: OrderState): OrderOutcome | null {
  if (now === before) return null;
  if (now === 'unknown') return 'unknown';
  if (now === 'refused') return 'refused';
  const wasOut = before === 'sending' || before === 'unknown';
  return wasOut && (now === 'live' || now === 'closed') ? 'accepted' : null;
}
