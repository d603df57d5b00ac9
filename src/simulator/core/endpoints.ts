/** Every endpoint: its input, its budget and its handler. The server's API document is generated from this list. */
import type { z } from 'zod';
import type { Bets } from './bets.ts';
import type { Betslips } from './betslips.ts';
import type { Catalogue } from './catalogue.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { BudgetName } from './limits.ts';
import { betTypeReply, eventsReply, offersReply } from './market-data.ts';
import type { Account, EventRecord, NamedOffer } from './model.ts';
import type { Orders } from './orders.ts';
import { positionReply } from './positions.ts';
import { holdMsOf, shownOffers } from './published-offers.ts';
import { ok, type Reply, throttled } from './replies.ts';
import type { Scheduler } from './scheduler.ts';
import * as schemas from './schemas.ts';
import type { ExchangeSettings } from './settings.ts';
import { type Read, readBody, readQuery } from './validation.ts';
import { balanceJson } from './wire.ts';

export interface EndpointParts {
  readonly orders: Orders;
  readonly betslips: Betslips;
  readonly heartbeats: Heartbeats;
  readonly catalogue: Catalogue;
  readonly bets: Pick<Bets, 'grids'>;
  readonly scheduler: Scheduler;
  readonly settings: ExchangeSettings;
}

/** A request that passed the router's checks. */
export interface Call {
  readonly account: Account;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path, with parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** The HTTP status of success. */
  readonly status: number;
  readonly budget: BudgetName;
  /** The endpoint acts on the account: read-only keys are refused. */
  readonly acts: boolean;
  /** The endpoint serves market data: refused to accounts without a feed record, and while the feed loads. */
  readonly marketData: boolean;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  readonly handle: (call: Call) => Reply;
}

type Facts = Pick<Endpoint, 'method' | 'path' | 'summary'> &
  Partial<Pick<Endpoint, 'status' | 'budget' | 'acts' | 'marketData'>>;

const DEFAULTS = {
  status: 200,
  budget: 'general',
  acts: false,
  marketData: false,
  query: null,
  body: null,
} as const;

const plain = (facts: Facts, handle: (call: Call) => Reply): Endpoint => ({ ...DEFAULTS, ...facts, handle });

function withQuery<T>(
  facts: Facts,
  query: z.ZodType<T>,
  form: schemas.QueryForm,
  handle: (call: Call, query: T) => Reply,
): Endpoint {
  const answer = (call: Call): Reply =>
    whenRead(readQuery(query, call.query, form), (value) => handle(call, value));
  return { ...DEFAULTS, ...facts, query, handle: answer };
}

function withBody<T>(
  facts: Facts,
  body: z.ZodType<T>,
  maxChars: number,
  handle: (call: Call, body: T) => Reply,
): Endpoint {
  const answer = (call: Call): Reply =>
    whenRead(readBody(body, call.body, maxChars), (value) => handle(call, value));
  return { ...DEFAULTS, ...facts, acts: true, body, handle: answer };
}

const whenRead = <T>(read: Read<T>, handle: (value: T) => Reply): Reply =>
  read.ok ? handle(read.value) : read.reply;

const id = (call: Call, name: string): string => call.params[name] ?? '';

/** The order id of the path. Order ids are integers; -1 stands for any other text and matches no order. */
const orderIdOf = (call: Call): number =>
  /^\d{1,15}$/.test(id(call, 'order_id')) ? Number(id(call, 'order_id')) : -1;

export const endpoints = (parts: EndpointParts): readonly Endpoint[] => [
  ...betslipEndpoints(parts),
  ...orderEndpoints(parts),
  ...closeEndpoints(parts),
  ...accountEndpoints(parts),
  ...heartbeatEndpoints(parts),
  ...marketDataEndpoints(parts),
];

function betslipEndpoints({ betslips, settings }: EndpointParts): Endpoint[] {
  const path = '/v2/betslips/{betslip_id}/';
  return [
    plain({ method: 'GET', path: '/v2/betslips/', summary: 'Ids of the open betslips' }, (call) =>
      betslips.list(call.account),
    ),
    withBody(
      { method: 'POST', path: '/v2/betslips/', summary: 'Open a betslip', status: 201, budget: 'betslips' },
      schemas.betslipBody,
      settings.maxBodyChars,
      (call, body) => betslips.create(call.account, body),
    ),
    plain({ method: 'GET', path, summary: 'A betslip with its prices' }, (call) =>
      betslips.get(call.account, id(call, 'betslip_id')),
    ),
    plain({ method: 'DELETE', path, summary: 'Close a betslip', acts: true }, (call) =>
      betslips.delete(call.account, id(call, 'betslip_id')),
    ),
    plain({ method: 'POST', path: `${path}refresh/`, summary: 'Extend a betslip', acts: true }, (call) =>
      betslips.refresh(call.account, id(call, 'betslip_id')),
    ),
  ];
}

