import { toMicros } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import { directionOfKind, honouringTick } from '../../domain/odds.ts';
import type { Betslips } from './betslips.ts';
import type { Engines } from './engines.ts';
import {
  type Account,
  type BetslipRecord,
  identityOf,
  isWorking,
  type OrderRecord,
  register,
} from './model.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import { newLeg, termsOf, termsRefusal } from './order-terms.ts';
import { liabilityMicros } from './payoff-grids.ts';
import { failure, invalid, invalidTogether, notFound, ok, type Reply } from './replies.ts';
import type { Retention } from './retention.ts';
import type { Scheduler } from './scheduler.ts';
import { type OrderBody, type OrderListQuery, orderMatches, UUID } from './schemas.ts';
import type { Sequence } from './sequence.ts';
import type { ExchangeSettings } from './settings.ts';
import { descriptionOf, orderJson } from './wire.ts';

export interface OrderParts {
  readonly scheduler: Scheduler;
  readonly sequence: Sequence;
  readonly engines: Pick<Engines, 'accept'>;
  readonly lifecycle: OrderLifecycle;
  readonly betslips: Betslips;
  readonly retention: Retention;
  readonly settings: ExchangeSettings;
}

const UPDATES_EMBARGO_MS = 60_000;
const UPDATES_WINDOW_MS = 70 * 60_000;

/** The order endpoints for customers (specification, Orders). */
export class Orders {
  readonly #parts: OrderParts;

  constructor(parts: OrderParts) {
    this.#parts = parts;
  }

  create(account: Account, body: OrderBody): Reply {
    const existing =
      typeof body.request_uuid !== 'string' ? undefined : account.ordersByUuid.get(body.request_uuid);
    if (existing !== undefined) return alreadyCreated(existing);
    const betslip = this.#parts.betslips.findOpen(account, body.betslip_id);
    if (betslip === null) return notFound();
    const refusal = this.#refusal(betslip, body);
    if (refusal !== null) return refusal;
    const order = this.#make(betslip, body);
    this.#parts.engines.accept(order);
    this.#parts.retention.watch(order);
    return ok(orderJson(order), 201);
  }

  get(account: Account, orderId: number): Reply {
    const order = account.orders.get(orderId);
    return order === undefined ? notFound() : ok(orderJson(order));
  }

  tracked(account: Account, uuid: string): Reply {
    if (!UUID.test(uuid)) return invalid({ request_uuid: ['must be a uuid'] });
    const order = account.ordersByUuid.get(uuid);
    const { scheduler, settings } = this.#parts;
    if (order === undefined || order.placedMs + settings.trackedLookupMs < scheduler.nowMs) return notFound();
    return ok(orderJson(order));
  }

