import type { Refusal } from '../../domain/approval.ts';
import type { Micros } from '../../domain/money.ts';
import type { PlaceOrder } from '../../domain/orders.ts';
import type { OrderPreview } from '../exposure/book.ts';
import type { OwnExposure } from '../exposure/own-exposure.ts';
import type { Bet } from '../exposure/payoffs.ts';
import type { ExposedOrder } from '../exposure/exposed-order.ts';
import type { EventFacts, Reference } from '../facts.ts';
import type { ActiveAlarm } from '../guards/alarm.ts';
import type { StrategyLimits } from '../limits/strategy-limits.ts';
import type { TakenMicros } from '../limits/take-use.ts';
import type { RefusalCode } from '../refusal-codes.ts';
import type { EffectiveState } from '../states/trading-states.ts';

/** The strategy of an order: its own limits, and what it holds already. */
export interface StrategyContext {
  readonly name: string;
  readonly limits: StrategyLimits;
  readonly own: OwnExposure;
}

/** Where the number of open orders is limited. */
export type CountedScope = 'selection' | 'event' | 'account';

/** What an order is judged by wherever it is placed: in an account, and in a backtest of one event. */
export interface OrderContext {
  readonly order: Pick<PlaceOrder, 'keepOpenInRunning' | 'take'>;
  /** The order as a bet, its price on the ladder. */
  readonly bet: Bet;
  readonly liabilityMicros: Micros;
  readonly facts: EventFacts | null;
  readonly exposure: OrderPreview;
  /** How many orders around it may still be matched, approved ones and those of others included. */
  readonly openCounts: Readonly<Record<CountedScope, number>>;
  readonly matchedTodayMicros: Micros;
  readonly takenMicros: TakenMicros;
  /** Stake of these orders that may still be matched. */
  readonly openStakeMicros: Micros;
  /** Null until the exchange has reported it. */
  readonly balanceMicros: Micros | null;
  readonly wallMs: number;
}

/** Everything that one order is judged by, read once before the checks run. */
export interface CheckContext extends OrderContext {
  readonly order: PlaceOrder;
  readonly reference: Reference | null;
  readonly state: EffectiveState;
  /** Alarms in force in the scopes of the order. */
  readonly alarms: readonly ActiveAlarm[];
  /** The orders that `openCounts` counts in the account. */
  readonly openOrders: readonly ExposedOrder[];
  /** Null if the order's strategy has no limits of its own. */
  readonly strategy: StrategyContext | null;
  /** How far the consensus has moved lately, in probability. */
  readonly drift: number;
  /** Orders approved within the last minute. */
  readonly ordersLastMinute: number;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
}

/** Returns the reason why an order must not be sent, or null. Checks do not depend on one another. */
export type Check = (context: CheckContext) => Refusal | null;

/** A check that needs no account around the order. */
export type OrderCheck = (context: OrderContext) => Refusal | null;

/** A refusal with its numbers. */
export function refusal(
  code: RefusalCode,
  message: string,
  actual: Refusal['actual'] = null,
  limit: Refusal['limit'] = null,
): Refusal {
  return { code, message, actual, limit };
}
