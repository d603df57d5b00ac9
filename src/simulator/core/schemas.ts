import { z } from 'zod';
import type { OrderRecord } from './model.ts';
import { MAX_LEG_SCORE, MAX_SCORE } from './settings.ts';

/**
 * The schema of every request body and query (specification, Endpoints; field names that it leaves open come from the
 * published facts). The server's OpenAPI document is generated from the same schemas.
 */

/** The form of a query string's parameters. */
export interface QueryForm {
  /** Parameters that may repeat and are lists. */
  readonly repeatable: readonly string[];
  /** Parameters that are numbers. */
  readonly numbers: readonly string[];
}

const MAX_AMOUNT = 1_000_000_000;
/** The ladder bounds prices of single orders; the price of a parlay may be higher. */
const MAX_PRICE = 1_000_000;
const MAX_ID_CHARS = 512;
const MAX_DURATION_S = 31_536_000;
const DAY_OR_INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/;
export const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const text = z.string().min(1).max(MAX_ID_CHARS);
const amount = z.number().max(MAX_AMOUNT);
const stake = z.tuple([z.literal('USDT'), amount.positive()]);
const minimum = z.tuple([z.literal('USDT'), amount.nonnegative()]);
const pointsUpTo = (most: number) => z.number().int().nonnegative().max(most);
const points = pointsUpTo(MAX_SCORE);
const scorePair = z.tuple([points, points]);
const liveScore = z.object({ home: points, away: points });
const legScore = z.object({ home: pointsUpTo(MAX_LEG_SCORE), away: pointsUpTo(MAX_LEG_SCORE) });
const userData = z.string().max(MAX_ID_CHARS);
const eventId = z.string().regex(/^\d{4}-\d{2}-\d{2},[^,]+,[^,]+$/, 'invalid event_id');

