/** Converts the exchange's records to the documented JSON. */
import { describedFor } from '../../domain/bet-types/index.ts';
import type { ParsedBetType } from '../../domain/bet-types/result.ts';
import { fromMicros, type Micros } from '../../domain/money.ts';
import {
  type Account,
  type BetRecord,
  type BetslipRecord,
  type BetslipSelection,
  type EventRecord,
  type HeartbeatRecord,
  identityOf,
  type LegRecord,
  limitOf,
  type MarketBook,
  type OrderRecord,
} from './model.ts';
import { resultJson } from './result-json.ts';

export const CURRENCY = 'USDT';

export type Money = readonly [string, number];

export const money = (micros: Micros): Money => [CURRENCY, fromMicros(micros)];

/** ISO 8601 with `Z`, for frames and events. */
const isoZ = (ms: number): string => new Date(ms).toISOString();

/** ISO 8601 with `+00:00`, for orders and heartbeats. */
const isoOffset = (ms: number): string => isoZ(ms).replace('Z', '+00:00');

/** A time in the form of `ts` and `expiry_ts`. */
export const moment = (ms: number, unix: boolean): string | number => (unix ? ms / 1000 : isoZ(ms));

export const irStatus = (event: EventRecord): string => (event.inRunning ? 'in_running' : 'pre_event');

/** The payload of an `event` entry, and an item of `GET /v2/events/`. */
export function eventJson(event: EventRecord): Record<string, unknown> {
  const { info } = event;
  const shared = {
    event_type: info.eventType,
    sport: info.sport,
    event_id: info.eventId,
    competition_id: info.competitionId,
    competition_name: info.competitionName,
    competition_country: info.competitionCountry,
    event_name: info.eventName,
    ir_status: irStatus(event),
    start_time: isoZ(info.startTimeMs),
  };
  if (info.eventType === 'normal') return { ...shared, home: info.home, away: info.away };
  return {
    ...shared,
    teams: teamsJson(event),
    end_time: info.endTimeMs === null ? null : isoZ(info.endTimeMs),
  };
}

const teamsJson = (event: EventRecord): unknown[] =>
  event.info.teams.map(({ teamId, name }) => ({ team_id: teamId, name }));

export function orderJson(order: OrderRecord): Record<string, unknown> {
  const { terms } = order;
  return {
    order_id: order.orderId,
    order_type: order.orderType,
    bet_type: order.betType,
    bet_type_description: order.description,
    sport: order.sport,
    want_price: limitOf(order),
    want_stake: money(order.stakeMicros),
    ccy_rate: 1,
    placement_time: isoOffset(order.placedMs),
    expiry_time: isoOffset(order.expiryMs),
    closed: order.closed,
    close_reason: closeReasonOf(order),
    status: order.status,
    keep_open_ir: terms.keepOpenIr,
    exchange_mode: terms.mode,
    ...outcomeJson(order),
    bet_bar_values: betBarJson(order),
    current_score: terms.currentScore,
    legs: order.legs.length === 0 ? null : order.legs.map(legJson),
    event_info: eventInfoJson(order),
    bets: order.bets.map(betJson),
    user_data: terms.userData,
  };
}

/** The result fields: null until the order closes. */
function outcomeJson(order: OrderRecord): Record<string, unknown> {
  if (!order.closed) return { price: null, stake: null, profit_loss: null };
  return {
    price: averagePrice(order.bets),
    stake: money(order.filledMicros),
    profit_loss: money(order.bets.reduce((sum, bet) => sum + bet.profitMicros, 0)),
  };
}

/** The stake-weighted price of bets, rounded to a millionth; null without bets. */
export function averagePrice(bets: readonly BetRecord[]): number | null {
  const stakeMicros = bets.reduce((sum, bet) => sum + bet.stakeMicros, 0);
  if (stakeMicros === 0) return null;
  const weighted = bets.reduce((sum, bet) => sum + bet.stakeMicros * bet.price, 0);
  return Math.round((weighted / stakeMicros) * 1e6) / 1e6;
}

/** The wire's `close_reason`. A cancelled remainder is `cancelled` for every cause of cancellation. */
export function closeReasonOf(order: OrderRecord): string | null {
  if (!order.closed) return null;
  if (order.closedBy === 'filled') return 'order_filled';
  if (order.closedBy === 'duration') return 'timed_out';
  return order.closedBy === 'event' ? 'expired' : 'cancelled';
}

function betBarJson(order: OrderRecord): Record<string, Money> {
  const danger = order.bets.reduce((sum, bet) => sum + (bet.status === 'danger' ? bet.stakeMicros : 0), 0);
  const unfilled = order.stakeMicros - order.filledMicros;
  return {
    success: money(order.filledMicros - danger),
    inprogress: money(order.closed ? 0 : unfilled),
    danger: money(danger),
    unplaced: money(order.closed ? unfilled : 0),
  };
}

