import { eventKey, type EventName, type Score, type SportEvent } from '../domain/events.ts';
import type { BetType, EventId, EventKey, SelectionId, Sport } from '../domain/ids.ts';
import { type Direction, selectionId, splitBetType } from '../domain/selection.ts';
import type { PriceKind } from '../domain/odds.ts';
import { type PriceList, selectionList } from '../domain/price-list.ts';
import type { EventTime, Offer, Quote } from '../domain/stream.ts';

/** A price list of a kind, and the same in prices of the selection. */
interface Converted {
  readonly kind: PriceKind;
  readonly list: PriceList;
  readonly ofSelection: PriceList;
}

/** The last list that was converted, so that each is converted once. */
export interface ConversionMemo {
  converted: Converted | null;
}

/** The list in prices of the selection: the same object for the same list and kind. */
export function inSelectionPrices(memo: ConversionMemo, kind: PriceKind, list: PriceList): PriceList {
  const { converted } = memo;
  if (converted?.list === list && converted.kind === kind) return converted.ofSelection;
  const ofSelection = selectionList(kind, list);
  if (ofSelection !== list) memo.converted = { kind, list, ofSelection };
  return ofSelection;
}

/** The private quote held for a market. */
export interface HeldQuote extends ConversionMemo {
  readonly quote: Quote;
  /** What the prices of a `lay` betslip are. Null: what the offers of its bet type are. */
  readonly layKind: PriceKind | null;
  /** Monotonic. */
  readonly receivedMs: number;
  readonly epoch: number;
}

/** When offers were last seen. All markets of a frame share one object. */
export interface Sighting {
  /** Monotonic. */
  readonly atMs: number;
  readonly epoch: number;
}

/** Earlier than every real instant and epoch. */
export const NEVER: Sighting = { atMs: -Infinity, epoch: -1 };

/**
 * One market (a bet type of an event): its last offer and its last private quote. Mutable; owned by the reducer. Ten thousand are
 * held, so no field repeats what another one leads to. `converted` is the offer's.
 */
export interface MarketBook extends ConversionMemo {
  readonly betType: BetType;
  readonly direction: Direction;
  readonly selection: SelectionBook;
  /** Position among the event's markets, in the order in which they were first seen. */
  readonly index: number;
  offer: Offer | null;
  /** The last frame that contained the offer, changed or not, or that removed it. */
  sighting: Sighting;
  quote: HeldQuote | null;
}

/** The two markets of one selection. */
export interface SelectionBook extends Record<Direction, MarketBook | null> {
  readonly id: SelectionId;
  readonly outcome: string;
  readonly event: EventBook;
  /** Position among the event's selections, in the order in which they were first seen. */
  readonly index: number;
  /** From the selection's last offer, kept while it is not offered; empty until the first offer. */
  marketType: string;
}

/** One event with its markets. `event` stays null until the exchange has described it. */
export interface EventBook {
  /** Stored because each frame names its events again. */
  readonly key: EventKey;
  readonly sport: Sport;
  readonly eventId: EventId;
  event: SportEvent | null;
  /** Connection epoch in which the event was last described. */
  epoch: number;
  score: Score | null;
  redCards: Score | null;
  time: EventTime | null;
  /** Monotonic instant of the last report of score, cards or clock on this connection. Each shows that the score still stands. */
  liveMs: number;
  readonly markets: MarketBook[];
  readonly byOutcome: Map<string, SelectionBook>;
  /**
   * Monotonic. When the latest broadcast on this connection began, and when the one before it began, which has arrived in full.
   */
  broadcastMs: number;
  wholeBroadcastMs: number;
  /** Number of held offers that are flagged as in running. */
  inRunningOffers: number;
}

/**
 * Every known event and market of the exchange. The same event id can occur under several sports, because periods are sports of
 * their own; both therefore name an event. Each entry of a frame is looked up here: two map steps are faster than building one
 * string key.
 */
export class Books {
  readonly #events = new Map<EventId, EventBook[]>();
  readonly #selections = new Map<SelectionId, SelectionBook>();

  *events(): Generator<EventBook> {
    for (const books of this.#events.values()) yield* books;
  }

  event({ sport, eventId }: EventName): EventBook | undefined {
    return this.#events.get(eventId)?.find((book) => book.sport === sport);
  }

  selection(id: SelectionId): SelectionBook | undefined {
    return this.#selections.get(id);
  }

  /** Returns the event's book; creates it if necessary. */
  openEvent(event: EventName): EventBook {
    const known = this.event(event);
    if (known !== undefined) return known;
    const book = emptyEvent(event);
    this.#events.set(book.eventId, [...this.#sharing(book.eventId), book]);
    return book;
  }

  removeEvent(book: EventBook): void {
    const others = this.#sharing(book.eventId).filter((other) => other !== book);
    if (others.length > 0) this.#events.set(book.eventId, others);
    else this.#events.delete(book.eventId);
    for (const { id } of book.byOutcome.values()) this.#selections.delete(id);
  }

  /**
   * Returns the market's book; creates it if necessary. Null for a bet type without a known direction, which belongs to no
   * selection.
   */
  openMarket(event: EventBook, betType: BetType): MarketBook | null {
    const name = splitBetType(betType);
    if (name === null) return null;
    const selection = event.byOutcome.get(name.outcome) ?? this.#addSelection(event, name.outcome);
    return selection[name.direction] ?? addMarket(selection, betType, name.direction);
  }

  /** The books of an event id, one for each sport that uses it. */
  #sharing(eventId: EventId): readonly EventBook[] {
    return this.#events.get(eventId) ?? [];
  }

  #addSelection(event: EventBook, outcome: string): SelectionBook {
    const id = selectionId(event.sport, event.eventId, outcome);
    const index = event.byOutcome.size;
    const book: SelectionBook = { id, outcome, event, index, marketType: '', for: null, against: null };
    event.byOutcome.set(outcome, book);
    this.#selections.set(id, book);
    return book;
  }
}

/** The market's book; undefined if the market was never seen. */
export function marketIn(event: EventBook, betType: BetType): MarketBook | undefined {
  const name = splitBetType(betType);
  return (name && event.byOutcome.get(name.outcome)?.[name.direction]) ?? undefined;
}

function addMarket(selection: SelectionBook, betType: BetType, direction: Direction): MarketBook {
  const { markets } = selection.event;
  const index = markets.length;
  const market: MarketBook = {
    betType,
    direction,
    selection,
    index,
    offer: null,
    sighting: NEVER,
    quote: null,
    converted: null,
  };
  markets.push(market);
  selection[direction] = market;
  return market;
}

function emptyEvent({ sport, eventId }: EventName): EventBook {
  return {
    key: eventKey({ sport, eventId }),
    sport,
    eventId,
    event: null,
    epoch: NEVER.epoch,
    score: null,
    redCards: null,
    time: null,
    liveMs: NEVER.atMs,
    markets: [],
    byOutcome: new Map(),
    inRunningOffers: 0,
    broadcastMs: NEVER.atMs,
    wholeBroadcastMs: NEVER.atMs,
  };
}
