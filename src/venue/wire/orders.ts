import { z } from 'zod';
import { betType, eventId, orderId, sport } from '../../domain/ids.ts';
import type { OrderPage, UnreadOrder } from '../../domain/order-listing.ts';
import { type FinalResult, OPEN_STATUSES } from '../../domain/orders.ts';
import { readBet } from './bets.ts';
import { clamped } from './bounds.ts';
import { legs } from './betslips.ts';
import { teams } from './events.ts';
import { attempted, lenientArrayReader, listOf, noteValue, objectReader, type Reader } from './reader.ts';
import type { BetBarValues, EventInfo, OrderDetails } from './resources.ts';
import * as w from './scalars.ts';
import {
  CLOSE_REASONS,
  EXCHANGE_MODES,
  LEG_OUTCOMES,
  ORDER_STATUSES,
  ORDER_TYPES,
  type Survey,
} from './survey.ts';

const betBarValues = z
  .object({
    success: w.amountOrNull,
    inprogress: w.amountOrNull,
    danger: w.amountOrNull,
    unplaced: w.amountOrNull,
  })
  .transform((bar): BetBarValues => ({
    successMicros: bar.success,
    inProgressMicros: bar.inprogress,
    dangerMicros: bar.danger,
    unplacedMicros: bar.unplaced,
  }))
  .nullable()
  .catch(null);

/**
 * Reads `{ht_home, ht_away, ft_home, ft_away}`. The other published forms (`set1_p1`, `tp1_home`, `game1_home`,
 * `runner_results`) have neither score.
 */
function readResult(value: unknown): FinalResult | null {
  if (!w.isRecord(value)) return null;
  const { ht_home, ht_away, ft_home, ft_away } = value;
  return { halfTime: w.readScore([ht_home, ht_away]), fullTime: w.readScore([ft_home, ft_away]) };
}

const eventInfoShape = {
  event_type: w.label,
  event_id: w.label,
  event_name: w.label,
  home_id: w.numberOrNull,
  home_team: w.label,
  away_id: w.numberOrNull,
  away_team: w.label,
  competition_id: w.numberOrNull,
  competition_name: w.label,
  competition_country: w.label,
  start_time: w.timestampOrNull,
  end_time: w.timestampOrNull,
  date: w.label,
  result: w.anything.transform(readResult),
  teams,
  leg_event_infos: w.anything,
};

interface EventInfoWithResult {
  readonly info: EventInfo;
  readonly result: FinalResult | null;
}

const readEventInfo: Reader<EventInfoWithResult> = objectReader(
  'event_info',
  eventInfoShape,
  (fields, survey): EventInfoWithResult => ({
    result: fields.result,
    info: {
      eventType: fields.event_type,
      eventId: eventId(fields.event_id),
      eventName: fields.event_name,
      homeId: fields.home_id,
      homeTeam: fields.home_team,
      awayId: fields.away_id,
      awayTeam: fields.away_team,
      competitionId: fields.competition_id,
      competitionName: fields.competition_name,
      competitionCountry: fields.competition_country,
      startTimeMs: fields.start_time,
      endTimeMs: fields.end_time,
      date: fields.date,
      teams: fields.teams,
      legEventInfos: legEventInfos(fields.leg_event_infos, survey),
    },
  }),
);

function legEventInfos(value: unknown, survey: Survey): readonly EventInfo[] {
  return Array.isArray(value) ? value.filter(w.isRecord).map((item) => readEventInfo(item, survey).info) : [];
}

const orderShape = {
  order_id: w.integer,
  order_type: w.label,
  bet_type: w.label,
  bet_type_description: w.label,
  sport: w.label,
  want_price: w.number,
  want_stake: w.money,
  ccy_rate: w.numberOrNull,
  placement_time: w.timestampOrNull,
  expiry_time: w.timestampOrNull,
  closed: w.flagOrNull,
  close_reason: w.textOrNull,
  status: w.text,
  keep_open_ir: w.flag,
  exchange_mode: w.textOrNull,
  price: w.numberOrNull,
  stake: w.moneyOrNull,
  profit_loss: w.moneyOrNull,
  bet_bar_values: betBarValues,
  current_score: w.scoreOrNull,
  legs,
  event_info: w.anything,
  bets: z.array(z.unknown()).nullish(),
  user_data: w.textOrNull,
};

type OrderFields = z.output<z.ZodObject<typeof orderShape>>;