export function betJson(bet: BetRecord): Record<string, unknown> {
  const { order } = bet;
  return {
    bet_id: bet.betId,
    order_id: order.orderId,
    order_ccy_rate: 1,
    ccy_rate: 1,
    status: { code: bet.status },
    sport: order.sport,
    event_id: order.market === null ? null : order.eventId,
    bet_type: order.betType,
    want_price: limitOf(order),
    got_price: bet.price,
    want_stake: money(bet.stakeMicros),
    got_stake: money(bet.stakeMicros),
    profit_loss: money(bet.profitMicros),
    reconciled: bet.settled,
    exchange_role: bet.role,
  };
}

function legJson(leg: LegRecord): Record<string, unknown> {
  const [home, away] = leg.liveScore ?? [0, 0];
  return {
    id: leg.id,
    sport: leg.event.info.sport,
    event_id: leg.event.info.eventId,
    bet_type: leg.betType,
    live_score: { home, away },
    bet_type_description: legDescription(leg.market, leg.parsed),
    price: leg.price,
    outcome: leg.outcome,
  };
}

/** The leg of a parlay is described with the names of its teams. */
const legDescription = ({ event: { info } }: MarketBook, { description }: ParsedBetType): string =>
  describedFor(description, info);

/** The description of a betslip and of its orders. */
export function descriptionOf({ type, selections }: Pick<BetslipRecord, 'type' | 'selections'>): string {
  if (type !== 'parlay') return selections[0]?.parsed.description ?? '';
  return selections.map(({ market, parsed }) => legDescription(market, parsed)).join(' AND ');
}

function eventInfoJson(order: OrderRecord): Record<string, unknown> {
  const { market, events } = order;
  if (market !== null) return { ...oneEventInfoJson(market.event), leg_event_infos: [] };
  const legs = events.map((event) => ({ ...oneEventInfoJson(event), leg_event_infos: [] }));
  return { ...parlayInfoJson(order), leg_event_infos: legs };
}

/** A parlay starts with the earliest of its events and has no teams and no competition. */
function parlayInfoJson({ sport, events }: OrderRecord): Record<string, unknown> {
  const start = isoOffset(Math.min(...events.map(({ info }) => info.startTimeMs)));
  return {
    event_type: sport,
    event_id: null,
    event_name: events.map(({ info }) => info.eventName).join(' / '),
    home_id: 0,
    home_team: '',
    away_id: 0,
    away_team: '',
    competition_id: 0,
    competition_name: '',
    competition_country: '',
    start_time: start,
    date: start.slice(0, 10),
    result: null,
    teams: [],
    end_time: null,
  };
}

function oneEventInfoJson(event: EventRecord): Record<string, unknown> {
  const { info } = event;
  return {
    event_type: info.eventType,
    event_id: info.eventId,
    event_name: info.eventName,
    home_id: info.homeId,
    home_team: info.home,
    away_id: info.awayId,
    away_team: info.away,
    competition_id: info.competitionId,
    competition_name: info.competitionName,
    competition_country: info.competitionCountry,
    start_time: isoOffset(info.startTimeMs),
    date: info.eventId.slice(0, 10),
    result: resultJson(event),
    teams: teamsJson(event),
    end_time: info.endTimeMs === null ? null : isoOffset(info.endTimeMs),
  };
}

export function heartbeatJson(heartbeat: HeartbeatRecord): Record<string, unknown> {
  return { heartbeat_id: heartbeat.heartbeatId, expiry_time: isoOffset(heartbeat.expiryMs) };
}

export function balanceJson(account: Account): Record<string, unknown> {
  return {
    balance: money(account.balanceMicros),
    open_stake: money(account.openStakeMicros),
    smart_credit: money(account.exposure.creditMicros),
  };
}

/** A betslip without its prices. */
export function betslipJson(betslip: BetslipRecord, unix: boolean): Record<string, unknown> {
  const { sport, eventId, betType } = identityOf(betslip);
  return {
    betslip_id: betslip.betslipId,
    sport,
    event_id: eventId,
    bet_type: betType,
    bet_type_description: descriptionOf(betslip),
    expiry_ts: moment(betslip.expiryMs, unix),
    is_open: betslip.open,
    close_reason: betslip.closeReason,
    equivalent_bets: betslip.equivalentBets,
    customer_username: betslip.account.accountId,
    customer_ccy: CURRENCY,
    betslip_type: betslip.type,
    user_data: betslip.userData,
    legs:
      betslip.type === 'parlay' ? betslip.selections.map((_, index) => selectionJson(betslip, index)) : null,
  };
}

/** A leg of a betslip. It has a price from the betslip's first quote on, and while its market has one. */
function selectionJson({ selections, quoted, open }: BetslipRecord, index: number): Record<string, unknown> {
  const { market, betType, parsed, liveScore } = selections[index] as BetslipSelection;
  const [home, away] = liveScore ?? [0, 0];
  const { sport, eventId } = market.event.info;
  return {
    id: index + 1,
    sport,
    event_id: eventId,
    bet_type: betType,
    live_score: { home, away },
    bet_type_description: legDescription(market, parsed),
    price: quoted && open ? (market.shownLevels('odds-for')[0]?.price ?? null) : null,
    outcome: null,
  };
}
