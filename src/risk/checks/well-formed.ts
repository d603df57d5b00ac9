import type { Refusal } from '../../domain/approval.ts';
import { mayHave } from '../../domain/exchange-prices.ts';
import { tickOf } from '../../domain/ladder.ts';
import type { PlaceOrder } from '../../domain/orders.ts';
import { directionOf } from '../../domain/selection.ts';
import { refusal } from './context.ts';

/**
 * Whether an order can be judged at all: finite whole stake, finite duration, a known direction, and a price exactly on a
 * tick, because the exchange would move any other, and of a kind that the bet type can have. Runs before every other check.
 */
export function malformed(order: PlaceOrder): readonly Refusal[] {
  return [
    badStake(order),
    badPrice(order),
    badDuration(order),
    badDirection(order),
    badPriceKind(order),
  ].filter((each) => each !== null);
}

const badStake = ({ stakeMicros }: PlaceOrder): Refusal | null =>
  Number.isSafeInteger(stakeMicros) && stakeMicros > 0
    ? null
    : refusal('bad_stake', 'the stake is not a positive number of micros', stakeMicros, null);

const badPrice = ({ price }: PlaceOrder): Refusal | null =>
  tickOf(price) === null ? refusal('off_tick', 'the price is not on a tick', price, null) : null;

const badDuration = ({ durationS }: PlaceOrder): Refusal | null =>
  Number.isFinite(durationS) && durationS > 0
    ? null
    : refusal('bad_duration', 'the duration is not positive', durationS, null);

const badDirection = ({ betType }: PlaceOrder): Refusal | null =>
  directionOf(betType) === null
    ? refusal('unknown_direction', 'the bet type has no known direction', betType, null)
    : null;

const badPriceKind = ({ betType, priceKind }: PlaceOrder): Refusal | null =>
  directionOf(betType) === null || mayHave(betType, priceKind)
    ? null
    : refusal('bad_price_kind', 'no order on this bet type has a price of this kind', priceKind, null);
