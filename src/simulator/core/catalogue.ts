import { invariant } from '../../lib/assert.ts';
import type { SimEvent, SimEventName, SimOutcome } from './api.ts';
import type { ParsedBetType } from '../../domain/bet-types/result.ts';
import type { FillModel } from '../../fills/fill-model.ts';
import { type BookSettings, OutcomeBook } from './market-book.ts';
import type { EventRecord, MarketBook } from './model.ts';
import type { ParseBetType } from './settings.ts';

/** The key of an event in every map of events, and its wire cursor: `<sport>,<event_id>`. */
export const eventKey = ({ sport, eventId }: SimEventName): string => `${sport},${eventId}`;

export const isSameEvent = (a: SimEventName, b: SimEventName): boolean =>
  a.sport === b.sport && a.eventId === b.eventId;

/** The number of instants in a broadcast interval. Events share them. */
const BROADCAST_SLOTS = 20;

/** The published sport codes. The set is open: a feed may add others. */
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

/** Every event that the exchange knows. An event id may exist in several sports: a period is a sport of its own. */
export class Catalogue {
  readonly #events = new Map<string, EventRecord>();
  readonly #byId = new Map<string, EventRecord[]>();
  readonly #sports = new Set<string>(PUBLISHED_SPORTS);
  readonly #parse: ParseBetType;
  readonly #settings: BookSettings;
  readonly #fillModel: FillModel;
  #added = 0;
  /** The meaning that was asked for last: a feed names a market once for each of its prices. */
  #parsed: { sport: string; betType: string; parsed: ParsedBetType | null } = {
    sport: '',
    betType: '',
    parsed: null,
  };

  constructor(parse: ParseBetType, settings: BookSettings, fillModel: FillModel) {
    [this.#parse, this.#settings, this.#fillModel] = [parse, settings, fillModel];
  }

  all(): Iterable<EventRecord> {
    return this.#events.values();
  }

  byKey(key: string): EventRecord | null {
    return this.#events.get(key) ?? null;
  }

  /** The record of an event, null for an unknown event. */
  of(event: SimEventName): EventRecord | null {
    return this.byKey(eventKey(event));
  }

  /** The record of a live event, null for an unknown or ended event. */
  live(event: SimEventName): EventRecord | null {
    const record = this.of(event);
    return record?.phase === 'live' ? record : null;
  }

  /** The records of an event id in all sports, for wire filters without a sport. */
  byId(eventId: string): readonly EventRecord[] {
    return this.#byId.get(eventId) ?? [];
  }

  /** Adds an event or replaces its data. An ended event stays as it is. */
  put(info: SimEvent): EventRecord {
    const hasEnd = info.eventType === 'normal' || info.endTimeMs !== null;
    invariant(hasEnd, 'a feed put an outright without an end time', { event: eventKey(info) });
    const known = this.of(info);
    if (known === null) return this.#add(info);
    if (known.phase === 'live' || known.phase === 'removed') {
      known.info = info;
      known.phase = 'live';
    }
    return known;
  }

  /** The book of an outcome, null if the outcome never had liquidity or the event is not live. */
  market(at: SimOutcome): MarketBook | null {
    return this.live(at)?.books.get(at.outcome) ?? null;
  }

  /** The book of an outcome, opened if new; null if the event is not live. */
  openMarket(at: SimOutcome): MarketBook | null {
    const event = this.live(at);
    if (event === null) return null;
    const market = event.books.get(at.outcome) ?? this.#openBook(event, at.outcome);
    return market;
  }

  /** The book and the meaning of a bet type for an event, null if the bet type is not valid there. */
  selection(event: EventRecord, betType: string): { market: MarketBook; parsed: ParsedBetType } | null {
    const parsed = this.#parse(event.info.sport, betType);
    const market = parsed === null ? undefined : event.books.get(parsed.outcome);
    return parsed === null || market === undefined ? null : { market, parsed };
  }

  /** The meaning of a bet type, null if it does not parse or if its sport is neither published nor of a feed. */
  parse(sport: string, betType: string): ParsedBetType | null {
    const { sport: lastSport, betType: lastBetType, parsed: last } = this.#parsed;
    if (last !== null && sport === lastSport && betType === lastBetType) return last;
    const parsed = this.#sports.has(sport) ? this.#parse(sport, betType) : null;
    this.#parsed = { sport, betType, parsed };
    return parsed;
  }

  /** Removes an ended event. A newer event with the same name stays. */
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
    const market = new OutcomeBook(event, outcome, parsed, this.#settings, this.#fillModel);
    event.books.set(outcome, market);
    return market;
  }

  #mustParse(event: EventRecord, betType: string): ParsedBetType {
    const parsed = this.#parse(event.info.sport, betType);
    invariant(parsed !== null, 'a feed set a level on an outcome that is not a valid bet type', {
      event: event.key,
      betType,
    });
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
    paused: new Set(),
    betDelays: new Map(),
    score: null,
    redCards: null,
    time: null,
    result: null,
    removals: [],
    books: new Map(),
    orders: new Set(),
    announced: false,
    everAnnounced: false,
    offersEpoch: 0,
    advertised: new Set(),
    published: [],
    broadcast: null,
    slot,
  };
}

/** Whether the event has any visible stake, suspended or not. */
export function hasPrices(event: EventRecord): boolean {
  if (event.phase !== 'live') return false;
  for (const { book } of event.books.values()) {
    if (book.hasShownStake()) return true;
  }
  return false;
}
