import { filter, map, merge, type Observable, observeOn, queueScheduler, share } from 'rxjs';
import type { AccountChange } from '../account/changes.ts';
import type { EventView, MarketSide } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import {
  type ExchangePrices,
  LAY_PRICES,
  orderMarket,
  reportedTerms,
  secondKind,
} from '../domain/exchange-prices.ts';
import type { BetslipId, BetType, SelectionId, Sport } from '../domain/ids.ts';
import { logit, type PriceKind, reachesLogOdds } from '../domain/odds.ts';
import type { BetslipRequest } from '../domain/orders.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { Direction } from '../domain/selection.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { StreamEntry, StreamSignal } from '../domain/stream.ts';
import { InvariantError } from '../lib/assert.ts';
import type { Moment } from '../lib/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { knownValues, type Metrics } from '../ports/metrics.ts';
import { Betslips } from './betslips.ts';
import { Books, type EventBook, type SelectionBook } from './books.ts';
import { Candidates } from './candidates.ts';
import {
  type AccountFacts,
  chosenBooks,
  eventState,
  eventView,
  perDirection,
  selectionState,
} from './describe.ts';
import { Grids } from './grids.ts';
import { OwnStakes } from './own-stake.ts';
import { type Instant, Prices } from './prices.ts';
import { QuotedSelections } from './quoted-selections.ts';
import { RecentFills } from './recent-fills.ts';
import { type MarketChange, type MarketInput, Reducer, type ReducerDeps } from './reducer.ts';
import { SourcePrices, type SourceRules, type SourceState } from './source-prices.ts';
import type { Candidate, EventState, SelectionState } from './state.ts';

export type { MarketChange } from './reducer.ts';
export { type KeyOf, keysFrom } from './source-keys.ts';
export type { SourceRules, SourceState } from './source-prices.ts';
export type { Candidate, EventState, Freshness, HeldPrices, SelectionState } from './state.ts';
export * from './universe.ts';

export interface MarketOptions {
  /** Prices that were not seen for longer than this are stale. */
  readonly staleAfterMs: number;
  /** How long a broadcast of an event may take to arrive in full. A market that is missing by then is gone. Default 1500. */
  readonly absentAfterMs?: number;
  /** How long after a fill or a close the exchange may still show the stake as ours. Default 2500. */
  readonly ownLingerMs?: number;
  /** The configured price sources. Default: none. */
  readonly priceSources?: readonly SourceRules[];
}

export interface MarketDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly options: MarketOptions;
  /** What the exchange's prices are, now: it may change once it is proven. Default: every price is the price of the selection. */
  readonly exchangePrices?: () => ExchangePrices;
  /** Whether a betslip of ours is a `lay` one: its quotes name the `for` bet type and are for takers against it. Default: none is. */
  readonly isLayBetslip?: (id: BetslipId) => boolean;
}

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
  /** The selections of an event with at least one market that was seen, as they are now. The next call changes them. */
  candidates(event: EventName): readonly Candidate[];
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

const ABSENT_AFTER_MS = 1_500;
/** An order may take two seconds to reach a book in play. */
const OWN_LINGER_MS = 2_500;

