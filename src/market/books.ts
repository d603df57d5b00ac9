import type { EventTime, Offer, Quote } from '../domain/stream.ts';
import type { Score, SportEvent } from '../domain/events.ts';
import type { BetType, EventId, SelectionId, Sport } from '../domain/ids.ts';
import { type Direction, type Selection, selectionOf, splitBetType } from '../domain/selection.ts';

/** A private quote as held for its market. */
export interface HeldQuote {
  readonly quote: Quote;
  /** Monotonic. */
  readonly receivedMs: number;
  readonly epoch: number;
}

/** One market (a bet type of an event): its last offer and its last private quote. Mutable; owned by the reducer. */
export interface MarketBook {
  readonly betType: BetType;
  /** Null for a bet type whose direction is not known; such a market is held, but never quoted. */
  readonly direction: Direction | null;
  readonly selection: SelectionBook | null;
  readonly event: EventBook;
  /** Position among the event's markets, in order of first sight. */
  readonly index: number;
  offer: Offer | null;
  /** Monotonic; of the last time that the offer was part of a frame, changed or not. */
  sightedMs: number;
  /** Connection epoch of that sighting. */
  epoch: number;
  quote: HeldQuote | null;
}

/** The two markets of one selection. */
export interface SelectionBook {
  readonly selection: Selection;
  readonly event: EventBook;
  readonly markets: Record<Direction, MarketBook | null>;
}

/** One event with its markets. `event` stays null until the exchange has described it. */
export interface EventBook {
  readonly sport: Sport;
  readonly eventId: EventId;
  event: SportEvent | null;
  /** Connection epoch in which the event was last described. */
  epoch: number;
  score: Score | null;
  redCards: Score | null;
  time: EventTime | null;
  readonly markets: MarketBook[];
  readonly byBetType: Map<BetType, MarketBook>;
  readonly selections: SelectionBook[];
  /** Monotonic; when its latest broadcast began. */
  broadcastMs: number;
  /** How many of the held offers say that they are in running. */
  inRunningOffers: number;
}

/** Never seen: less than every real epoch and instant. */
export const NEVER = -Infinity;
const NO_EPOCH = -1;

/**
 * Everything known of the exchange's events and markets. The same event id can occur under several sports (periods are
 * sports of their own), so an event is named by both.
 */
export class Books {
  readonly #events = new Map<EventId, EventBook[]>();
  readonly #selections = new Map<SelectionId, SelectionBook>();

  *events(): Generator<EventBook> {
    for (const books of this.#events.values()) yield* books;
  }

  /** The books of an event id, one for each sport that uses it. */
  eventsOf(eventId: EventId): readonly EventBook[] {
    return this.#events.get(eventId) ?? [];
  }

  event(sport: Sport, eventId: EventId): EventBook | undefined {
    return this.#events.get(eventId)?.find((book) => book.sport === sport);
  }

  selection(id: SelectionId): SelectionBook | undefined {
    return this.#selections.get(id);
  }

  /** The event's book, made when there is none. */
  openEvent(sport: Sport, eventId: EventId): EventBook {
    const known = this.event(sport, eventId);
    if (known !== undefined) return known;
    const book = emptyEvent(sport, eventId);
    this.#events.set(eventId, [...this.eventsOf(eventId), book]);
    return book;
  }

  /** The market's book, made when there is none. */
  openMarket(event: EventBook, betType: BetType): MarketBook {
    return event.byBetType.get(betType) ?? this.#addMarket(event, betType);
  }

  removeEvent(book: EventBook): void {
    const others = this.eventsOf(book.eventId).filter((other) => other !== book);
    if (others.length > 0) this.#events.set(book.eventId, others);
    else this.#events.delete(book.eventId);
    for (const { selection } of book.selections) this.#selections.delete(selection.id);
  }

  clear(): void {
    this.#events.clear();
    this.#selections.clear();
  }

  #addMarket(event: EventBook, betType: BetType): MarketBook {
    const direction = splitBetType(betType)?.direction ?? null;
    const selection = direction === null ? null : this.#openSelection(event, betType);
    const market = emptyMarket(event, betType, direction, selection);
    event.markets.push(market);
    event.byBetType.set(betType, market);
    if (selection !== null && direction !== null) selection.markets[direction] = market;
    return market;
  }

  #openSelection(event: EventBook, betType: BetType): SelectionBook | null {
    const selection = selectionOf(event.sport, event.eventId, betType);
    if (selection === null) return null;
    const known = this.#selections.get(selection.id);
    if (known !== undefined) return known;
    const book: SelectionBook = { selection, event, markets: { for: null, against: null } };
    this.#selections.set(selection.id, book);
    event.selections.push(book);
    return book;
  }
}

function emptyEvent(sport: Sport, eventId: EventId): EventBook {
  return {
    ...{ sport, eventId, event: null, epoch: NO_EPOCH, score: null, redCards: null, time: null },
    ...{ markets: [], byBetType: new Map(), selections: [], broadcastMs: NEVER, inRunningOffers: 0 },
  };
}

function emptyMarket(
  event: EventBook,
  betType: BetType,
  direction: Direction | null,
  selection: SelectionBook | null,
): MarketBook {
  const index = event.markets.length;
  const seen = { offer: null, sightedMs: NEVER, epoch: NO_EPOCH, quote: null };
  return { betType, direction, selection, event, index, ...seen };
}
