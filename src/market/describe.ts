import type { EventView, Holding, PositionView, SelectionView } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import { type LiveOrder, unfilledMicros } from '../domain/live-order.ts';
import {
  bestLevel,
  EMPTY_PRICE_LIST,
  levelCount,
  type PriceList,
  totalMaxMicros,
} from '../domain/price-list.ts';
import { DIRECTIONS, type Direction } from '../domain/selection.ts';
import type { EventBook, MarketBook, SelectionBook } from './books.ts';
import type { Grids } from './grids.ts';
import type { OwnOrders } from './own-orders.ts';
import type { Instant, Prices } from './prices.ts';
import type { RecentFills } from './recent-fills.ts';
import type { Candidate, EventState, SelectionState } from './state.ts';

/** A value for each direction. */
export function perDirection<T>(of: (direction: Direction) => T): Record<Direction, T> {
  return { for: of('for'), against: of('against') };
}

export function isInRunning(book: EventBook): boolean {
  return book.event?.irStatus === 'in_running' || book.time !== null || book.inRunningOffers > 0;
}

/** Null for an event that the exchange has not described. */
export function eventState(book: EventBook, prices: Prices, at: Instant): EventState | null {
  if (book.event === null) return null;
  const { event, score, redCards, time } = book;
  const suspended = suspensionOf(book.markets, prices, at);
  return {
    ...{ event, current: book.epoch === at.epoch, inRunning: isInRunning(book) },
    ...{ score, redCards, time, suspended },
  };
}

function suspensionOf(markets: readonly MarketBook[], prices: Prices, at: Instant): boolean | null {
  const offered = markets.filter(({ offer }) => offer !== null);
  if (markets.length === 0) return null;
  let judged = true;
  for (const market of offered) {
    const freshness = prices.offerFreshness(market, at);
    if (freshness === 'stale' || freshness === 'earlier-epoch') judged = false;
    else if (freshness === 'fresh' && levelCount(market.offer?.priceList ?? []) > 0) return false;
  }
  return judged ? true : null;
}

export const marketTypeOf = ({ markets }: SelectionBook): string =>
  markets.for?.offer?.marketType ?? markets.against?.offer?.marketType ?? '';

export function selectionState(
  book: SelectionBook,
  prices: Prices,
  orders: readonly LiveOrder[],
  at: Instant,
): SelectionState {
  const { selection, markets } = book;
  return {
    selection,
    marketType: marketTypeOf(book),
    betTypes: perDirection((direction) => markets[direction]?.betType ?? null),
    offers: perDirection((direction) => prices.heldOffer(markets[direction], at)),
    quotes: perDirection((direction) => prices.heldQuote(markets[direction], at)),
    orders,
  };
}

export function candidate(book: SelectionBook, prices: Prices, at: Instant): Candidate {
  const lists = perDirection((direction) => currentList(book.markets[direction], prices, at));
  return {
    selectionId: book.selection.id,
    marketType: marketTypeOf(book),
    quotable: DIRECTIONS.every((direction) => book.markets[direction] !== null),
    liquidityMicros: perDirection((direction) => lists[direction] && totalMaxMicros(lists[direction])),
    bestPrice: perDirection((direction) => bestLevel(direction, lists[direction] ?? [])?.price ?? null),
  };
}

/** Empty where the market is gone; null where what is held is too old to tell. */
function currentList(market: MarketBook | null, prices: Prices, at: Instant): PriceList | null {
  if (market === null) return EMPTY_PRICE_LIST;
  const side = prices.side(market, at);
  if (side !== null) return side.priceList;
  return prices.offerFreshness(market, at) === 'absent' ? EMPTY_PRICE_LIST : null;
}

/** What a view is made of, at one instant. */
export interface ViewSources {
  readonly prices: Prices;
  readonly own: OwnOrders;
  readonly fills: RecentFills;
  readonly grids: Grids;
  readonly position: (id: SelectionId) => PositionView;
  readonly at: Instant;
  readonly wallMs: number;
}

/**
 * The event as a strategy sees it, with the chosen selections. Null where the exchange has not described the event on
 * this connection.
 */
export function eventView(
  event: EventBook,
  chosen: readonly SelectionBook[],
  sources: ViewSources,
): EventView | null {
  if (event.event === null || event.epoch !== sources.at.epoch) return null;
  const { startTimeMs } = event.event;
  return {
    eventId: event.eventId,
    sport: event.sport,
    nowMs: sources.wallMs,
    startsInMs: startTimeMs === null ? null : startTimeMs - sources.wallMs,
    inRunning: isInRunning(event),
    score: event.score,
    selections: chosen.map((book) => selectionView(book, sources)),
    holdings: holdings(event, sources),
  };
}

function selectionView(book: SelectionBook, sources: ViewSources): SelectionView {
  const { selection, markets } = book;
  const { prices, own, at } = sources;
  return {
    selectionId: selection.id,
    marketType: marketTypeOf(book),
    outcome: selection.outcome,
    market: perDirection((direction) => prices.side(markets[direction], at)),
    position: sources.position(selection.id),
    quotes: own.openOrders(selection.id).map((order) => ({
      ...{ direction: order.direction, tick: order.tick, unfilledMicros: unfilledMicros(order) },
    })),
    grid: sources.grids.of(selection),
    recentFills: sources.fills.of(selection.id, sources.wallMs),
  };
}

function holdings(event: EventBook, { position, grids }: ViewSources): Holding[] {
  return event.selections.flatMap(({ selection }) => {
    const held = position(selection.id);
    if (held.ifWinMicros === 0 && held.ifLoseMicros === 0) return [];
    return [{ selectionId: selection.id, position: held, grid: grids.of(selection) }];
  });
}

/** Where a strategy is asked for quotes: the selections of one event, in the order given. */
export function chosenBooks(
  chosen: readonly SelectionId[],
  find: (id: SelectionId) => SelectionBook | undefined,
  event: EventBook,
): SelectionBook[] {
  return chosen.flatMap((id) => {
    const book = find(id);
    return book?.event === event ? [book] : [];
  });
}
