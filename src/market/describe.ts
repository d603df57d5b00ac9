import type {
  BudgetLevels,
  EventView,
  Holding,
  MarketSide,
  PositionView,
  RecordedFacts,
  SelectionView,
  Suspension,
} from '../domain/event-view.ts';
import { isPassiveDelay } from '../domain/bet-delay.ts';
import type { SportEvent } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { secondKind } from '../domain/exchange-prices.ts';
import { midProbability } from '../domain/odds.ts';
import { bestPrice, levelCount } from '../domain/price-list.ts';
import { type Direction, type Selection, selectionFrom } from '../domain/selection.ts';
import { type EventBook, type MarketBook, NEVER, type SelectionBook } from './books.ts';
import type { MarketState } from './market-state.ts';
import { ownQuoteOf } from './own-quotes.ts';
import type { Instant, Prices } from './prices.ts';
import type { EventState, SelectionState } from './state.ts';

/** A value for each direction. */
export function perDirection<T>(of: (direction: Direction) => T): Record<Direction, T> {
  return { for: of('for'), against: of('against') };
}

export function isInRunning(book: EventBook, prices: Prices, at: Instant): boolean {
  return mayHaveStarted(book.event) || book.time !== null || isOfferedInRunning(book, prices, at);
}

/** The specification names only one status that precedes the start; the meaning of the others is not known. */
const mayHaveStarted = (event: SportEvent | null): boolean =>
  event !== null && event.irStatus !== '' && event.irStatus !== 'pre_event';

/** Ignores markets that are gone or were not seen on this connection: they say nothing about now. */
function isOfferedInRunning({ inRunningOffers, markets }: EventBook, prices: Prices, at: Instant): boolean {
  if (inRunningOffers === 0) return false;
  return markets.some((market) => {
    const freshness = prices.offerFreshness(market, at);
    return market.offer?.inRunning === true && (freshness === 'fresh' || freshness === 'stale');
  });
}

/** Null for an event that the exchange has not described. */
export function eventState(book: EventBook, prices: Prices, at: Instant): EventState | null {
  if (book.event === null) return null;
  const { event, score, redCards, time } = book;
  const suspended = suspensionOf(book.markets, prices, at);
  return {
    event,
    current: book.epoch === at.epoch,
    inRunning: isInRunning(book, prices, at),
    score,
    scoreAgeMs: score === null ? null : at.nowMs - book.liveMs,
    redCards,
    time,
    suspended,
  };
}

/**
 * Ignores markets without any offer so far: only a private quote has named them, for example an earlier run's betslip. One fresh price
 * decides, so the markets of an event that trades are hardly looked at.
 */
function suspensionOf(markets: readonly MarketBook[], prices: Prices, at: Instant): boolean | null {
  let [isSighted, isKnown] = [false, true];
  for (const market of markets) {
    if (market.sighting === NEVER) continue;
    isSighted = true;
    if (market.offer === null) continue;
    const freshness = prices.offerFreshness(market, at);
    if (freshness === 'stale' || freshness === 'earlier-epoch') isKnown = false;
    else if (freshness === 'fresh' && levelCount(market.offer.priceList) > 0) return false;
  }
  return isSighted && isKnown ? true : null;
}

export function selectionState(
  book: SelectionBook,
  prices: Prices,
  orders: readonly LiveOrder[],
  at: Instant,
): SelectionState {
  const { id, outcome, event } = book;
  return {
    selection: { id, sport: event.sport, eventId: event.eventId, outcome },
    marketType: book.marketType,
    betTypes: perDirection((direction) => book[direction]?.betType ?? null),
    offers: perDirection((direction) => prices.heldOffer(book[direction], at)),
    takenAway: perDirection((direction) => takenAway(book[direction], at)),
    quotes: perDirection((direction) => prices.heldQuote(book[direction], at)),
    orders,
  };
}

function takenAway(market: MarketBook | null, { nowMs }: Instant): SelectionState['takenAway'][Direction] {
  if (market?.offer !== null || market.sighting === NEVER) return null;
  const { atMs, epoch } = market.sighting;
  return { ageMs: nowMs - atMs, epoch };
}

/** The part of a view that concerns our account. Ledger and budgets know it, not the market. */
export interface AccountFacts {
  readonly position: (id: SelectionId) => PositionView;
  /** Every selection of the event with a position, known to this market or not. Those of other events change nothing. */
  readonly held: readonly SelectionId[];
  /** Profit of the event's settled bets. */
  readonly realisedMicros: Micros;
  readonly budgets: BudgetLevels | null;
}

/** The data behind a view, at one instant. */
export interface ViewSources {
  readonly state: MarketState;
  readonly account: AccountFacts;
  readonly at: Instant;
  readonly wallMs: number;
}

/**
 * The event as a strategy sees it, with the chosen selections. Null if the exchange has not described the event on this
 * connection. Each view also notes the mids of its selections.
 */
export function eventView(
  event: EventBook,
  chosen: readonly SelectionBook[],
  sources: ViewSources,
): EventView | null {
  if (event.event === null || event.epoch !== sources.at.epoch) return null;
  const description = event.event;
  const { startTimeMs } = description;
  const { holdings, openMicros } = heldOn(event, sources);
  sources.state.sourcePrices.note(chosen, description, sources.at.nowMs);
  const inRunning = isInRunning(event, sources.state.prices, sources.at);
  const about = { description, inRunning, untold: untold(event, sources) };
  return {
    eventId: event.eventId,
    sport: event.sport,
    eventName: nameOrNull(description.eventName),
    competitionName: nameOrNull(description.competitionName),
    competitionId: description.competitionId,
    home: nameOrNull(description.home),
    away: nameOrNull(description.away),
    nowMs: sources.wallMs,
    startsInMs: startTimeMs === null ? null : startTimeMs - sources.wallMs,
    inRunning,
    score: event.score,
    redCards: event.redCards,
    matchClock: event.time,
    selections: chosen.map((book) => selectionView(book, about, sources)),
    holdings,
    profit: { realisedMicros: sources.account.realisedMicros, openMicros },
    budgets: sources.account.budgets,
  };
}

