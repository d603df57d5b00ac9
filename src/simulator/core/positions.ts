import { fromMicros, type Micros } from '../../domain/money.ts';
import { GRID_SIZE } from '../../domain/payoff.ts';
import type { Catalogue } from './catalogue.ts';
import type { Account, BetRecord, EventRecord, OrderRecord } from './model.ts';
import { addPayoffs, CELLS, type PayoffGrids } from './payoff-grids.ts';
import { invalidTogether, ok, type Reply } from './replies.ts';
import { type OrderFilters, orderMatches } from './schemas.ts';
import { averagePrice, CURRENCY, money } from './wire.ts';

export type EventsById = Pick<Catalogue, 'byId'>;

/** `GET /v2/orders/position/`: the profit of the matching orders' bets in each final score. */
export function positionReply(
  account: Account,
  filters: OrderFilters,
  catalogue: EventsById,
  grids: PayoffGrids,
): Reply {
  const { first, isMixed, bets } = matching(account, filters, catalogue);
  if (isMixed) return invalidTogether('filters match orders from multiple events');
  const { sport, eventId } = first ?? {
    sport: filters.sport?.[0] ?? '',
    eventId: filters.event_id?.[0] ?? '',
  };
  // Parlays have no event and no grids, so their replies are cheap and are not cached.
  const event = first?.market?.event;
  if (event === undefined) return replyOf(sport, eventId, bets, grids);
  const betStates = bets.map(({ betId, status }) => `${betId} ${status}`).join(',');
  const last = LAST_REPLIES.get(event);
  if (last?.betStates === betStates) return last.reply;
  const reply = replyOf(sport, eventId, bets, grids);
  LAST_REPLIES.set(event, { betStates, reply });
  return reply;
}

/** The last reply for each event. A bet changes only in its status, so equal bets in equal status have equal replies. */
const LAST_REPLIES = new WeakMap<EventRecord, { readonly betStates: string; readonly reply: Reply }>();

function replyOf(sport: string, eventId: string, bets: readonly BetRecord[], grids: PayoffGrids): Reply {
  return ok({
    sport,
    event_id: eventId,
    payoff_grid: gridJson(bets.filter(isKnown), grids),
    totals: totalsJson(bets),
    unknown_bets_num: bets.filter((bet) => !isKnown(bet)).length,
    unknown_grid: gridJson(
      bets.filter((bet) => !isKnown(bet)),
      grids,
    ),
    cashout_info: NO_CASH_OUT,
  });
}

const isKnown = (bet: BetRecord): boolean => bet.status !== 'danger';

/** The grid of the bets that final scores decide, null when every cell is zero. */
function gridJson(bets: readonly BetRecord[], grids: PayoffGrids): unknown {
  if (bets.length === 0) return null;
  const cells = payoffCells(bets, grids);
  if (cells.every((cell) => cell === 0)) return null;
  const values = Array.from({ length: GRID_SIZE }, (_, home) =>
    Array.from(cells.slice(home * GRID_SIZE, (home + 1) * GRID_SIZE), fromMicros),
  );
  return { ccy_code: CURRENCY, values };
}

/** The profit of the bets in each final score, at `home × 20 + away`. */
function payoffCells(bets: readonly BetRecord[], grids: PayoffGrids): Float64Array {
  const cells = new Float64Array(CELLS);
  for (const { order, stakeMicros, price } of bets) {
    const { market, direction, priceKind, sport } = order;
    const grid = market === null ? null : grids.of(sport, market.parsed(direction));
    if (grid !== null) addPayoffs(cells, grid, { priceKind, stakeMicros, price });
  }
  return cells;
}

interface Matching {
  /** The first matching order, null without any. */
  readonly first: OrderRecord | null;
  /** Whether the orders are of several events. All parlays count as one event. */
  readonly isMixed: boolean;
  /** The bets that are not void. */
  readonly bets: readonly BetRecord[];
}

function matching(account: Account, filters: OrderFilters, events: EventsById): Matching {
  const bets: BetRecord[] = [];
  let first: OrderRecord | null = null;
  for (const orders of candidates(account, filters, events)) {
    for (const order of orders) {
      // Most orders have no bet, and another order of the event is known: they change nothing.
      if (order.bets.length === 0 && first !== null && isOfSameEvent(order, first)) continue;
      if (order.account !== account || !orderMatches(order, filters)) continue;
      first ??= order;
      if (!isOfSameEvent(order, first)) return { first, isMixed: true, bets };
      bets.push(...order.bets);
    }
  }
  return { first, isMixed: false, bets: bets.filter(({ status }) => status !== 'void') };
}

const isOfSameEvent = (a: OrderRecord, b: OrderRecord): boolean =>
  a.sport === b.sport && a.eventId === b.eventId;

/** Orders that can match: all of the account, or all of the named events. */
function candidates(
  account: Account,
  { event_id: eventIds }: OrderFilters,
  events: EventsById,
): readonly Iterable<OrderRecord>[] {
  if (eventIds === undefined) return [account.orders.values()];
  return [...new Set(eventIds)].flatMap((eventId) => events.byId(eventId)).map(({ orders }) => orders);
}

function totalsJson(bets: readonly BetRecord[]): Record<string, unknown> {
  const described = new Map(bets.map(({ order }) => [order.betType, order.description]));
  const byBetType = Map.groupBy(bets, ({ order }) => order.betType);
  return Object.fromEntries(
    [...byBetType].map(([betType, own]) => [betType, totalJson(described.get(betType) ?? '', own)]),
  );
}

function totalJson(description: string, bets: readonly BetRecord[]): Record<string, unknown> {
  const known = bets.filter(isKnown);
  const unknown = bets.filter((bet) => !isKnown(bet));
  return {
    bet_type_description: description,
    got_price: averagePrice(known),
    got_stake: money(stakeOf(known)),
    unknown_price: averagePrice(unknown),
    unknown_stake: money(stakeOf(unknown)),
  };
}

/** The exchange offers no cash-out. */
const NO_CASH_OUT = {
  allowed: false,
  reason: null,
  valuation: null,
  stake: null,
  smart_credit_delta: null,
  position: null,
};

const stakeOf = (bets: readonly BetRecord[]): Micros => bets.reduce((sum, bet) => sum + bet.stakeMicros, 0);