/** The order resource of REST and stream. A bet that cannot be read costs no other bet. It is counted, because fills are money. */
export const readOrder: Reader<OrderDetails> = objectReader('order', orderShape, (fields, survey) => {
  noteUnknownValues(fields, survey);
  const event = w.isRecord(fields.event_info) ? readEventInfo(fields.event_info, survey) : null;
  return { ...identityOf(fields, event, survey), ...outcomeOf(fields), ...detailsOf(fields, event, survey) };
});

function noteUnknownValues(fields: OrderFields, survey: Survey): void {
  noteValue(survey, 'order.status', fields.status, ORDER_STATUSES);
  noteValue(survey, 'order.order_type', fields.order_type, ORDER_TYPES);
  noteValue(survey, 'order.close_reason', fields.close_reason, CLOSE_REASONS);
  noteValue(survey, 'order.exchange_mode', fields.exchange_mode, EXCHANGE_MODES);
  for (const { outcome } of fields.legs) noteValue(survey, 'leg.outcome', outcome, LEG_OUTCOMES);
}

/** The order's expiry, not later than the longest life allows. */
function expiryOf(fields: OrderFields, survey: Survey): number | null {
  const { placement_time: placedMs, expiry_time: expiryMs } = fields;
  if (placedMs === null || expiryMs === null) return expiryMs;
  const lifeS = (expiryMs - placedMs) / 1_000;
  const believedS = clamped('order.life', lifeS, survey);
  return believedS === lifeS ? expiryMs : placedMs + believedS * 1_000;
}

function identityOf(fields: OrderFields, event: EventInfoWithResult | null, survey: Survey) {
  return {
    orderId: orderId(fields.order_id),
    orderType: fields.order_type,
    sport: sport(fields.sport),
    eventId: event?.info.eventId ?? eventId(''),
    betType: betType(fields.bet_type),
    wantPrice: fields.want_price,
    wantStakeMicros: fields.want_stake,
    placementTimeMs: fields.placement_time,
    expiryTimeMs: expiryOf(fields, survey),
    exchangeMode: fields.exchange_mode,
    keepOpenInRunning: fields.keep_open_ir,
    userData: fields.user_data,
  };
}

function outcomeOf(fields: OrderFields) {
  const { closed, status } = fields;
  // A final status ends an order even against the flag. Without a flag, an unpublished status does so, too.
  const isOver = !OPEN_STATUSES.includes(status) && (closed === null || ORDER_STATUSES.has(status));
  return {
    status,
    closed: closed === true || isOver,
    closeReason: fields.close_reason,
    price: fields.price,
    stakeMicros: fields.stake,
    profitLossMicros: fields.profit_loss,
  };
}

const readBets = lenientArrayReader('bets', readBet);

function detailsOf(fields: OrderFields, event: EventInfoWithResult | null, survey: Survey) {
  const given = fields.bets ?? [];
  const bets = readBets(given, survey);
  return {
    betTypeDescription: fields.bet_type_description,
    ccyRate: fields.ccy_rate,
    betBarValues: fields.bet_bar_values,
    currentScore: fields.current_score,
    legs: fields.legs,
    eventInfo: event?.info ?? null,
    bets,
    ...(bets.length === given.length ? {} : { unreadBets: given.length - bets.length }),
    result: event?.result ?? null,
  };
}

/** A page of a list of orders. An entry that cannot be read is counted, and costs no other entry. */
export const readOrderPage: Reader<OrderPage<OrderDetails>> = (raw, survey) => {
  const orders: OrderDetails[] = [];
  const unread: UnreadOrder[] = [];
  for (const [at, entry] of listOf('orders', raw).entries()) {
    const label = labelOf(entry);
    const read = attempted(`orders: ${label}`, entry, readOrder, survey);
    if (read === null) unread.push({ at, label, ...readablePartOf(entry) });
    else orders.push(...read);
  }
  return { orders, unread };
};

const LONGEST_LABEL = 64;

/** What stands as the id of an entry; the beginning of the entry itself if it has none. */
function labelOf(entry: unknown): string {
  const id = w.isRecord(entry) ? entry['order_id'] : null;
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : JSON.stringify(entry);
  return text.slice(0, LONGEST_LABEL);
}

function readablePartOf(entry: unknown): Pick<UnreadOrder, 'orderId' | 'userData'> {
  if (!w.isRecord(entry)) return { orderId: null, userData: null };
  const { order_id: id, user_data: tag } = entry;
  const number = w.readNumber(id);
  return {
    orderId: number !== null && Number.isSafeInteger(number) ? orderId(number) : null,
    userData: typeof tag === 'string' ? tag : null,
  };
}