/** Milliseconds of a day or an instant, UTC without a zone. NaN for an invalid text. */
function instantOf(value: string): number {
  const [, day = '', time = '00:00', , hours, minutes] = DAY_OR_INSTANT.exec(value) ?? [];
  const midnightMs = Date.parse(day);
  // Date.parse accepts the 31st of any month.
  if (Number.isNaN(midnightMs) || !new Date(midnightMs).toISOString().startsWith(day)) return NaN;
  return Date.parse(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

const timestamp = z
  .string()
  .refine((value) => !Number.isNaN(instantOf(value)), { error: 'Enter a valid date/time.' })
  .transform(instantOf)
  .pipe(z.number());

const leg = z.object({ sport: text, event_id: text, bet_type: text, live_score: legScore.nullish() });

/** `POST /v2/betslips/`: one selection, or the legs of a parlay. */
export const betslipBody = z.object({
  betslip_type: z.enum(['normal', 'lay', 'parlay']).default('normal'),
  sport: text.optional(),
  event_id: text.optional(),
  bet_type: text.optional(),
  legs: z.array(leg).min(2).max(10).optional(),
  equivalent_bets: z.boolean().default(true),
  exclude_danger: z.boolean().default(false),
  live_score: liveScore.nullish(),
  user_data: userData.nullish(),
});
export type BetslipBody = z.infer<typeof betslipBody>;

/** `POST /v2/orders/`. */
export const orderBody = z.object({
  betslip_id: text,
  price: z.number().gt(1).max(MAX_PRICE),
  stake,
  duration: z.number().positive().max(MAX_DURATION_S).optional(),
  request_uuid: text.nullish(),
  exchange_mode: z.enum(['make_and_take', 'take_only', 'dark']).default('make_and_take'),
  keep_open_ir: z.boolean().default(false),
  min_taker_want_stake: minimum.nullish(),
  current_score: scorePair.nullish(),
  exclude_danger: z.boolean().default(false),
  bookie_min_stakes: z.record(z.string(), minimum).nullish(),
  user_data: userData.nullish(),
  accept_partial_fill: z.boolean().default(true),
  accept_better_price: z.boolean().default(true),
  force_want_price: z.boolean().default(false),
  placer_type: z.string().nullish(),
});
export type OrderBody = z.infer<typeof orderBody>;

/** `POST /v2/orders/close_many/`. */
export const closeManyBody = z.object({ order_ids: z.array(z.number().int()).min(1).max(500) });

/** `POST /v2/orders/close_all/`. */
export const closeAllBody = z
  .object({ sport: text.nullish(), event_id: text.nullish() })
  .refine((body) => !body.event_id || Boolean(body.sport), {
    path: ['sport'],
    error: 'sport is required with event_id',
  });

/** `POST /v2/heartbeats/`. The exchange's settings give the bounds of `timeout`. */
export const heartbeatBody = (minS: number, maxS: number) =>
  z.object({ timeout: z.number().int().min(minS).max(maxS) });

const orderFilters = {
  status: z.array(text).optional(),
  sport: z.array(text).optional(),
  event_id: z.array(text).optional(),
  order_type: z.array(text).optional(),
  date_from: timestamp.optional(),
  date_to: timestamp.optional(),
  search: z.string().max(MAX_ID_CHARS).optional(),
};

/** `GET /v2/orders/`. */
export const orderListQuery = z.object({
  ...orderFilters,
  page: z.number().int().min(1).default(1),
  page_size: z.number().int().min(1).max(1000).default(25),
});
export type OrderListQuery = z.infer<typeof orderListQuery>;

/** `GET /v2/orders/position/`. `include_cashout_info` is accepted and ignored. */
export const positionQuery = z.object({ ...orderFilters, include_cashout_info: z.string().optional() });
export type OrderFilters = z.infer<typeof positionQuery>;

export const ORDER_QUERY_FORM: QueryForm = {
  repeatable: ['status', 'sport', 'event_id', 'order_type'],
  numbers: ['page', 'page_size'],
};

/** The form of queries without lists and numbers. */
export const TEXT_QUERY_FORM: QueryForm = { repeatable: [], numbers: [] };

/** `GET /v2/orders/updates/`. */
export const updatesQuery = z.object({ updated_at_from: timestamp, updated_at_to: timestamp });

/** `GET /v2/events/`. */
export const eventsQuery = z
  .object({
    sport: z.array(text).optional(),
    competition_id: z.array(z.number().int()).optional(),
    event_id: z.array(eventId).optional(),
    ir_status: z.enum(['pre_event', 'in_running']).optional(),
    start_time_from: timestamp.optional(),
    start_time_to: timestamp.optional(),
    lang: z.enum(['en', 'ko', 'zh-hans']).default('en'),
    limit: z.number().int().min(1).max(5000).default(500),
    after: z.string().optional(),
  })
  .refine((query) => query.sport !== undefined || (query.competition_id ?? query.event_id) === undefined, {
    path: ['sport'],
    error: 'sport is required with competition_id or event_id',
  });
export type EventsQuery = z.infer<typeof eventsQuery>;
export const EVENTS_QUERY_FORM: QueryForm = {
  repeatable: ['sport', 'competition_id', 'event_id'],
  numbers: ['competition_id', 'limit'],
};

/** `GET /v2/offers/`. */
export const offersQuery = z.object({
  sport: text,
  event_id: z.array(eventId).min(1).max(20),
  bet_type: z.array(text).max(100).optional(),
  market_type: z.array(text).max(100).optional(),
  min_liquidity: z.number().nonnegative().default(0),
  limit: z.number().int().min(1).max(5000).default(500),
  after: z.string().optional(),
});
export type OffersQuery = z.infer<typeof offersQuery>;
export const OFFERS_QUERY_FORM: QueryForm = {
  repeatable: ['event_id', 'bet_type', 'market_type'],
  numbers: ['min_liquidity', 'limit'],
};

/** `GET /v2/sports/{sport}/bet_types/{bet_type}/`: the names of the teams for the description. */
export const betTypeQuery = z.object({
  home_team: z.string().max(MAX_ID_CHARS).optional(),
  away_team: z.string().max(MAX_ID_CHARS).optional(),
});

/** Whether a value passes a filter of lists and positions. Everything passes an absent filter. */
export const isAmong = <T>(value: T, wanted: readonly T[] | undefined): boolean =>
  wanted === undefined || wanted.includes(value);

/** Both bounds are included; everything passes an absent bound. */
export const isWithin = (value: number, from = -Infinity, to = Infinity): boolean =>
  value >= from && value <= to;

/** Whether an order passes the filters of the order list (and of positions). */
export function orderMatches(order: OrderRecord, filters: OrderFilters): boolean {
  return (
    isAmong(order.status, filters.status) &&
    isAmong(order.sport, filters.sport) &&
    isAmong(order.eventId, filters.event_id) &&
    isAmong(order.orderType, filters.order_type) &&
    isWithin(order.placedMs, filters.date_from, filters.date_to) &&
    mentions(order, filters.search)
  );
}

/** Searches, ignoring case: names of events and competitions, the description, the caller's `user_data`, the order id. */
function mentions(order: OrderRecord, search: string | undefined): boolean {
  if (search === undefined || search === '') return true;
  const names = order.events.flatMap(({ info }) => [
    info.eventName,
    info.competitionName,
    info.home,
    info.away,
  ]);
  const texts = [...names, order.description, order.terms.userData ?? '', String(order.orderId)];
  return texts.join('\n').toLowerCase().includes(search.toLowerCase());
}