  /** The newest order comes first. A page past the last is empty. */
  list(account: Account, query: OrderListQuery): Reply {
    const matching = [...candidates(account, query)].filter((order) => orderMatches(order, query)).reverse();
    const pageSize = Math.min(query.page_size, this.#parts.settings.mostOrdersPerPage);
    const start = (query.page - 1) * pageSize;
    return ok(matching.slice(start, start + pageSize).map(orderJson));
  }

  /** Orders whose last change is in the window, in the order of those changes. */
  updates(account: Account, fromMs: number, toMs: number): Reply {
    const refusal = this.#windowRefusal(fromMs, toMs);
    if (refusal !== null) return refusal;
    const updated = [...account.orders.values()].filter(
      ({ updatedMs }) => updatedMs >= fromMs && updatedMs <= toMs,
    );
    updated.sort((a, b) => a.updatedMs - b.updatedMs || a.orderId - b.orderId);
    return ok(updated.map(orderJson));
  }

  close(account: Account, orderId: number): Reply {
    const order = account.orders.get(orderId);
    if (order === undefined) return notFound();
    if (order.closed) return failure(400, 'order_closed');
    this.#parts.lifecycle.requestClose(order, 'request');
    return ok(null);
  }

  /** Unknown ids and orders that are already closed are listed in `not_found`. */
  closeMany(account: Account, orderIds: readonly number[]): Reply {
    const closed: number[] = [];
    const unknown: number[] = [];
    for (const orderId of new Set(orderIds)) {
      const order = account.orders.get(orderId);
      if (order === undefined || !isWorking(order)) unknown.push(orderId);
      else closed.push(this.#requestClose(order));
    }
    return ok({ closed: [closed], not_found: [unknown] });
  }

  /** Closes every open order, or those of a sport or an event. */
  closeAll(account: Account, sport: string | null, eventId: string | null): Reply {
    const chosen = [...account.openOrders].filter(
      (order) =>
        isWorking(order) &&
        (sport ?? order.sport) === order.sport &&
        (eventId ?? order.eventId) === order.eventId,
    );
    return ok([chosen.map((order) => this.#requestClose(order))], 202);
  }

  #requestClose(order: OrderRecord): number {
    this.#parts.lifecycle.requestClose(order, 'request');
    return order.orderId;
  }

  #windowRefusal(fromMs: number, toMs: number): Reply | null {
    const latestMs = this.#parts.scheduler.nowMs - UPDATES_EMBARGO_MS;
    const reasons: Record<string, string[]> = {};
    if (fromMs > latestMs) reasons['updated_at_from'] = ['updated_at_from too recent'];
    if (toMs > latestMs) reasons['updated_at_to'] = ['updated_at_to too recent'];
    if (Object.keys(reasons).length > 0) return invalid(reasons);
    if (toMs < fromMs) return invalidTogether('updated_at_from must not be after updated_at_to');
    if (toMs - fromMs <= UPDATES_WINDOW_MS) return null;
    return invalidTogether('The date range cannot exceed 70 minutes');
  }

  /** Why the exchange refuses a well-formed order; null when it accepts the order. */
  #refusal(betslip: BetslipRecord, body: OrderBody): Reply | null {
    const { minOrderStakeMicros } = this.#parts.settings;
    return termsRefusal(betslip, body, minOrderStakeMicros) ?? this.#limitRefusal(betslip, body);
  }

  #limitRefusal(betslip: BetslipRecord, body: OrderBody): Reply | null {
    const { account, priceKind } = betslip;
    const stakeMicros = toMicros(body.stake[1]);
    const limit = this.#parts.settings.eventStakeLimitMicros;
    const reached = (key: string): boolean =>
      limit !== null && (account.eventStakes.get(key) ?? 0) + stakeMicros > limit;
    if (betslip.selections.some(({ market }) => reached(market.event.key))) {
      return invalidTogether('event_stake_limit_reached');
    }
    const tick = honouringTick(priceKind, body.price);
    const needed = liabilityMicros(priceKind, stakeMicros, tick === null ? body.price : priceOf(tick));
    return needed > account.availableMicros ? invalidTogether('insufficient_balance') : null;
  }

  #make(betslip: BetslipRecord, body: OrderBody): OrderRecord {
    const { scheduler, sequence, settings } = this.#parts;
    const { account, priceKind } = betslip;
    const first = betslip.selections[0] as BetslipRecord['selections'][number];
    const isParlay = betslip.type === 'parlay';
    const placedMs = scheduler.nowMs;
    const order: OrderRecord = {
      orderId: sequence.nextOrderId(),
      account,
      requestUuid: body.request_uuid ?? null,
      betslipId: betslip.betslipId,
      orderType: betslip.type,
      ...identityOf(betslip),
      events: betslip.selections.map(({ market }) => market.event),
      market: isParlay ? null : first.market,
      legs: isParlay ? betslip.selections.map(newLeg) : [],
      description: descriptionOf(betslip),
      direction: directionOfKind(priceKind),
      priceKind,
      wantPrice: body.price,
      tick: isParlay ? 0 : (honouringTick(priceKind, body.price) ?? 0),
      stakeMicros: toMicros(body.stake[1]),
      terms: termsOf(body),
      placedMs,
      expiryMs: placedMs + Math.round((body.duration ?? settings.defaultDurationS) * 1000),
      filledMicros: 0,
      shownMicros: 0,
      bets: [],
      status: 'open',
      closed: false,
      closedBy: null,
      closedMs: null,
      updatedMs: placedMs,
      reservedMicros: 0,
      resting: null,
      closing: false,
      timers: [],
    };
    register(order);
    return order;
  }
}

/** Orders that the query can match. A query for open orders searches only the open ones. */
function candidates(account: Account, { status }: OrderListQuery): Iterable<OrderRecord> {
  const openOnly = status?.every((each) => each === 'open' || each === 'pending') ?? false;
  return openOnly ? account.openOrders : account.orders.values();
}

function alreadyCreated(order: OrderRecord): Reply {
  return failure(409, 'order_already_created', {
    order_id: order.orderId,
    message: 'An order with this request_uuid was already created.',
  });
}
