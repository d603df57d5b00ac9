import type { Refusal } from '../../domain/approval.ts';
import { mayHave } from '../../domain/exchange-prices.ts';
import { tickOf } from '../../domain/ladder.ts';
import { fromMicros, toMicros } from '../../domain/money.ts';
import type { PlaceOrder } from '../../domain/orders.ts';
import { directionOf } from '../../domain/selection.ts';
import type { RiskLimits } from '../limits/limits.ts';
import type { RefusalCode } from '../refusal-codes.ts';
import { type OrderCheck, type OrderContext, refusal } from './context.ts';

/**
 * Whether an order can be judged at all: finite whole stake, finite duration, a known direction, and a price exactly on a
 * tick, because the exchange would move any other, and of a kind that the bet type can have. Runs before every other check.
 */
export function malformed(order: PlaceOrder): readonly Refusal[] {
  const { stakeMicros, price, durationS, betType, priceKind } = order;
  const hasDirection = directionOf(betType) !== null;
  const wrongs: Refusal[] = [];
  if (!Number.isSafeInteger(stakeMicros) || stakeMicros <= 0)
    wrongs.push(refusal('bad_stake', 'the stake is not a positive number of micros', stakeMicros));
  if (tickOf(price) === null) wrongs.push(refusal('off_tick', 'the price is not on a tick', price));
  if (!Number.isFinite(durationS) || durationS <= 0)
    wrongs.push(refusal('bad_duration', 'the duration is not positive', durationS));
  if (!hasDirection)
    wrongs.push(refusal('unknown_direction', 'the bet type has no known direction', betType));
  if (hasDirection && !mayHave(betType, priceKind))
    wrongs.push(refusal('bad_price_kind', 'no order on this bet type has a price of this kind', priceKind));
  return wrongs;
}

/** Refuses sports, competitions and market families that are not on their list; an empty list allows all. */
export function allowLists(limits: RiskLimits): readonly OrderCheck[] {
  const { sports, competitions, marketTypes } = limits.allow;
  return [
    allowed('sport_not_allowed', sports, ({ bet }) => bet.sport),
    allowed('competition_not_allowed', competitions, ({ facts }) => facts?.competitionId ?? null),
    allowed('market_not_allowed', marketTypes, ({ facts, bet }) => facts?.marketTypeOf(bet.betType) ?? null),
  ];
}

function allowed<T extends string | number>(
  code: RefusalCode,
  list: readonly T[],
  valueOf: (context: OrderContext) => T | null,
): OrderCheck {
  const names: ReadonlySet<T | null> = new Set(list);
  return (context) => {
    const value = valueOf(context);
    if (names.size === 0 || names.has(value)) return null;
    return refusal(code, 'its value is not on the allow list', value, [...names].join(', '));
  };
}

/** Limits the stake of one order. */
export function stakeLimit(limits: RiskLimits): OrderCheck {
  const limit = limits.order.maxStakeUsdt;
  const limitMicros = toMicros(limit);
  return ({ bet }) =>
    bet.stakeMicros <= limitMicros
      ? null
      : refusal('stake_limit', 'the stake is above the limit', fromMicros(bet.stakeMicros), limit);
}

/** Limits the loss of one order. */
export function liabilityLimit(limits: RiskLimits): OrderCheck {
  const limit = limits.order.maxLiabilityUsdt;
  const limitMicros = toMicros(limit);
  return ({ liabilityMicros }) =>
    liabilityMicros <= limitMicros
      ? null
      : refusal(
          'liability_limit',
          'the possible loss of the order is above the limit',
          fromMicros(liabilityMicros),
          limit,
        );
}
