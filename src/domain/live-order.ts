import type { Score } from './events.ts';
import type { BetId, BetslipId, BetType, EventId, OrderId, RequestUuid, SelectionId, Sport } from './ids.ts';
import { isTerminal, type OrderState } from './lifecycle.ts';
import type { Micros } from './money.ts';
import type { Tick } from './ladder.ts';
import type { PriceKind } from './odds.ts';
import { type ExchangeMode, modeOf, RESTING_MODES, type TakeTerms } from './orders.ts';
import type { Direction } from './selection.ts';

/**
 * An order of ours, as the order manager knows it. Immutable: each change makes a new object.
 *
 * @example
 * const { tick, state }: LiveOrder = anOrder(selection);
 */
export interface LiveOrder {
  readonly requestUuid: RequestUuid;
  /** Null until the exchange reports it. */
  readonly orderId: OrderId | null;
  readonly betslipId: BetslipId;
  readonly selectionId: SelectionId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly direction: Direction;
  /** What `tick` is. `tick` and `stakeMicros` are the exchange's own terms. */
  readonly priceKind: PriceKind;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly mode: ExchangeMode;
  /** The take that it carries out. The field is absent if it is a quote's order. */
  readonly take?: TakeTerms;
  readonly filledMicros: Micros;
  readonly state: OrderState;
  /** Monotonic milliseconds of our clock at which the create request was made; order recovered from a journal: 0. */
  readonly createdMonotonicMs: number;
  /** Wall-clock milliseconds at which the order lapses: as the exchange reports, else as we requested. */
  readonly expiryMs: number | null;
  /** Why the exchange ended the order, or refused it, in its own words. */
  readonly closeReason: string | null;
}

/** Stake that can still be matched. Exposure counts it on top of fills. */
export function unfilledMicros(order: LiveOrder): Micros {
  return isTerminal(order.state) ? 0 : Math.max(0, order.stakeMicros - order.filledMicros);
}

/**
 * A matched stake, booked once per `betId`.
 *
 * @example
 * const { direction, price, stakeMicros }: Fill = aFill(selection);
 */
export interface Fill {
  readonly betId: BetId;
  readonly orderId: OrderId;
  /** The order is not ours if null. */
  readonly requestUuid: RequestUuid | null;
  readonly selectionId: SelectionId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly direction: Direction;
  /** What `price` is. `price` and `stakeMicros` are the exchange's own terms. */
  readonly priceKind: PriceKind;
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly role: 'maker' | 'taker' | 'unknown';
  /** The mode of its order. The field is absent if the order is not ours. */
  readonly mode?: ExchangeMode;
  /** The take that its order carries out. The field is absent for a quote's order, and if the order is not ours. */
  readonly take?: TakeTerms;
  /** The score of its event when we received it. The field is absent if none was known, and if the order is not ours. */
  readonly score?: Score;
  /** Whether its order is a combination. The field is absent if the order is ours. */
  readonly isParlay?: boolean;
  /**
   * Wall-clock milliseconds at which we received the fill. A bet from before the journal has the placement time of its
   * order, if the exchange gives it.
   */
  readonly atMs: number;
}

/** Whether an order that was meant to rest filled as a taker. */
export const isUnintendedTake = (fill: Pick<Fill, 'role' | 'mode'>): boolean =>
  fill.role === 'taker' && RESTING_MODES.includes(modeOf(fill));
