/**
 * The shape of every resource that the exchange answers with or streams (specification, Resources and their fields; the
 * rest from the published facts). `RESOURCES` names the shapes for the document's components.
 */
import { z } from 'zod';
import { MAX_LEG_SCORE } from '../core/settings.ts';

const money = z.tuple([z.string(), z.number()]).meta({ description: '[currency, amount]' });
const time = z.iso.datetime({ offset: true });
/** ISO 8601, or Unix seconds when the exchange is set to them. */
const moment = z.union([time, z.number()]);
const count = z.int().min(0);
const score = z.tuple([count, count]);
const eventId = z.string().regex(/^\d{4}-\d{2}-\d{2},[^,]+,[^,]+$/);
/** An event id; empty on the betslip of a parlay, which has no single event. */
const eventIdOrNone = z.string().regex(/^(\d{4}-\d{2}-\d{2},[^,]+,[^,]+)?$/);

const effective = z.strictObject({ price: z.number(), min: money.nullable(), max: money });
const priceList = z.array(z.strictObject({ effective }));

const leg = z.strictObject({
  id: z.int(),
  sport: z.string(),
  event_id: eventId,
  bet_type: z.string(),
  live_score: z.strictObject({ home: count.max(MAX_LEG_SCORE), away: count.max(MAX_LEG_SCORE) }),
  bet_type_description: z.string(),
  price: z.number().nullable(),
  outcome: z.string().nullable(),
});

const betslipFields = {
  betslip_id: z.string(),
  sport: z.string(),
  event_id: eventIdOrNone,
  bet_type: z.string(),
  bet_type_description: z.string(),
  expiry_ts: moment,
  is_open: z.boolean(),
  close_reason: z.string().nullable(),
  equivalent_bets: z.boolean(),
  customer_username: z.string(),
  customer_ccy: z.string(),
  betslip_type: z.enum(['normal', 'lay', 'parlay']),
  user_data: z.string().nullable(),
  legs: z.array(leg).nullable(),
};

const betslip = z.strictObject(betslipFields);
const quotedBetslip = z.strictObject({ ...betslipFields, price_list: priceList, total: money.nullable() });

const offer = z.strictObject({
  sport: z.string(),
  event_id: eventId,
  bet_type: z.string(),
  market_type: z.string(),
  in_running: z.boolean(),
  price_list: priceList,
});

const quote = z.strictObject({
  betslip_id: z.string(),
  sport: z.string(),
  event_id: eventIdOrNone,
  bet_type: z.string(),
  status: z.looseObject({ code: z.string() }),
  price_list: priceList,
  total: money.nullable(),
});

const team = z.strictObject({ team_id: z.int(), name: z.string() });

const eventFields = {
  sport: z.string(),
  event_id: eventId,
  competition_id: z.int(),
  competition_name: z.string(),
  competition_country: z.string(),
  event_name: z.string(),
  ir_status: z.string(),
  start_time: time,
};

const event = z.discriminatedUnion('event_type', [
  z.strictObject({ event_type: z.literal('normal'), ...eventFields, home: z.string(), away: z.string() }),
  z.strictObject({
    event_type: z.literal('multirunner'),
    ...eventFields,
    teams: z.array(team),
    end_time: time,
  }),
]);

const bet = z.strictObject({
  bet_id: z.int(),
  order_id: z.int(),
  order_ccy_rate: z.number(),
  ccy_rate: z.number(),
  status: z.strictObject({
    code: z.string(),
    reason: z.string().optional(),
    response_pmm: z.strictObject({ effective }).optional(),
  }),
  sport: z.string(),
  event_id: eventId.nullable(),
  bet_type: z.string(),
  want_price: z.number(),
  got_price: z.number(),
  want_stake: money,
  got_stake: money,
  profit_loss: money,
  reconciled: z.boolean(),
  exchange_role: z.enum(['maker', 'taker']),
});

const fullTime = { ft_home: count, ft_away: count };

/** Fields of a home and an away score for each of several periods; null for a period that was not played. */
const periodScores = (most: number, nameOf: (period: number) => readonly [home: string, away: string]) =>
  Object.fromEntries(
    Array.from({ length: most }, (_, i) => nameOf(i + 1)).flatMap((names) =>
      names.map((name) => [name, count.nullable()] as const),
    ),
  );

/** The result has the form of its sport. */
const result = z.union([
  z.strictObject({ ht_home: count, ht_away: count, ...fullTime }),
  z.strictObject(fullTime),
  z.strictObject({
    ...periodScores(5, (set) => [`set${set}_p1`, `set${set}_p2`]),
    who_retired: count.nullable(),
  }),
  z.strictObject(
    Object.fromEntries(
      ['tp1', 'tp2', 'tp3', 'tall', 'pen'].flatMap((part) =>
        ['home', 'away'].map((side) => [`${part}_${side}`, count.nullable()] as const),
      ),
    ),
  ),
  z.strictObject(periodScores(7, (game) => [`game${game}_home`, `game${game}_away`])),
  z.strictObject({
    runner_results: z.array(z.strictObject({ team_id: z.int(), position: z.int().min(-3) })),
    non_runner_count: count,
  }),
]);

const eventInfoFields = {
  event_type: z.string(),
  event_id: eventId,
  event_name: z.string(),
  home_id: z.int(),
  home_team: z.string(),
  away_id: z.int(),
  away_team: z.string(),
  competition_id: z.int(),
  competition_name: z.string(),
  competition_country: z.string(),
  start_time: time,
  date: z.iso.date(),
  result: result.nullable(),
  teams: z.array(team),
  end_time: time.nullable(),
};

