/**
 * The feed of the embedded exchange in a paper run: the real exchange's stream, as it is observed. It stands beside the modelled and the
 * recorded feed. The stream has no trades, so what is matched is inferred: an order is matched by an offer that crosses its price, and
 * the queue before it moves by what leaves its price.
 */
import { eventKey, type EventName, isSameEvent } from '../domain/events.ts';
import { betType, eventId, type EventKey, sport } from '../domain/ids.ts';
import type { PriceConvention } from '../domain/odds.ts';
import type { Offer, StreamEntry } from '../domain/stream.ts';
import type { Feed, Market, SimEventName } from '../simulator/core/api.ts';
import type { DecodedEntry } from '../venue/index.ts';
import { BROADCAST_MS, type Observation, ObservedEvent, REAL_STAKE } from './observed-event.ts';

type Act = (market: Market, nowMs: number) => void;

interface Broadcast {
  readonly event: ObservedEvent;
  readonly beganMs: number;
}

export class ObservedFeed implements Feed {
  readonly #observation: Observation = { convention: 'odds' };
  readonly #now: () => number;
  readonly #events = new Map<EventKey, ObservedEvent>();
  /** The event that was named last: the offers of a frame are mostly those of one. */
  #last: ObservedEvent | null = null;
  /** The end of each broadcast, in their order. */
  readonly #broadcasts: Broadcast[] = [];
  readonly #acts: { readonly atMs: number; readonly act: Act }[] = [];
  /** Counts the snapshots of the stream: one a connection, and one after each `clear_events`. */
  #snapshot = 0;

  /** `now` is the embedded exchange's time. */
  constructor(now: () => number) {
    this.#now = now;
  }

  start(market: Market): void {
    market.followRecording(REAL_STAKE);
  }

  nextDueMs(): number | null {
    const act = this.#acts[0]?.atMs ?? null;
    const first = this.#broadcasts[0];
    if (first === undefined) return act;
    return Math.min(act ?? Infinity, first.beganMs + BROADCAST_MS + 1);
  }

  advance(market: Market, nowMs: number): void {
    for (let first = this.#broadcasts[0]; first !== undefined; first = this.#broadcasts[0]) {
      if (first.beganMs + BROADCAST_MS >= nowMs) break;
      this.#broadcasts.shift();
      first.event.dropLeftOut(first.beganMs, market, nowMs);
    }
    for (let first = this.#acts[0]; first !== undefined && first.atMs <= nowMs; first = this.#acts[0]) {
      this.#acts.shift();
      first.act(market, nowMs);
    }
  }

  asked(market: Market, event: SimEventName, name: string, nowMs: number): void {
    const key = eventKey({ sport: sport(event.sport), eventId: eventId(event.eventId) });
    this.#events.get(key)?.ask(betType(name), market, nowMs);
  }

  /** A connection of the stream begins. Registrations end with the one before. */
  connected(): void {
    this.#plan(() => {
      this.#snapshot++;
      for (const event of this.#events.values()) event.isWatched = false;
    });
  }

  /** The stream is lost: nothing is matched until prices come again. */
  lost(): void {
    this.#plan((market, nowMs) => this.#suspendAll(market, nowMs));
  }

  watch(event: EventName): void {
    this.#plan((market, nowMs) => this.#of(event).watch(market, nowMs));
  }

  unwatch(event: EventName): void {
    this.#plan((market, nowMs) => {
      const observed = this.#of(event);
      observed.isWatched = false;
      observed.suspend(market, nowMs);
    });
  }

  /** The entries of a frame. They are applied together. Those that are not about the market mean nothing here. */
  observe(entries: readonly { readonly entry: DecodedEntry | null }[]): void {
    this.#plan((market, nowMs) => {
      for (const { entry } of entries) if (isOfMarket(entry)) this.#apply(entry, market, nowMs);
    });
  }

  /** Prices of `against` mean something else from now on. `change` tells the exchange. */
  repriced(convention: PriceConvention, change: () => void): void {
    this.#plan((market, nowMs) => {
      for (const event of this.#events.values()) event.withdrawAll(market, nowMs);
      this.#observation.convention = convention;
      change();
      for (const event of this.#events.values()) event.restoreAll(market, nowMs);
    });
  }

  /** What the real exchange offers on an event now. */
  offersOf(event: EventName): Iterable<Offer> {
    return this.#events.get(eventKey(event))?.offers() ?? [];
  }

  #plan(act: Act): void {
    // To ask for the time lets the exchange do what is due, these acts included.
    const atMs = this.#now();
    this.#acts.push({ atMs, act });
  }

  #apply(entry: StreamEntry, market: Market, nowMs: number): void {
    switch (entry.tag) {
      case 'event': {
        const event = this.#of(entry.event);
        event.snapshot = this.#snapshot;
        return event.describe(entry.event, market, nowMs);
      }
      case 'offer': {
        const event = this.#of(entry.offer);
        if (event.offer(entry.offer, market, nowMs)) this.#broadcasts.push({ event, beganMs: nowMs });
        return undefined;
      }
      case 'remove_offer':
        return this.#of(entry).removeOffer(entry.betType, market, nowMs);
      case 'remove_event':
        this.#of(entry).remove(market, nowMs);
        return this.#forget(eventKey(entry));
      case 'clear_events':
        this.#snapshot++;
        return this.#suspendAll(market, nowMs);
      case 'sync':
        return this.#dropUnseen(market, nowMs);
      default:
        return applyLiveState(entry, market, nowMs);
    }
  }

  #suspendAll(market: Market, nowMs: number): void {
    for (const event of this.#events.values()) event.suspend(market, nowMs);
  }

  /** After `sync` the exchange has named every event that it still has. */
  #dropUnseen(market: Market, nowMs: number): void {
    for (const [key, event] of Array.from(this.#events)) {
      if (event.snapshot === this.#snapshot) continue;
      event.remove(market, nowMs);
      this.#forget(key);
    }
  }

  #forget(key: EventKey): void {
    this.#events.delete(key);
    this.#last = null;
  }

  #of(name: EventName): ObservedEvent {
    if (this.#last !== null && isSameEvent(this.#last.name, name)) return this.#last;
    const key = eventKey(name);
    const known = this.#events.get(key) ?? new ObservedEvent(name, this.#observation);
    this.#events.set(key, known);
    this.#last = known;
    return known;
  }
}

const isOfMarket = (entry: DecodedEntry | null): entry is StreamEntry =>
  entry !== null && entry.tag !== 'response' && entry.tag !== 'other';

function applyLiveState(entry: StreamEntry, market: Market, nowMs: number): void {
  if (entry.tag === 'event_score' && entry.score !== null) market.setScore(entry, ...entry.score, nowMs);
  if (entry.tag === 'event_red_cards' && entry.redCards !== null)
    market.setRedCards(entry, ...entry.redCards, nowMs);
  if (entry.tag === 'event_time' && entry.time !== null)
    market.setTime(entry, entry.time.period, entry.time.minutes, nowMs);
}
