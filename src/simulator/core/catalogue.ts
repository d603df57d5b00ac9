import { invariant } from '../../lib/assert.ts';
import type { ParsedBetType, SimEvent, SimEventName, SimOutcome } from './api.ts';
import { type BookParts, OutcomeBook } from './market-book.ts';
import type { EventRecord, MarketBook } from './model.ts';
import type { ParseBetType } from './settings.ts';

/** The key of an event in every map of events, and its cursor on the wire: `<sport>,<event_id>`. */
export const eventKey = ({ sport, eventId }: SimEventName): string => `${sport},${eventId}`;

export const isSameEvent = (one: SimEventName, other: SimEventName): boolean =>
  one.sport === other.sport && one.eventId === other.eventId;

/** Events share this many instants of the broadcast interval. */
const BROADCAST_SLOTS = 20;

/** The sport codes that are published. The set is open: a feed may bring others. */
const PUBLISHED_SPORTS = [
  'fb',
  'fb_ht',
  'fb_corn',
  'basket',
  'tennis',
  'cricket',
  'horse',
  'esports',
  'politics',
] as const;

/** Every event the exchange knows. One event id may be listed under several sports (periods are their own sports). */
export class Catalogue {
  readonly #events = new Map<string, EventRecord>();
  readonly #byId = new Map<string, EventRecord[]>();
  readonly #sports = new Set<string>(PUBLISHED_SPORTS);
  readonly #parse: ParseBetType;
  readonly #bookParts: BookParts;
  #added = 0;

  constructor(parse: ParseBetType, bookParts: BookParts) {
    this.#parse = parse;
    this.#bookParts = bookParts;
  }

  all(): Iterable<EventRecord> {
    return this.#events.values();
  }

  byKey(key: string): EventRecord | null {
    return this.#events.get(key) ?? null;
  }

  /** Null when there is no such event. */
  of(event: SimEventName): EventRecord | null {
    return this.byKey(eventKey(event));
  }

  /** As `of`; null, too, when the event has ended. */
  live(event: SimEventName): EventRecord | null {
    const record = this.of(event);
    return record?.phase === 'live' ? record : null;
  }

  /** The records of an event id, over all its sports: for filters of the wire that name no sport. */
  byId(eventId: string): readonly EventRecord[] {
    return this.#byId.get(eventId) ?? [];
  }

  /** Adds an event or replaces what is known of it; an ended one stays as it is. */
  put(info: SimEvent): EventRecord {
    const known = this.of(info);
    if (known === null) return this.#add(info);
    if (known.phase === 'live' || known.phase === 'removed') {
      known.info = info;
      known.phase = 'live';
    }
    return known;
  }

  /** The book of an outcome, null when the outcome never had liquidity. */
  market(at: SimOutcome): MarketBook | null {
    return this.live(at)?.books.get(at.outcome) ?? null;
  }

  /** The book of an outcome, opened when new; null when the event is not live. */
  openMarket(at: SimOutcome): MarketBook | null {
    const event = this.live(at);
    if (event === null) return null;
    const market = event.books.get(at.outcome) ?? this.#openBook(event, at.outcome);
    return market;
  }

  /** What a bet type means for an event; null when it is not valid for it. */
  selection(event: EventRecord, betType: string): { market: MarketBook; parsed: ParsedBetType } | null {
    const parsed = this.#parse(event.info.sport, betType);
    const market = parsed === null ? undefined : event.books.get(parsed.outcome);
    return parsed === null || market === undefined ? null : { market, parsed };
  }

  /** What a bet type means in a sport; null when it does not parse, and in a sport that is neither published nor of the feed. */
  parse(sport: string, betType: string): ParsedBetType | null {
    return this.#sports.has(sport) ? this.#parse(sport, betType) : null;
  }

  /** Forgets an ended event; one that came anew under its name stays. */
  forget(event: EventRecord): void {
    if (this.#events.get(event.key) === event) this.#events.delete(event.key);
    const left = this.byId(event.info.eventId).filter((other) => other !== event);
    if (left.length === 0) this.#byId.delete(event.info.eventId);
    else this.#byId.set(event.info.eventId, left);
  }

  #add(info: SimEvent): EventRecord {
    const event = newEvent(info, (this.#added++ / BROADCAST_SLOTS) % 1);
    this.#events.set(event.key, event);
    this.#sports.add(info.sport);
    this.#byId.set(info.eventId, [...this.byId(info.eventId), event]);
    return event;
  }

  #openBook(event: EventRecord, outcome: string): MarketBook {
    const parsed = {
      for: this.#mustParse(event, `for,${outcome}`),
      against: this.#mustParse(event, `against,${outcome}`),
    };
    const market = new OutcomeBook(event, outcome, parsed, this.#bookParts);
    event.books.set(outcome, market);
    return market;
  }

  #mustParse(event: EventRecord, betType: string): ParsedBetType {
    const parsed = this.#parse(event.info.sport, betType);
    invariant(parsed !== null, 'a feed names an outcome that is no bet type', { event: event.key, betType });
    return parsed;
  }
}

function newEvent(info: SimEvent, slot: number): EventRecord {
  return {
    key: eventKey(info),
    info,
    phase: 'live',
    inRunning: false,
    suspended: false,
    score: null,
    redCards: null,
    time: null,
    result: null,
    books: new Map(),
    orders: new Set(),
    announced: false,
    told: false,
    offersEpoch: 0,
    advertised: new Set(),
    broadcast: null,
    slot,
  };
}

/** Whether anyone may see any stake of the event, suspended or not. */
export function hasPrices(event: EventRecord): boolean {
  if (event.phase !== 'live') return false;
  for (const { book } of event.books.values()) {
    if (book.hasShownStake()) return true;
  }
  return false;
}
