import { filter, map, merge, type Observable, observeOn, queueScheduler, share } from 'rxjs';
import type { AccountChange } from '../account/changes.ts';
import type { EventView, MarketSide } from '../domain/event-view.ts';
import { eventKey, type EventName, type PlayState } from '../domain/events.ts';
import {
  type ExchangePrices,
  LAY_PRICES,
  orderMarket,
  reportedTerms,
  secondKind,
} from '../domain/exchange-prices.ts';
import type { BetType, SelectionId, Sport } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { logit, type PriceKind, reachesLogOdds } from '../domain/odds.ts';
import type { BetslipRequest } from '../domain/orders.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { Direction } from '../domain/selection.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Moment } from '../lib/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { EventBook, SelectionBook } from './books.ts';
import {
  type AccountFacts,
  chosenBooks,
  eventState,
  eventView,
  isInRunning,
  perDirection,
  selectionState,
} from './describe.ts';
import { MarketFailures } from './failures.ts';
import { type MarketOptions, MarketState } from './market-state.ts';
import type { Instant, PriceMeaning, Prices } from './prices.ts';
import { type MarketChange, type MarketInput, Reducer } from './reducer.ts';
import type { SourceState } from './source-prices.ts';
import type { Candidate, EventState, SelectionState } from './state.ts';

export type { MarketOptions } from './market-state.ts';
export type { PriceMeaning } from './prices.ts';
export type { MarketChange } from './reducer.ts';
export { type KeyOf, keysFrom } from './source-keys.ts';
export { SourcePrices, type SourceRules, type SourceState } from './source-prices.ts';
export type { Candidate, EventState, HeldPrices, SelectionState } from './state.ts';
export * from './universe.ts';

export interface MarketInputs {
  readonly signals$: Observable<StreamSignal>;
  readonly account$: Observable<AccountChange>;
  readonly sourcePrices$: Observable<SourceBatch>;
}

/**
 * The exchange's market as last received. All prices are prices of the selection, and stakes are those at them: exact complements
 * where the exchange shows odds against it. Each read is judged at the instant of the call, by the monotonic clock.
 */
export interface Market {
  /**
   * Joins the stream, our orders, our fills and the price sources in one reducer. Emits at most once for each input, in order of arrival, even if a
   * subscriber causes further inputs. Errors only with InvariantError. Subscribe once.
   */
  changes$(inputs: MarketInputs): Observable<MarketChange>;
  /**
   * Stores the exchange's answer to a bet type lookup for the views of every event of the sport. Returns false if a cell cannot
   * be read; views then have no grid.
   */
  setGrid(sport: Sport, betType: BetType, codes: readonly (readonly string[])[]): boolean;
  /** Every event that the exchange has described and not removed. */
  events(): Iterable<EventState>;
  event(event: EventName): EventState | undefined;
  /** What orders on an event in play are judged by. A recorded market is asked for no score: it never counts as in play here. */
  playOf(event: EventName): PlayState;
  /**
   * The selections of an event with at least one market that was seen, as they are now. The next call changes them. With `leastMicros`,
   * those are left out that are known to have less for takers of one direction.
   */
  candidates(event: EventName, leastMicros?: Micros): readonly Candidate[];
  selection(id: SelectionId): SelectionState | undefined;
  /**
   * The betslip for orders whose prices are of a kind. Null until the exchange names the bet type, or if no betslip of the exchange
   * has such prices.
   */
  resolve(id: SelectionId, kind: PriceKind): BetslipRequest | null;
  /**
   * Whether the ladder of our orders in a direction reaches the middle of the market; null if the middle is not known. Reading it
   * changes nothing.
   */
  reachesMid(id: SelectionId, direction: Direction): boolean | null;
  /** The prices of one source alone, public offers or our private quote, without our own stake. Null if nothing is fresh. */
  sourceOf(id: SelectionId, source: MarketSide['source']): Readonly<Record<Direction, PriceList | null>>;
  /** The public offers without our own stake, if they are younger than our private quote; else null. */
  youngerOffersOf(id: SelectionId): Readonly<Record<Direction, PriceList | null>>;
  /** The best price of each direction in `marketOf`, and the age of the youngest fresh prices that are held. Null if none are. */
  bestOf(id: SelectionId): (Readonly<Record<Direction, number | null>> & { readonly ageMs: number }) | null;
  /** Prices available to takers, without our own stake; null if nothing is fresh. */
  marketOf(id: SelectionId): Readonly<Record<Direction, PriceList | null>>;
  /**
   * A strategy's view: the chosen selections of one event. Null if the event is not known on this connection. The view is judged
   * at `at`, and its mids are noted.
   */
  view(event: EventName, chosen: readonly SelectionId[], account: AccountFacts, at: Moment): EventView | null;
  /** The state of each configured price source. */
  priceSources(): readonly SourceState[];
}

/** What the market tells. */
export type MarketRead = Omit<Market, 'changes$' | 'setGrid'>;

/** Every price is the price of the selection, and no betslip is a `lay` one. */
const LAY_MEANING: PriceMeaning = { current: LAY_PRICES, isLay: () => false };