export function createMarket({
  clock,
  logger,
  metrics,
  options,
  exchangePrices = () => LAY_PRICES,
  isLayBetslip = () => false,
}: MarketDeps): Market {
  const { staleAfterMs, absentAfterMs = ABSENT_AFTER_MS, ownLingerMs = OWN_LINGER_MS } = options;
  const books = new Books();
  const betslips = new Betslips();
  const own = new OwnStakes(ownLingerMs, staleAfterMs);
  const fills = new RecentFills();
  const grids = new Grids();
  const quoted = new QuotedSelections();
  const sourcePrices = new SourcePrices(options.priceSources ?? []);
  const prices = new Prices({ betslips, own, exchangePrices, isLayBetslip, staleAfterMs, absentAfterMs });
  const candidates = new Candidates({ prices, own, exchangePrices });
  const failures = failureHooks(logger, metrics);
  const reducer = new Reducer({
    books,
    betslips,
    own,
    fills,
    quoted,
    candidates,
    sourcePrices,
    exchangePrices,
    isLayBetslip,
    staleAfterMs,
    absentAfterMs,
    clock,
    ...failures,
  });
  const now = (): Instant => ({ nowMs: clock.monotonicMs(), epoch: reducer.epoch });
  /** Our share of the changed markets is judged here, so that no read changes a later one. */
  const reduce = (input: MarketInput): MarketChange | null => {
    const change = reducer.reduce(input);
    for (const event of change?.events ?? [])
      for (const selection of books.event(event)?.byOutcome.values() ?? [])
        if (own.follows(selection.id)) prices.judgeOwnShare(selection, now());
    return change;
  };
  return {
    changes$: (inputs) => changes$(reduce, inputs),
    setGrid: (...lookup) => grids.set(...lookup),
    priceSources: () => sourcePrices.states(now().nowMs),
    ...reads({ books, own, fills, grids, quoted, candidates, sourcePrices, prices, exchangePrices, now }),
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

/** The entries of a stream. */
const TAGS: Readonly<Record<StreamEntry['tag'], true>> = {
  ...{ event: true, remove_event: true, clear_events: true, sync: true, offer: true, remove_offer: true },
  ...{ event_score: true, event_red_cards: true, event_time: true, pmm: true, betslip: true },
  ...{ betslip_closed: true, order: true, bet: true, balance: true, other: true },
};

/** Bad data is counted and skipped. A broken invariant is passed on and stops the daemon. */
function failureHooks(
  logger: Logger,
  metrics: Metrics,
): Pick<ReducerDeps, 'onDroppedFrame' | 'onFailedEntry'> {
  const dropped = metrics.counter('touchline_market_dropped_frames_total', 'Frames of an earlier connection');
  const failed = metrics.counter(
    'touchline_market_failed_entries_total',
    'Entries not applied',
    ['tag'],
    knownValues('tag', Object.keys(TAGS)),
  );
  return {
    onDroppedFrame: ({ epoch }) => {
      dropped.inc();
      logger.debug('dropped a frame of an earlier connection', { epoch });
    },
    onFailedEntry: (entry, error) => {
      if (error instanceof InvariantError) throw error;
      failed.inc({ tag: entry.tag });
      logger.error('a stream entry could not be applied', { tag: entry.tag, error });
    },
  };
}

interface ReadDeps {
  readonly books: Books;
  readonly own: OwnStakes;
  readonly fills: RecentFills;
  readonly grids: Grids;
  readonly quoted: QuotedSelections;
  readonly candidates: Candidates;
  readonly sourcePrices: SourcePrices;
  readonly prices: Prices;
  readonly exchangePrices: () => ExchangePrices;
  readonly now: () => Instant;
}

function reads(deps: ReadDeps): Omit<Market, 'changes$' | 'setGrid' | 'priceSources'> {
  const { books, own, prices, now } = deps;
  const marketOf = (id: SelectionId): Record<Direction, PriceList | null> => {
    const book = books.selection(id);
    return perDirection((direction) => prices.side(book?.[direction] ?? null, now())?.priceList ?? null);
  };
  return {
    events: () => eventStates(books.events(), prices, now()),
    event(event) {
      const book = books.event(event);
      return (book && eventState(book, prices, now())) ?? undefined;
    },
    candidates(event) {
      const book = books.event(event);
      return book === undefined ? [] : deps.candidates.of(book, now());
    },
    selection(id) {
      const book = books.selection(id);
      return book && selectionState(book, prices, own.openOrders(id), now());
    },
    resolve: (id, kind) => requestOf(books.selection(id), kind, deps.exchangePrices()),
    reachesMid(id, direction) {
      const book = books.selection(id);
      const mid = book === undefined ? null : prices.mid(book, now());
      if (mid === null) return null;
      const kind =
        direction === 'for'
          ? 'odds-for'
          : secondKind(deps.exchangePrices(), 1 / mid, deps.quoted.secondKindOf(id));
      return reachesLogOdds(kind, logit(mid));
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
      const sources = { ...deps, exchangePrices: deps.exchangePrices(), account, at, wallMs };
      return eventView(
        book,
        chosenBooks(chosen, (id) => books.selection(id), book),
        sources,
      );
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
