import type { AccountChange } from '../account/changes.ts';
import { eventKey, type EventName, eventNameOf, type SportEvent } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { type BetTerms, reportedTerms } from '../domain/exchange-prices.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { Offer, Quote, StreamEntry, StreamFrame, StreamSignal } from '../domain/stream.ts';
import { momentOf } from '../lib/time.ts';
import type { Clock } from '../ports/clock.ts';
import { type EventBook, type MarketBook, marketIn, NEVER, type Sighting } from './books.ts';
import type { MarketFailures } from './failures.ts';
import type { MarketState } from './market-state.ts';
import { wasLeftOut } from './prices.ts';

/** The inputs of the market's state. */
export type MarketInput = StreamSignal | AccountChange | ({ readonly kind: 'source_prices' } & SourceBatch);

/** The changes of one input. `events` holds each event once. */
export interface MarketChange {
  readonly cause: 'frame' | 'own' | 'source' | 'connection';
  readonly epoch: number;
  readonly events: readonly EventName[];
}

const PRIVATE_PRICES: ReadonlySet<StreamEntry['tag']> = new Set(['pmm', 'betslip', 'betslip_closed']);

/** The position of the last offer found: offers arrive in the same order in every frame. */
interface Cursor {
  event: EventBook | null;
  next: number;
}

/**
 * The only code that changes market state: applies connection signals, frames, our orders, our fills and the prices of price
 * sources. Each call returns the changes, or null if there are none.
 */
export class Reducer {
  readonly #state: MarketState;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'wallMs'>;
  readonly #failures: MarketFailures;
  readonly #changed = new Map<EventKey, EventName>();
  /** The event marked last: most frames change many offers of one event. */
  #lastMarked: EventBook | null = null;
  #epoch = 0;

  constructor(state: MarketState, clock: Pick<Clock, 'monotonicMs' | 'wallMs'>, failures: MarketFailures) {
    [this.#state, this.#clock, this.#failures] = [state, clock, failures];
  }

  /** The epoch of the current connection. Older data is stale until it is seen again. */
  get epoch(): number {
    return this.#epoch;
  }

  reduce(input: MarketInput): MarketChange | null {
    if (input.kind === 'frame') return this.#onFrame(input);
    if (input.kind === 'order') return this.#onOrder(input.order);
    if (input.kind === 'booked') return this.#onFill(input.fill);
    if (input.kind === 'source_prices') return this.#onSourcePrices(input);
    // Other changes of the account show nothing in the market.
    if (!('epoch' in input)) return null;
    if (input.epoch > this.#epoch) this.#enterEpoch(input.epoch);
    return this.#take('connection');
  }

  #onOrder(order: LiveOrder): MarketChange | null {
    const { own, books, candidates } = this.#state;
    own.update(order, this.#clock.monotonicMs());
    const selection = books.selection(order.selectionId);
    if (selection !== undefined) candidates.touch(selection);
    this.#changed.set(eventKey(order), order);
    return this.#take('own');
  }

  #onFill(fill: Fill): MarketChange | null {
    this.#state.fills.add(fill, momentOf(this.#clock));
    this.#changed.set(eventKey(fill), fill);
    return this.#take('own');
  }

  #onSourcePrices(batch: SourceBatch): MarketChange | null {
    const changed = this.#state.sourcePrices.take(batch, momentOf(this.#clock));
    for (const event of changed) this.#changed.set(eventKey(event), event);
    return changed.length === 0 ? null : this.#take('source');
  }

  #onFrame(frame: StreamFrame): MarketChange | null {
    if (frame.epoch < this.#epoch) {
      this.#failures.droppedFrame(frame);
      return null;
    }
    if (frame.epoch > this.#epoch) this.#enterEpoch(frame.epoch);
    this.#applyEntries(frame);
    return this.#changed.size > 0 ? this.#take('frame') : null;
  }

  #applyEntries(frame: StreamFrame): void {
    const cursor: Cursor = { event: null, next: 0 };
    const sighting: Sighting = { atMs: frame.receivedMonotonicMs, epoch: this.#epoch };
    let synced = false;
    // Entries within a frame have no guaranteed order, and private quotes need the markets that others describe.
    const quotes: StreamEntry[] = [];
    for (const entry of frame.entries) {
      if (entry.tag === 'sync') synced = true;
      else if (PRIVATE_PRICES.has(entry.tag)) quotes.push(entry);
      else this.#applyEntry(entry, cursor, sighting, frame);
    }
    if (synced) this.#dropUnseenEvents();
    for (const entry of quotes) this.#applyEntry(entry, cursor, sighting, frame);
  }