export function createMarket(
  options: MarketOptions,
  clock: Clock,
  logger: Logger,
  metrics: Metrics,
  meaning = LAY_MEANING,
): Market {
  const state = new MarketState(options, meaning);
  const { books, own, prices, grids, sourcePrices } = state;
  const reducer = new Reducer(state, clock, new MarketFailures(logger, metrics));
  const now = (): Instant => ({ nowMs: clock.monotonicMs(), epoch: reducer.epoch });
  /** Our share of the changed markets is judged here, so that no read changes a later one. */
  const reduce = (input: MarketInput): MarketChange | null => {
    const change = reducer.reduce(input);
    for (const event of change?.events ?? [])
      for (const id of own.followedOn(eventKey(event))) {
        const selection = books.selection(id);
        if (selection !== undefined) prices.judgeOwnShare(selection, now());
      }
    return change;
  };
  return {
    changes$: (inputs) => changes$(reduce, inputs),
    setGrid: (...lookup) => grids.set(...lookup),
    priceSources: () => sourcePrices.states(now().nowMs),
    ...reads(state, now),
  };
}

/** The join: one reducer over all inputs, one at a time, even if an emission causes further inputs. */
function changes$(
  reduce: (input: MarketInput) => MarketChange | null,
  { signals$, account$, sourcePrices$ }: MarketInputs,
): Observable<MarketChange> {
  return merge(
    signals$,
    account$,
    sourcePrices$.pipe(map((batch) => ({ kind: 'source_prices' as const, ...batch }))),
  ).pipe(
    observeOn(queueScheduler),
    map(reduce),
    filter((change) => change !== null),
    share(),
  );
}

const NOT_KNOWN: PlayState = { inRunning: false, score: null };

function reads(
  state: MarketState,
  now: () => Instant,
): Omit<Market, 'changes$' | 'setGrid' | 'priceSources'> {
  const { books, own, prices, quoted, candidates, meaning } = state;
  const marketOf = (id: SelectionId): Record<Direction, PriceList | null> => {
    const book = books.selection(id);
    const at = now();
    return {
      for: prices.side(book?.for ?? null, at)?.priceList ?? null,
      against: prices.side(book?.against ?? null, at)?.priceList ?? null,
    };
  };
  return {
    events: () => eventStates(books.events(), prices, now()),
    event(event) {
      const book = books.event(event);
      return (book && eventState(book, prices, now())) ?? undefined;
    },
    playOf(event) {
      const book = state.recordedFacts === undefined ? books.event(event) : undefined;
      return book === undefined
        ? NOT_KNOWN
        : { inRunning: isInRunning(book, prices, now()), score: book.score };
    },
    candidates(event, leastMicros = -Infinity) {
      const book = books.event(event);
      return book === undefined ? [] : candidates.of(book, now(), leastMicros);
    },
    selection(id) {
      const book = books.selection(id);
      return book && selectionState(book, prices, own.openOrders(id), now());
    },
    resolve: (id, kind) => requestOf(books.selection(id), kind, meaning.current),
    reachesMid(id, direction) {
      const book = books.selection(id);
      const mid = book === undefined ? null : prices.mid(book, now());
      if (mid === null) return null;
      const kind =
        direction === 'for' ? 'odds-for' : secondKind(meaning.current, 1 / mid, quoted.secondKindOf(id));
      return reachesLogOdds(kind, logit(mid));
    },
    bestOf(id) {
      const book = books.selection(id);
      if (book === undefined) return null;
      const at = now();
      const ageMs = Math.min(prices.freshAgeMs(book.for, at), prices.freshAgeMs(book.against, at));
      if (ageMs === Infinity) return null;
      return { for: prices.best(book.for, at), against: prices.best(book.against, at), ageMs };
    },
    marketOf,
    sourceOf(id, source) {
      const book = books.selection(id);
      return perDirection((direction) => prices.ofSource(book?.[direction] ?? null, source, now()));
    },
    youngerOffersOf(id) {
      const book = books.selection(id);
      return perDirection((direction) => prices.youngerOffer(book?.[direction] ?? null, now()));
    },
    view(event, chosen, account, { monotonicMs, wallMs }) {
      const book = books.event(event);
      if (book === undefined) return null;
      const at = { ...now(), nowMs: monotonicMs };
      const shown = chosenBooks(chosen, (id) => books.selection(id), book);
      return eventView(book, shown, { state, account, at, wallMs });
    },
  };
}

/** A betslip whose prices are of another kind than the order's would turn the order's price into a different bet. */
function requestOf(
  selection: SelectionBook | undefined,
  kind: PriceKind,
  exchangePrices: ExchangePrices,
): BetslipRequest | null {
  const { betTypeDirection, betslipType } = orderMarket(kind, exchangePrices);
  const betType = selection?.[betTypeDirection]?.betType;
  if (selection === undefined || betType === undefined) return null;
  if (reportedTerms(betType, betslipType, exchangePrices)?.priceKind !== kind) return null;
  const { sport, eventId } = selection.event;
  return { sport, eventId, betType, ...(betslipType === 'lay' ? { betslipType } : {}) };
}

function* eventStates(books: Iterable<EventBook>, prices: Prices, at: Instant): Generator<EventState> {
  for (const book of books) {
    const state = eventState(book, prices, at);
    if (state !== null) yield state;
  }
}