const legEventInfo = z.strictObject({ ...eventInfoFields, leg_event_infos: z.array(z.never()) });
const eventInfo = z.strictObject({
  ...eventInfoFields,
  event_id: eventId.nullable(),
  leg_event_infos: z.array(legEventInfo),
});

const order = z.strictObject({
  order_id: z.int(),
  order_type: z.string(),
  bet_type: z.string(),
  bet_type_description: z.string(),
  sport: z.string(),
  want_price: z.number(),
  want_stake: money,
  ccy_rate: z.number(),
  placement_time: time,
  expiry_time: time,
  closed: z.boolean(),
  close_reason: z.string().nullable(),
  status: z.string(),
  keep_open_ir: z.boolean(),
  exchange_mode: z.enum(['make_and_take', 'take_only', 'dark']),
  price: z.number().nullable(),
  stake: money.nullable(),
  profit_loss: money.nullable(),
  bet_bar_values: z
    .strictObject({ success: money, inprogress: money, danger: money, unplaced: money })
    .nullable(),
  current_score: score.nullable(),
  legs: z.array(leg).nullable(),
  event_info: eventInfo,
  bets: z.array(bet),
  user_data: z.string().nullable(),
});

const heartbeat = z.strictObject({ heartbeat_id: z.string(), expiry_time: time });

const grid = z.strictObject({ ccy_code: z.string(), values: z.array(z.array(z.number())) });

const position = z.strictObject({
  sport: z.string(),
  event_id: z.string(),
  payoff_grid: grid.nullable(),
  totals: z.record(
    z.string(),
    z.strictObject({
      bet_type_description: z.string(),
      got_price: z.number().nullable(),
      got_stake: money,
      unknown_price: z.number().nullable(),
      unknown_stake: money,
    }),
  ),
  unknown_bets_num: count,
  unknown_grid: grid.nullable(),
  cashout_info: z.strictObject({
    allowed: z.boolean(),
    reason: z.string().nullable(),
    valuation: money.nullable(),
    stake: money.nullable(),
    smart_credit_delta: money.nullable(),
    position: z.unknown(),
  }),
});

const balance = z.strictObject({ balance: money, open_stake: money, smart_credit: money.nullable() });
const xrate = z.strictObject({ ccy: z.string(), rate: z.number() });

/** `hw` and `hl` are the half win and half loss of quarter lines; their published coding is not known. */
const cell = z.enum(['w', 'l', 'p', 'v', 'hw', 'hl']);

const betTypeInfo = z.strictObject({
  sport: z.string(),
  bet_type_description: z.string(),
  winloss_grid: z.array(z.array(cell).length(20)).length(20),
});

/** Every named shape of the document. */
export const RESOURCES = {
  Nothing: z.null(),
  Betslip: betslip,
  QuotedBetslip: quotedBetslip,
  BetslipIds: z.array(z.string()),
  Order: order,
  Orders: z.array(order),
  ClosedOrders: z.array(z.array(z.int())),
  CloseManyResult: z.strictObject({
    closed: z.array(z.array(z.int())),
    not_found: z.array(z.array(z.int())),
  }),
  Position: position,
  Balance: balance,
  ExchangeRates: z.array(xrate),
  ExchangeRate: xrate,
  Heartbeat: heartbeat,
  Heartbeats: z.strictObject({ heartbeats: z.array(heartbeat) }),
  Event: event,
  Events: z.array(event),
  Offer: offer,
  Offers: z.array(offer),
  BetTypeInfo: betTypeInfo,
  Quote: quote,
  Bet: bet,
} as const;

export type ResourceName = keyof typeof RESOURCES;

const eventRef = { sport: z.string(), event_id: z.string() };

const commandResponse = z.union([
  z.strictObject({ status: z.literal('ok'), data: z.unknown() }),
  z.strictObject({ status: z.literal('error'), code: z.string() }),
]);

/** The payload of each tag. */
const ENTRIES = {
  event: RESOURCES.Event,
  sync: z.strictObject({ session_id: z.string() }),
  offer: RESOURCES.Offer,
  response: commandResponse,
  pmm: RESOURCES.Quote,
  order: RESOURCES.Order,
  bet: RESOURCES.Bet,
  betslip: RESOURCES.Betslip,
  betslip_closed: z.strictObject({ betslip_id: z.string(), close_reason: z.string() }),
  balance: RESOURCES.Balance,
  xrate: RESOURCES.ExchangeRate,
  info: z.strictObject({ registered_events: z.int().min(0) }),
  clear_events: z.null(),
  remove_event: z.strictObject(eventRef),
  remove_offer: z.strictObject({ ...eventRef, bet_type: z.string() }),
  event_time: z.strictObject({ ...eventRef, time: z.tuple([z.string(), z.number().nullable()]).nullable() }),
  event_score: z.strictObject({ ...eventRef, score }),
  event_red_cards: z.strictObject({ ...eventRef, score }),
} as const;

const entry = (tag: string, payload: z.ZodType): z.ZodType => z.tuple([z.literal(tag), payload]);

/** A server frame: every entry with the payload of its tag. */
export const streamFrame = z.strictObject({
  ts: moment,
  data: z.array(z.union(Object.entries(ENTRIES).map(([tag, payload]) => entry(tag, payload)))),
});