  #applyEntry(entry: StreamEntry, cursor: Cursor, sighting: Sighting, frame: StreamFrame): void {
    try {
      if (entry.tag === 'offer') this.#applyOffer(entry.offer, cursor, sighting);
      else this.#apply(entry, cursor, frame);
    } catch (error) {
      this.#failures.failedEntry(entry, error);
    }
  }

  #apply(entry: StreamEntry, cursor: Cursor, frame: StreamFrame): void {
    switch (entry.tag) {
      case 'event':
        return this.#applyEvent(entry.event);
      case 'remove_event':
        cursor.event = null;
        return this.#removeEvent(entry);
      case 'clear_events':
        cursor.event = null;
        return this.#clearEvents();
      case 'remove_offer':
        return this.#removeOffer(entry, frame.receivedMonotonicMs);
      case 'event_score':
      case 'event_red_cards':
      case 'event_time':
        return this.#applyLiveState(entry, frame.receivedMonotonicMs);
      case 'pmm':
        return this.#applyQuote(entry.quote, frame.receivedMonotonicMs);
      case 'betslip':
      case 'betslip_closed':
        return this.#applyBetslip(entry, frame);
      default:
        return undefined;
    }
  }

  #applyEvent(event: SportEvent): void {
    const book = this.#state.books.openEvent(event);
    book.event = event;
    book.epoch = this.#epoch;
    this.#mark(book);
  }

  #removeEvent(entry: StreamEntry & { tag: 'remove_event' }): void {
    const book = this.#state.books.event(entry);
    if (book === undefined) return;
    this.#forget(book);
    this.#mark(book);
  }

  #forget(book: EventBook): void {
    this.#state.books.removeEvent(book);
    for (const { id } of book.byOutcome.values()) {
      this.#state.own.forget(id);
      this.#state.quoted.forget(id);
      this.#state.sourcePrices.forget(id);
    }
  }

  #clearEvents(): void {
    for (const book of Array.from(this.#state.books.events())) {
      this.#forget(book);
      this.#mark(book);
    }
  }

  /** After `sync` the exchange has described every event that it still has, so the others are gone. */
  #dropUnseenEvents(): void {
    for (const book of Array.from(this.#state.books.events())) {
      if (book.epoch >= this.#epoch || (book.event === null && this.#isOffered(book))) continue;
      this.#forget(book);
      this.#mark(book);
    }
  }

  #isOffered(book: EventBook): boolean {
    return book.markets.some(({ sighting }) => sighting.epoch >= this.#epoch);
  }

  #applyLiveState(
    entry: StreamEntry & { tag: 'event_score' | 'event_red_cards' | 'event_time' },
    atMs: number,
  ): void {
    const book = this.#state.books.openEvent(entry);
    book.liveMs = atMs;
    if (entry.tag === 'event_score') book.score = entry.score;
    else if (entry.tag === 'event_red_cards') book.redCards = entry.redCards;
    else book.time = entry.time;
    this.#mark(book);
  }

  #applyOffer(offer: Offer, cursor: Cursor, sighting: Sighting): void {
    const market = this.#findMarket(offer, cursor);
    if (market === null) return;
    cursor.event = market.selection.event;
    cursor.next = market.index + 1;
    if (market.offer === offer) this.#sight(market, sighting);
    else this.#replaceOffer(market, offer, sighting);
  }

  /** The market that followed the last one in earlier frames if it matches; else found by name. */
  #findMarket(offer: Offer, { event, next }: Cursor): MarketBook | null {
    const expected = event?.markets[next];
    if (expected !== undefined && (expected.offer === offer || isOfferOf(expected, offer))) return expected;
    const { books } = this.#state;
    return books.openMarket(books.openEvent(offer), offer.betType);
  }

  #replaceOffer(market: MarketBook, offer: Offer, sighting: Sighting): void {
    const { event } = market.selection;
    event.inRunningOffers += Number(offer.inRunning) - Number(market.offer?.inRunning ?? false);
    market.offer = offer;
    market.selection.marketType = offer.marketType;
    this.#state.candidates.touch(market.selection);
    this.#sight(market, sighting);
    this.#mark(event);
  }

  /** Unchanged data also renews the sighting. It counts as a change only if the data had become unusable. */
  #sight(market: MarketBook, sighting: Sighting): void {
    const { event } = market.selection;
    const { atMs, epoch } = sighting;
    const { staleAfterMs, absentAfterMs } = this.#state;
    const isUsable = market.sighting.epoch === epoch && atMs - market.sighting.atMs <= staleAfterMs;
    if (!isUsable || wasLeftOut(market, atMs, absentAfterMs)) this.#mark(event);
    // Offers of one event within this time belong to one broadcast.
    if (atMs - event.broadcastMs > absentAfterMs) {
      event.wholeBroadcastMs = event.broadcastMs;
      event.broadcastMs = atMs;
    }
    market.sighting = sighting;
  }

  #removeOffer(entry: StreamEntry & { tag: 'remove_offer' }, atMs: number): void {
    const event = this.#state.books.event(entry);
    const market = event && marketIn(event, entry.betType);
    if (event === undefined || market === undefined) return;
    // Removals are noted even without a held offer: the market may have been offered again in a message that was lost.
    market.sighting = { atMs, epoch: this.#epoch };
    if (market.offer === null) return;
    event.inRunningOffers -= Number(market.offer.inRunning);
    market.offer = null;
    this.#state.candidates.touch(market.selection);
    this.#mark(event);
  }

  #applyQuote(quote: Quote, receivedMs: number): void {
    const { books, betslips, candidates } = this.#state;
    const event = books.openEvent(quote);
    const named = books.openMarket(event, quote.betType);
    if (named === null) return;
    candidates.touch(named.selection);
    const terms = this.#layTerms(quote);
    // The quotes of a lay betslip are for takers of the other side of its bet type. Nothing has a place without that market's name.
    const market = terms === null ? named : named.selection[terms.direction];
    if (market !== named && named.quote?.quote.betslipId === quote.betslipId) named.quote = null;
    if (market === null) return;
    const layKind = terms?.priceKind ?? null;
    const changed = betslips.quoted(market, {
      quote,
      layKind,
      receivedMs,
      epoch: this.#epoch,
      converted: null,
    });
    if (changed) this.#mark(event);
  }

  /** What the prices of a `lay` betslip's quote are, and for takers of which direction; null for a normal betslip. */
  #layTerms({ betslipId, betType }: Quote): BetTerms | null {
    const { meaning } = this.#state;
    return meaning.isLay(betslipId) ? reportedTerms(betType, 'lay', meaning.current) : null;
  }

  #applyBetslip(entry: StreamEntry & { tag: 'betslip' | 'betslip_closed' }, frame: StreamFrame): void {
    const { betslips } = this.#state;
    const nowMs = frame.receivedMonotonicMs;
    const market =
      entry.tag === 'betslip_closed'
        ? betslips.closed(entry.betslipId)
        : betslips.expires(entry.betslipId, this.#monotonicExpiry(entry.expiryMs, frame), nowMs);
    if (market !== null) this.#mark(market.selection.event);
  }

  /** The exchange's instant on our monotonic clock, using the exchange's own clock if the frame carries it. */
  #monotonicExpiry(expiryMs: number | null, frame: StreamFrame): number {
    if (expiryMs === null) return Infinity;
    return frame.receivedMonotonicMs + expiryMs - (frame.sentMs ?? this.#clock.wallMs());
  }

  #enterEpoch(epoch: number): void {
    this.#epoch = epoch;
    for (const book of this.#state.books.events()) {
      forgetConnection(book);
      if (book.markets.length > 0) this.#mark(book);
    }
  }

  #mark(event: EventBook): void {
    if (event === this.#lastMarked) return;
    this.#lastMarked = event;
    this.#changed.set(event.key, event);
  }

  #take(cause: MarketChange['cause']): MarketChange {
    const events: EventName[] = [];
    for (const event of this.#changed.values()) events.push(eventNameOf(event));
    this.#changed.clear();
    this.#lastMarked = null;
    return { cause, epoch: this.#epoch, events };
  }
}

function isOfferOf({ betType, selection: { event } }: MarketBook, offer: Offer): boolean {
  return betType === offer.betType && event.eventId === offer.eventId && event.sport === offer.sport;
}

/** Score, cards and time may have changed unseen between connections, and a market that was left out may be offered again. */
function forgetConnection(book: EventBook): void {
  book.score = null;
  book.redCards = null;
  book.time = null;
  book.liveMs = NEVER.atMs;
  book.broadcastMs = NEVER.atMs;
  book.wholeBroadcastMs = NEVER.atMs;
}
