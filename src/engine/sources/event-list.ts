import { isDeepStrictEqual } from 'node:util';
import { filter, ignoreElements, merge, type Observable, Subject, tap } from 'rxjs';
import { eventKey, type SportEvent } from '../../domain/events.ts';
import type { EventKey, Sport } from '../../domain/ids.ts';
import { DIRECTIONS } from '../../domain/selection.ts';
import { frameOfAnswer, type StreamEntry, type StreamFrame, type StreamSignal } from '../../domain/stream.ts';
import type { Market } from '../../market/index.ts';
import type { Logger } from '../../ports/logger.ts';
import type { EventListing, Venue } from '../../ports/venue.ts';
import type { TurnClock } from '../turn-clock.ts';
import type { Look } from '../turn.ts';

interface Question {
  /** Monotonic. */
  readonly askedMs: number;
  readonly epoch: number;
  /** Empty: all sports. */
  readonly sports: readonly Sport[];
}

const isAsked = ({ sport }: SportEvent, sports: readonly Sport[]): boolean =>
  sports.length === 0 || sports.includes(sport);

/** The list may hold thousands of events; an event is known so early that a minute more does not matter. */
const EVERY_MS = 60_000;
/** By then a lost feed is back, or the list request fails. A `sync` may have been lost, or may have arrived early. */
const AFTER_LOSS_MS = 120_000;
/** Answers lag the stream by about four seconds (specification, Market data), plus one update interval of two. */
const LAG_MS = 6_000;
/**
 * List readings without an event before it counts as over. An event that still has prices is never counted. One wrongly dropped
 * returns within a minute of its next prices.
 */
const OVER_AFTER_MISSES = 10;

/**
 * Reads the list of events now and then, and adds new events to the market like a frame. The stream lists events when it
 * connects; the specification does not say whether it reports later ones, new start times or the start of play.
 *
 * Events that left the list are removed: in running they would otherwise keep their places for good. A stream message that is
 * younger than the answer takes precedence.
 */
export class EventList {
  readonly #venue: Pick<Venue, 'events'>;
  readonly #market: Pick<Market, 'event' | 'events' | 'candidates'>;
  readonly #clock: TurnClock;
  readonly #logger: Logger;
  readonly #news$ = new Subject<StreamFrame>();
  /** When the stream last described or removed an event. Entries older than any answer to come are dropped. */
  readonly #saidMs = new Map<EventKey, number>();
  /** How often in a row an event known to the market was missing from the list. */
  readonly #misses = new Map<EventKey, number>();
  /** Infinity until the stream is synced. */
  #nextMs = Infinity;
  #lostMs = -Infinity;
  /** One request at a time: stream messages after it are kept until its answer. */
  #asking = false;

  constructor(
    venue: Pick<Venue, 'events'>,
    market: Pick<Market, 'event' | 'events' | 'candidates'>,
    clock: TurnClock,
    logger: Logger,
  ) {
    [this.#venue, this.#market] = [venue, market];
    [this.#clock, this.#logger] = [clock, logger];
  }

  /**
   * Reads the list now and then while the stream is synced, and emits its news as frames, as if the stream had sent them. `sports`
   * are the quoted ones.
   */
  frames(
    look$: Observable<Look>,
    signal$: Observable<StreamSignal>,
    sports: () => readonly Sport[],
  ): Observable<StreamFrame> {
    const noted$ = signal$.pipe(tap((signal) => this.onSignal(signal)));
    const looked$ = look$.pipe(
      filter(({ isSynced }) => isSynced),
      tap(({ epoch }) => this.look(epoch, sports())),
    );
    return merge(this.#news$, merge(noted$, looked$).pipe(ignoreElements()));
  }

  onSignal(signal: StreamSignal): void {
    if (signal.kind === 'synced') this.#nextMs = this.#clock.monotonicMs() + EVERY_MS;
    if (signal.kind !== 'frame') return;
    for (const entry of signal.entries) {
      if (entry.tag === 'event') this.#saidMs.set(eventKey(entry.event), signal.receivedMonotonicMs);
      if (entry.tag === 'remove_event') this.#saidMs.set(eventKey(entry), signal.receivedMonotonicMs);
      if (entry.tag === 'clear_events') this.#lost(signal.receivedMonotonicMs);
    }
  }

  /** Reads the list when it is time. Call it about once a second while the stream is synced. */
  look(epoch: number, sports: readonly Sport[]): void {
    const askedMs = this.#clock.monotonicMs();
    if (askedMs < this.#nextMs || this.#asking) return;
    this.#nextMs = askedMs + EVERY_MS;
    this.#asking = true;
    for (const [key, saidMs] of this.#saidMs) if (saidMs < askedMs - LAG_MS) this.#saidMs.delete(key);
    const asked = this.#venue.events({ sports }).then(
      (listed) => this.#answered(listed, { askedMs, epoch, sports }),
      (error: unknown) => this.#logger.debug('the list of events could not be read', { error }),
    );
    void asked.finally(() => (this.#asking = false));
  }

  #lost(atMs: number): void {
    this.#lostMs = atMs;
    if (this.#nextMs !== Infinity) this.#nextMs = atMs + AFTER_LOSS_MS;
  }

  #answered({ events, unread }: EventListing, { askedMs, epoch, sports }: Question): void {
    if (askedMs <= this.#lostMs) return;
    const entries: StreamEntry[] = events
      .filter((event) => this.#isNews(event))
      .map((event) => ({ tag: 'event', event }));
    // An empty list frees no place for another event, and may be a failure of the exchange. An entry that cannot be read may be of any event.
    const over = events.length === 0 || unread > 0 ? [] : this.#overOf(events, sports);
    for (const { sport, eventId } of over) entries.push({ tag: 'remove_event', sport, eventId });
    if (entries.length === 0) return;
    this.#clock.atOnce(() => this.#news$.next(frameOfAnswer(entries, epoch, askedMs)));
  }

  #overOf(listed: readonly SportEvent[], sports: readonly Sport[]): readonly SportEvent[] {
    const there = new Set(listed.map(eventKey));
    const missing = [...this.#market.events()]
      .map(({ event }) => event)
      .filter((event) => !there.has(eventKey(event)) && isAsked(event, sports) && !this.#isOffered(event));
    const keys = new Set(missing.map(eventKey));
    for (const key of this.#misses.keys()) if (!keys.has(key)) this.#misses.delete(key);
    return missing.filter((event) => this.#miss(eventKey(event)) >= OVER_AFTER_MISSES);
  }

  /** Whether the exchange has prices for the event now, even if the list omits it. */
  #isOffered(event: SportEvent): boolean {
    const offers = this.#market.candidates(event);
    return offers.some((offer) => DIRECTIONS.some((direction) => offer.liquidityMicros(direction)));
  }

  #miss(key: EventKey): number {
    const misses = (this.#misses.get(key) ?? 0) + 1;
    this.#misses.set(key, misses);
    return misses;
  }

  /** `#saidMs` holds every event that the stream mentioned since a few seconds before the request. */
  #isNews(event: SportEvent): boolean {
    if (this.#saidMs.has(eventKey(event))) return false;
    const known = this.#market.event(event);
    return known === undefined || !known.current || !isDeepStrictEqual(known.event, event);
  }
}
