import { ProtocolError } from '../../domain/errors.ts';
import { type OrderId, orderId, type RequestUuid } from '../../domain/ids.ts';
import type { OrderPage } from '../../domain/order-listing.ts';
import { fromMicros, type Micros } from '../../domain/money.ts';
import type { PlaceOrder } from '../../domain/orders.ts';
import {
  type CallOptions,
  type ClosedMany,
  MOST_CLOSED_AT_ONCE,
  type OrderQuery,
} from '../../ports/venue.ts';
import { readPosition } from '../wire/account.ts';
import { readOrder, readOrderPage } from '../wire/orders.ts';
import { lenientArrayReader, type Reader, readNothing } from '../wire/reader.ts';
import type { OrderDetails, PositionDetails } from '../wire/resources.ts';
import { CURRENCY, isRecord, readNumber } from '../wire/scalars.ts';
import { type Call, isoTime, isoTimeOrNull, pathOf, type Query, type RestClient, segment } from './client.ts';

/** All fields of the create request. The daemon uses only those of `PlaceOrder`. */
export interface OrderCreation extends Omit<PlaceOrder, 'priceKind'> {
  readonly forceWantPrice?: boolean;
  readonly placerType?: string;
}

const money = (micros: Micros) => [CURRENCY, fromMicros(micros)] as const;

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
    min_taker_want_stake:
      order.minTakerWantStakeMicros === undefined ? undefined : money(order.minTakerWantStakeMicros),
    current_score: order.currentScore,
    exclude_danger: order.excludeDanger,
    bookie_min_stakes:
      sources === undefined
        ? undefined
        : Object.fromEntries(Object.entries(sources).map(([name, micros]) => [name, money(micros)])),
    user_data: order.userData,
    accept_partial_fill: order.acceptPartialFill,
    accept_better_price: order.acceptBetterPrice,
    force_want_price: order.forceWantPrice,
    placer_type: order.placerType,
  };
}

/** Every published filter of the order list. Times are wall-clock milliseconds. */
export interface OrderFilter extends OrderQuery {
  readonly sports?: readonly string[];
  readonly eventIds?: readonly string[];
  readonly orderTypes?: readonly string[];
  readonly toMs?: number;
  readonly search?: string;
}

export interface PositionFilter extends OrderFilter {
  /** Accepted for compatibility and ignored by the exchange. */
  readonly includeCashoutInfo?: boolean;
}

