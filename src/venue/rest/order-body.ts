import { fromMicros, type Micros } from '../../domain/money.ts';
import type { PlaceOrder } from '../../domain/orders.ts';
import { CURRENCY } from '../wire/scalars.ts';

/** All fields of the create request. The daemon uses only those of `PlaceOrder`. */
export interface OrderCreation extends PlaceOrder {
  readonly forceWantPrice?: boolean;
  /** The minimum stake of each source, by its name. */
  readonly sourceMinStakesMicros?: Readonly<Record<string, Micros>>;
  readonly placerType?: string;
}

const money = (micros: Micros) => [CURRENCY, fromMicros(micros)] as const;

const moneyOrNothing = (micros: Micros | undefined) => (micros === undefined ? undefined : money(micros));

/**
 * The body of `POST /v2/orders/`. Undefined fields are left out. Names that the specification does not have are those of
 * the published facts (Endpoints).
 */
export function orderBody(order: OrderCreation) {
  const sources = order.sourceMinStakesMicros;
  return {
    betslip_id: order.betslipId,
    price: order.price,
    stake: money(order.stakeMicros),
    duration: order.durationS,
    request_uuid: order.requestUuid,
    exchange_mode: order.exchangeMode,
    keep_open_ir: order.keepOpenInRunning,
    min_taker_want_stake: moneyOrNothing(order.minTakerWantStakeMicros),
    current_score: order.currentScore,
    exclude_danger: order.excludeDanger,
    bookie_min_stakes: sources === undefined ? undefined : mapValues(sources, money),
    user_data: order.userData,
    accept_partial_fill: order.acceptPartialFill,
    accept_better_price: order.acceptBetterPrice,
    force_want_price: order.forceWantPrice,
    placer_type: order.placerType,
  };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
