import type { ExchangePrices } from '../domain/exchange-prices.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { Direction } from '../domain/selection.ts';
import type { EventBook, MarketBook, SelectionBook } from './books.ts';
import type { OwnStakes } from './own-stake.ts';
import type { Instant, PriceMeaning, Prices } from './prices.ts';
import type { Candidate } from './state.ts';

/** What candidates are judged by. */
type JudgingPrices = Pick<Prices, 'liquidityMicros' | 'offerFreshness' | 'areFresh'>;

/** A selection as it was last judged. */
class JudgedCandidate implements Candidate {
  readonly book: SelectionBook;
  forMicros: Micros | null = null;
  againstMicros: Micros | null = null;
  /** Judged again only after a change, as long as its offers stay fresh. */
  isSteady = false;

  constructor(book: SelectionBook) {
    this.book = book;
  }

  get selectionId(): SelectionId {
    return this.book.id;
  }

  get marketType(): string {
    return this.book.marketType;
  }

  get quotable(): boolean {
    return this.book.for !== null && this.book.against !== null;
  }

  liquidityMicros(direction: Direction): Micros | null {
    return direction === 'for' ? this.forMicros : this.againstMicros;
  }
}

/**
 * The candidates of every event. Each look asks for tens of thousands, and few have changed, so each is remembered as it was judged.
 */
export class Candidates {
  readonly #prices: JudgingPrices;
  readonly #own: Pick<OwnStakes, 'follows'>;
  readonly #meaning: Pick<PriceMeaning, 'current'>;
  readonly #events = new WeakMap<EventBook, EventCandidates>();