/** Orders and positions (specification, Orders). Closes are urgent. Among waiting closes, those of more orders go first. */
export class OrdersApi {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /**
   * `POST /v2/orders/`, one attempt. After an unknown outcome look it up with `tracked`, or place it again with the same
   * `requestUuid`: OrderAlreadyCreated then has the id of the order that the first attempt made.
   */
  place(order: OrderCreation, options?: CallOptions): Promise<OrderDetails> {
    return this.#client.call(
      {
        name: 'POST /v2/orders/',
        path: pathOf('orders/'),
        body: orderBody(order),
        lane: 'orders',
        repeat: 'once',
        read: expecting((made) => made.betType === '' || made.betType === order.betType),
      },
      options,
    );
  }

  /** `GET /v2/orders/{order_id}/` */
  get(id: OrderId, options?: CallOptions): Promise<OrderDetails> {
    const read = expecting((order) => order.orderId === id);
    return this.#client.get('GET /v2/orders/{order_id}/', pathOf(`orders/${id}/`), read, options);
  }

  /** `GET /v2/orders/tracked/{uuid}/`: the order made by the create request with this uuid. Works for several days. */
  tracked(uuid: RequestUuid, options?: CallOptions): Promise<OrderDetails> {
    const path = pathOf(`orders/tracked/${segment(uuid)}/`);
    return this.#client.get('GET /v2/orders/tracked/{uuid}/', path, readOrder, options);
  }

  /** `GET /v2/orders/`: one page. A page past the last is empty. */
  list(filter: OrderFilter = {}, options?: CallOptions): Promise<OrderPage<OrderDetails>> {
    return this.#client.get(
      'GET /v2/orders/',
      pathOf('orders/', filterQuery(filter)),
      readOrderPage,
      options,
    );
  }

  /** `GET /v2/orders/updates/`: both bounds at least 60 s past, at most 70 minutes apart. See `orderUpdatePages`. */
  updates(fromMs: number, toMs: number, options?: CallOptions): Promise<OrderPage<OrderDetails>> {
    const query = { updated_at_from: isoTime(fromMs), updated_at_to: isoTime(toMs) };
    return this.#client.get(
      'GET /v2/orders/updates/',
      pathOf('orders/updates/', query),
      readOrderPage,
      options,
    );
  }

  /** `GET /v2/orders/position/`. ValidationError when the filters match orders of several events. */
  position(filter: PositionFilter = {}, options?: CallOptions): Promise<PositionDetails> {
    const query = { ...filterQuery(filter), include_cashout_info: filter.includeCashoutInfo };
    const name = 'GET /v2/orders/position/';
    const path = pathOf('orders/position/', query);
    return this.#client.call({ name, path, repeat: 'safe', read: readPosition, recurs: true }, options);
  }

  /** `POST /v2/orders/{order_id}/close/`. OrderClosed when it is closed already, for any reason. */
  close(id: OrderId, options?: CallOptions): Promise<void> {
    const name = 'POST /v2/orders/{order_id}/close/';
    return this.#close({ name, path: pathOf(`orders/${id}/close/`), read: readNothing, value: 1 }, options);
  }

  /** `POST /v2/orders/close_many/`: 1 to 500 ids. Unknown ids and ids of closed orders are in `notFound`. */
  closeMany(ids: readonly OrderId[], options?: CallOptions): Promise<ClosedMany> {
    const name = 'POST /v2/orders/close_many/';
    const path = pathOf('orders/close_many/');
    const body = { order_ids: ids };
    return this.#close({ name, path, body, read: readCloseMany, value: ids.length }, options);
  }

  /**
   * `POST /v2/orders/close_all/`: closes every open order of the account, or of one sport or event, including orders
   * that others placed. Returns the closed ids.
   */
  closeAll(
    scope: { readonly sport?: string; readonly eventId?: string } = {},
    options?: CallOptions,
  ): Promise<readonly OrderId[]> {
    const { sport, eventId } = scope;
    const body = sport === undefined ? undefined : { sport, event_id: eventId };
    const name = 'POST /v2/orders/close_all/';
    const path = pathOf('orders/close_all/');
    return this.#close({ name, path, body, read: readIds, value: MOST_CLOSED_AT_ONCE }, options);
  }

  #close<T>(
    close: Pick<Call<T>, 'name' | 'path' | 'body' | 'read' | 'value'>,
    options: CallOptions | undefined,
  ): Promise<T> {
    return this.#client.call({ ...close, repeat: 'safe', priority: 'urgent' }, options);
  }
}

function filterQuery(filter: OrderFilter): Query {
  return {
    page: filter.page,
    page_size: filter.pageSize,
    status: filter.statuses,
    sport: filter.sports ?? filter.sport,
    event_id: filter.eventIds ?? filter.eventId,
    order_type: filter.orderTypes,
    date_from: isoTimeOrNull(filter.fromMs),
    date_to: isoTimeOrNull(filter.toMs),
    search: filter.search,
  };
}

const expecting =
  (fits: (order: OrderDetails) => boolean): Reader<OrderDetails> =>
  (raw, survey) => {
    const order = readOrder(raw, survey);
    if (!fits(order)) {
      throw new ProtocolError('the answer is about another order', { orderId: order.orderId });
    }
    return order;
  };

const readIdList = lenientArrayReader('order ids', (raw) => {
  const id = readNumber(raw);
  if (id === null || !Number.isSafeInteger(id)) throw new ProtocolError('expected an integer');
  return orderId(id);
});

/**
 * Ids in a list, or in lists up to two levels deep. Null and absent are an empty list. An id that cannot be read is left out, so its order
 * counts as one that the answer does not name.
 */
const readIds: Reader<readonly OrderId[]> = (raw, survey) => {
  if (raw === null || raw === undefined) return [];
  if (!Array.isArray(raw)) throw new ProtocolError('unreadable order ids: expected an array');
  return readIdList(raw.flat(2), survey);
};

const readCloseMany: Reader<ClosedMany> = (raw, survey) => {
  if (!isRecord(raw)) throw new ProtocolError('unreadable close_many answer: expected an object');
  return { closed: readIds(raw['closed'], survey), notFound: readIds(raw['not_found'], survey) };
};
