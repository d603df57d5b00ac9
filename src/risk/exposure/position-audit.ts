import { type EventName, eventKey } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Position } from '../../domain/orders.ts';
import type { Disagreement } from './agreement.ts';
import { compareWithExchange } from './agreement.ts';
import type { EventBets } from './event-bets.ts';

/** Fills and positions reach us on different ways; one difference may be a matter of moments. */
const TOLERATED_IN_A_ROW = 2;

/** Compares the exchange's position with ours, over and over. */
export class PositionAudit {
  readonly #differed = new Map<EventKey, number>();

  /** Answers a disagreement once it has stood for more than two comparisons in a row. */
  compare(bets: EventBets | null, position: Position): Disagreement | null {
    const key = eventKey(position);
    const disagreement = compareWithExchange(bets, position);
    const times = disagreement === null ? 0 : (this.#differed.get(key) ?? 0) + 1;
    this.#differed.set(key, times);
    return times > TOLERATED_IN_A_ROW ? disagreement : null;
  }

  /** Whether such a disagreement stands: with many events the next comparison is minutes away. */
  differs(event: EventName): boolean {
    return (this.#differed.get(eventKey(event)) ?? 0) > TOLERATED_IN_A_ROW;
  }

  forget(event: EventName): void {
    this.#differed.delete(eventKey(event));
  }
}
