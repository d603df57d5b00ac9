import type { EventId, Sport } from '../domain/ids.ts';
import type { Position } from '../domain/orders.ts';
import type { Disagreement } from './exposure/agreement.ts';
import { compareWithExchange } from './exposure/agreement.ts';
import type { EventBets } from './exposure/event-bets.ts';

/** Fills and positions reach us on different ways; one difference may be a matter of moments. */
const TOLERATED_IN_A_ROW = 2;

/** Compares the exchange's position with ours, over and over. */
export class PositionAudit {
  readonly #differed = new Map<string, number>();

  /** Answers a disagreement once it has stood for more than two comparisons in a row. */
  compare(bets: EventBets | null, position: Position): Disagreement | null {
    const key = keyOf(position);
    const disagreement = compareWithExchange(bets, position);
    const times = disagreement === null ? 0 : (this.#differed.get(key) ?? 0) + 1;
    this.#differed.set(key, times);
    return times > TOLERATED_IN_A_ROW ? disagreement : null;
  }

  /** Whether such a disagreement stands: with many events the next comparison is minutes away. */
  differs(sport: Sport, eventId: EventId): boolean {
    return (this.#differed.get(keyOf({ sport, eventId })) ?? 0) > TOLERATED_IN_A_ROW;
  }

  forget(eventId: EventId): void {
    for (const key of this.#differed.keys()) if (key.startsWith(`${eventId}|`)) this.#differed.delete(key);
  }
}

const keyOf = ({ sport, eventId }: Pick<Position, 'sport' | 'eventId'>): string => `${eventId}|${sport}`;