function orderEndpoints({ orders, catalogue, bets, settings }: EndpointParts): Endpoint[] {
  const position = (call: Call, query: schemas.OrderFilters): Reply =>
    positionReply(call.account, query, catalogue, bets.grids);
  const positionFacts = { path: '/v2/orders/position/', summary: 'Position of the matching orders' };
  return [
    withQuery(
      { method: 'GET', path: '/v2/orders/', summary: 'Orders, newest first' },
      schemas.orderListQuery,
      schemas.ORDER_QUERY_FORM,
      (call, query) => orders.list(call.account, query),
    ),
    withBody(
      { method: 'POST', path: '/v2/orders/', summary: 'Place an order', status: 201, budget: 'orders' },
      schemas.orderBody,
      settings.maxBodyChars,
      (call, body) => orders.create(call.account, body),
    ),
    withQuery(
      { method: 'GET', path: '/v2/orders/updates/', summary: 'Orders updated in a window' },
      schemas.updatesQuery,
      schemas.TEXT_QUERY_FORM,
      (call, query) => orders.updates(call.account, query.updated_at_from, query.updated_at_to),
    ),
    plain(
      { method: 'GET', path: '/v2/orders/tracked/{uuid}/', summary: 'An order by its request_uuid' },
      (call) => orders.tracked(call.account, id(call, 'uuid')),
    ),
    withQuery({ method: 'GET', ...positionFacts }, schemas.positionQuery, schemas.ORDER_QUERY_FORM, position),
    withQuery(
      { method: 'POST', ...positionFacts },
      schemas.positionQuery,
      schemas.ORDER_QUERY_FORM,
      position,
    ),
    plain({ method: 'GET', path: '/v2/orders/{order_id}/', summary: 'An order' }, (call) =>
      orders.get(call.account, orderIdOf(call)),
    ),
  ];
}

function closeEndpoints({ orders, settings }: EndpointParts): Endpoint[] {
  return [
    plain(
      { method: 'POST', path: '/v2/orders/{order_id}/close/', summary: 'Close an order', acts: true },
      (call) => orders.close(call.account, orderIdOf(call)),
    ),
    withBody(
      { method: 'POST', path: '/v2/orders/close_many/', summary: 'Close the named orders' },
      schemas.closeManyBody,
      settings.maxBodyChars,
      (call, body) => orders.closeMany(call.account, body.order_ids),
    ),
    withBody(
      { method: 'POST', path: '/v2/orders/close_all/', summary: 'Close every open order', status: 202 },
      schemas.closeAllBody,
      settings.maxBodyChars,
      (call, body) => orders.closeAll(call.account, body.sport ?? null, body.event_id ?? null),
    ),
  ];
}

function accountEndpoints({ settings }: EndpointParts): Endpoint[] {
  return [
    plain({ method: 'GET', path: '/v2/balance/', summary: 'Balance' }, (call) =>
      ok(balanceJson(call.account)),
    ),
    plain({ method: 'GET', path: '/v2/xrates/', summary: 'Exchange rates' }, () => ok(settings.rates)),
  ];
}

function heartbeatEndpoints({ heartbeats, settings }: EndpointParts): Endpoint[] {
  const path = '/v2/heartbeats/{heartbeat_id}/';
  return [
    plain({ method: 'GET', path: '/v2/heartbeats/', summary: 'Armed heartbeats' }, (call) =>
      heartbeats.list(call.account),
    ),
    withBody(
      { method: 'POST', path: '/v2/heartbeats/', summary: 'Arm a heartbeat' },
      schemas.heartbeatBody(settings.minHeartbeatS, settings.maxHeartbeatS),
      settings.maxBodyChars,
      (call, body) => heartbeats.create(call.account, body.timeout),
    ),
    plain({ method: 'GET', path, summary: 'A heartbeat' }, (call) =>
      heartbeats.get(call.account, id(call, 'heartbeat_id')),
    ),
    plain({ method: 'DELETE', path, summary: 'Disarm a heartbeat', acts: true }, (call) =>
      heartbeats.delete(call.account, id(call, 'heartbeat_id')),
    ),
    plain({ method: 'POST', path: `${path}refresh/`, summary: 'Push a heartbeat out', acts: true }, (call) =>
      heartbeats.refresh(call.account, id(call, 'heartbeat_id')),
    ),
  ];
}

function marketDataEndpoints({ catalogue, scheduler, settings }: EndpointParts): Endpoint[] {
  const offersOf = (event: EventRecord): readonly NamedOffer[] =>
    shownOffers(event, scheduler.nowMs, holdMsOf(settings));
  return [
    withQuery(
      { method: 'GET', path: '/v2/events/', summary: 'Events that have prices', marketData: true },
      schemas.eventsQuery,
      schemas.EVENTS_QUERY_FORM,
      (call, query) => eventsReply(catalogue, call.account, query),
    ),
    withQuery(
      { method: 'GET', path: '/v2/offers/', summary: 'Offers of events', marketData: true },
      schemas.offersQuery,
      schemas.OFFERS_QUERY_FORM,
      (call, query) => {
        const release = call.account.budgets.enterOffers();
        if (release === null) return throttled(1);
        return { ...offersReply(catalogue, call.account, query, offersOf), release };
      },
    ),
    withQuery(
      { method: 'GET', path: '/v2/sports/{sport}/bet_types/{bet_type}/', summary: 'What a bet type pays' },
      schemas.betTypeQuery,
      schemas.TEXT_QUERY_FORM,
      (call, { home_team: home, away_team: away }) =>
        betTypeReply(catalogue, id(call, 'sport'), id(call, 'bet_type'), { home, away }),
    ),
  ];
}