  constructor(
    prices: JudgingPrices,
    own: Pick<OwnStakes, 'follows'>,
    meaning: Pick<PriceMeaning, 'current'>,
  ) {
    [this.#prices, this.#own, this.#meaning] = [prices, own, meaning];
  }

  /** Call it when an offer, a private quote or an order of ours changed on the selection. */
  touch(selection: SelectionBook): void {
    this.#events.get(selection.event)?.touch(selection);
  }

  /**
   * The candidates of an event as they are now, in the order in which they were first seen. They change with the next call. Those that are
   * known to have less than `leastMicros` for takers of one direction are left out.
   */
  of(event: EventBook, at: Instant, leastMicros: Micros): readonly Candidate[] {
    const known = this.#events.get(event) ?? new EventCandidates(this.#prices, this.#own);
    this.#events.set(event, known);
    const all = known.now(event, this.#meaning.current, at);
    return leastMicros === -Infinity ? all : known.withAtLeast(leastMicros);
  }
}

/**
 * The candidates of one event. A steady one has nothing but fresh offers, and is judged again only after a change. The others may change by
 * themselves, and are judged each time: a private quote expires, our orders are shown late, and old offers may be seen again unchanged.
 */
class EventCandidates {
  readonly #all: JudgedCandidate[] = [];
  /**
   * The liquidity of the thinner direction of each, infinite where it is not known. One look compares ten thousand, so they lie side by side
   * in memory.
   */
  readonly #thinMicros: Micros[] = [];
  readonly #changed = new Set<JudgedCandidate>();
  #unsteady: JudgedCandidate[] = [];
  /** The offers of all steady candidates were seen at this monotonic instant or later, and in this epoch. */
  #sightedMs = Infinity;
  #epoch = -1;
  #exchangePrices: ExchangePrices | null = null;
  readonly #prices: JudgingPrices;
  readonly #own: Pick<OwnStakes, 'follows'>;

  constructor(prices: JudgingPrices, own: Pick<OwnStakes, 'follows'>) {
    [this.#prices, this.#own] = [prices, own];
  }

  touch({ index }: SelectionBook): void {
    const candidate = this.#all[index];
    if (candidate !== undefined) this.#changed.add(candidate);
  }

  now(event: EventBook, exchangePrices: ExchangePrices, at: Instant): readonly Candidate[] {
    this.#addNew(event);
    this.#noteExchangePrices(exchangePrices);
    const sighting = { atMs: this.#sightedMs, epoch: this.#epoch };
    if (!this.#prices.areFresh(event, sighting, at)) this.#lookAtSteady(at);
    for (const candidate of this.#unsteady) this.#changed.add(candidate);
    if (this.#changed.size === 0) return this.#all;
    this.#unsteady = [];
    for (const candidate of this.#changed) {
      this.#judge(candidate, at);
      if (!candidate.isSteady) this.#unsteady.push(candidate);
    }
    this.#changed.clear();
    return this.#all;
  }

  withAtLeast(leastMicros: Micros): readonly Candidate[] {
    const found: Candidate[] = [];
    for (let at = 0; at < this.#thinMicros.length; at++)
      if ((this.#thinMicros[at] as Micros) >= leastMicros) found.push(this.#all[at] as JudgedCandidate);
    return found;
  }

  #addNew({ byOutcome }: EventBook): void {
    if (byOutcome.size === this.#all.length) return;
    for (const book of byOutcome.values()) {
      if (book.index < this.#all.length) continue;
      const candidate = new JudgedCandidate(book);
      this.#all.push(candidate);
      this.#thinMicros.push(Infinity);
      this.#changed.add(candidate);
    }
  }

  /** They decide what stakes the exchange's prices mean. */
  #noteExchangePrices(prices: ExchangePrices): void {
    if (prices === this.#exchangePrices) return;
    this.#exchangePrices = prices;
    for (const candidate of this.#all) this.#changed.add(candidate);
  }

  /** Finds the steady candidates whose offers are no longer fresh. */
  #lookAtSteady(at: Instant): void {
    [this.#sightedMs, this.#epoch] = [Infinity, at.epoch];
    for (const candidate of this.#all) {
      if (!candidate.isSteady) continue;
      if (hasOnlyFreshOffers(candidate.book, this.#prices, at)) this.#noteSighting(candidate.book);
      else this.#changed.add(candidate);
    }
  }

  #judge(candidate: JudgedCandidate, at: Instant): void {
    const { book } = candidate;
    const prices = this.#prices;
    candidate.forMicros = liquidityMicros(book.for, prices, at);
    candidate.againstMicros = liquidityMicros(book.against, prices, at);
    this.#thinMicros[book.index] = thinMicros(candidate);
    candidate.isSteady = hasOnlyFreshOffers(book, prices, at) && !this.#own.follows(book.id);
    if (candidate.isSteady) this.#noteSighting(book);
  }

  #noteSighting(book: SelectionBook): void {
    this.#noteOffer(book.for);
    this.#noteOffer(book.against);
  }

  #noteOffer(market: MarketBook | null): void {
    if (market !== null && market.offer !== null && market.sighting.atMs < this.#sightedMs)
      this.#sightedMs = market.sighting.atMs;
  }
}

/** Whether the selection has no private quote, and no offer that is stale or gone. Ten thousand are asked this every two seconds. */
const hasOnlyFreshOffers = (book: SelectionBook, prices: JudgingPrices, at: Instant): boolean =>
  hasNothingElse(book.for, prices, at) && hasNothingElse(book.against, prices, at);

const hasNothingElse = (market: MarketBook | null, prices: JudgingPrices, at: Instant): boolean =>
  market === null ||
  (market.quote === null && (market.offer === null || prices.offerFreshness(market, at) === 'fresh'));

/** The liquidity of the thinner direction; infinite unless both are known and can be quoted. */
const thinMicros = ({ quotable, forMicros, againstMicros }: JudgedCandidate): Micros =>
  quotable && forMicros !== null && againstMicros !== null ? Math.min(forMicros, againstMicros) : Infinity;

/** Of takers of a market: 0 if it is gone; null if its prices are too old. */
function liquidityMicros(market: MarketBook | null, prices: JudgingPrices, at: Instant): Micros | null {
  if (market === null) return 0;
  const liquidity = prices.liquidityMicros(market, at);
  if (liquidity !== null) return liquidity;
  return prices.offerFreshness(market, at) === 'absent' ? 0 : null;
}