/** The exchange leaves a name empty that it does not know. */
const nameOrNull = (name: string): string | null => (name === '' ? null : name);

/** What the views of an event's selections have in common. */
interface AboutEvent {
  readonly description: SportEvent;
  readonly inRunning: boolean;
  readonly untold: RecordedFacts;
}

/** On an exchange whose stream names neither trades nor delays, and no suspension. */
function untold({ markets }: EventBook, { state: { prices }, at }: ViewSources): RecordedFacts {
  const suspended = suspensionOf(markets, prices, at);
  return UNTOLD[suspended === null ? 'unknown' : suspended ? 'no-prices' : 'none'];
}

const untoldWith = (suspension: Suspension | null): RecordedFacts =>
  Object.freeze({ lastTraded: null, tradedVolume: null, betDelayMs: null, betDelayModels: null, suspension });

const UNTOLD = {
  none: untoldWith('none'),
  'no-prices': untoldWith('no-prices'),
  unknown: untoldWith(null),
};

function selectionView(
  book: SelectionBook,
  { description, inRunning, untold: facts }: AboutEvent,
  sources: ViewSources,
): SelectionView {
  const { id, outcome, event } = book;
  const { state, account, at, wallMs } = sources;
  const { prices, own } = state;
  const market = perDirection((direction) => prices.side(book[direction], at));
  const best = perDirection((direction) => bestOf(direction, market[direction]));
  const mid = midProbability(best.for, best.against);
  const moment = { monotonicMs: at.nowMs, wallMs };
  const { name, mids } = state.quoted.view(book, description, mid, moment);
  const { lastTraded, tradedVolume, betDelayMs, betDelayModels, suspension } =
    state.recordedFacts?.(id) ?? facts;
  // An order of ours that rests did not wait where only takers do.
  const waitedMs = isPassiveDelay(betDelayModels) ? 0 : betDelayMs;
  const around = { market, inRunning, betDelayMs: waitedMs, nowMs: at.nowMs };
  return {
    selectionId: id,
    marketType: book.marketType,
    outcome,
    name,
    market,
    ...priceKindsOf(id, mid === null ? (best.for ?? best.against) : 1 / mid, state),
    position: account.position(id),
    quotes: own.openOrders(id).map((order) => ownQuoteOf(order, around)),
    grid: state.grids.of(event.sport, outcome),
    recentFills: state.fills.of(id, at.nowMs),
    mids,
    mid,
    lastTraded,
    tradedVolume,
    betDelayMs,
    betDelayModels,
    suspension,
    sourcePrices: state.sourcePrices.view(id, at.nowMs),
  };
}

/** What the prices of our orders are, at a price of the selection. Left out while they are prices of the selection by themselves. */
function priceKindsOf(
  id: SelectionId,
  price: number | null,
  { quoted, meaning }: MarketState,
): Pick<SelectionView, 'priceKinds'> {
  const exchangePrices = meaning.current;
  if (exchangePrices.convention === 'lay') return {};
  const against = quoted.chooseSecondKind(id, (before) => secondKind(exchangePrices, price, before));
  return { priceKinds: { for: 'odds-for', against } };
}

const bestOf = (direction: Direction, side: MarketSide | null): number | null =>
  side === null ? null : bestPrice(direction, side.priceList);

/** The positions of the event, and their expected profit at the mids; null while a mid is missing. */
function heldOn(
  event: EventBook,
  { account: { position, held }, state: { grids, prices }, at }: ViewSources,
): { readonly holdings: readonly Holding[]; readonly openMicros: Micros | null } {
  const holdings: Holding[] = [];
  let openMicros: number | null = 0;
  for (const selection of heldSelections(event, held)) {
    const { id, outcome } = selection;
    const holding = position(id);
    if (holding.ifWinMicros === 0 && holding.ifLoseMicros === 0) continue;
    holdings.push({ selectionId: id, position: holding, grid: grids.of(event.sport, outcome) });
    if (openMicros === null) continue;
    const mid = 'for' in selection ? prices.mid(selection, at) : null;
    openMicros =
      mid === null ? null : openMicros + mid * holding.ifWinMicros + (1 - mid) * holding.ifLoseMicros;
  }
  return { holdings, openMicros: openMicros === null ? null : Math.round(openMicros) };
}

/** The selections that are held: those with a book in the order of their books, then those without one. */
function heldSelections(
  { sport, eventId, byOutcome }: EventBook,
  held: readonly SelectionId[],
): (SelectionBook | Selection)[] {
  const books: SelectionBook[] = [];
  const unlisted: Selection[] = [];
  for (const id of held) {
    const name = selectionFrom(id);
    if (name?.sport !== sport || name.eventId !== eventId) continue;
    const book = byOutcome.get(name.outcome);
    if (book === undefined) unlisted.push(name);
    else books.push(book);
  }
  return [...books.sort((a, b) => a.index - b.index), ...unlisted];
}

/** The chosen selections of one event, in the given order. */
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
