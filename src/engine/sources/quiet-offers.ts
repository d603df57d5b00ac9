import { filter, ignoreElements, merge, type Observable, Subject, tap } from 'rxjs';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey, SelectionId, Sport } from '../../domain/ids.ts';
import { directionOf, selectionOf } from '../../domain/selection.ts';
import { frameOfAnswer, type Offer, type StreamFrame } from '../../domain/stream.ts';
import type { MarketRead } from '../../market/index.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Venue } from '../../ports/venue.ts';
import type { TurnClock } from '../turn-clock.ts';
import type { Look } from '../turn.ts';

export interface FollowedEvent {
  readonly event: EventName;
  /** The selections whose offers decide whether the event is quiet. The first one that was offered lately settles it. */
  readonly selections: () => Iterable<SelectionId>;
}

export type FollowedEvents = ReadonlyMap<EventKey, FollowedEvent>;

/** Maximum number of events in one request (specification, `GET /v2/offers/`). */
const EVENTS_PER_REQUEST = 20;
/**
 * Maximum number of requests in flight; the exchange answers this many at once. More would queue, and their prices would carry
 * the instant of asking.
 */
const MOST_UNANSWERED = 3;
/** An event is asked for once this part of the staleness limit has passed, and again no sooner than that. */
const QUIET_PART = 1 / 3;
/** Answers lag the stream by about four seconds; an earlier request could return older prices than the stream's last. */
const LAG_MS = 4_000;

/**
 * Reads the offers of quiet events over REST and adds them to the market like a frame. The stream mentions an event only when its
 * prices change. Without this, an event whose prices do not move would go stale: its quotes would be withdrawn, or it would never
 * be chosen.
 *
 * An answer may lag the stream by seconds. It is dropped if the stream has sent the offer meanwhile, and never restores what the
 * stream removed on this connection.
 */
export class QuietEvents {
  readonly #venue: Pick<Venue, 'offers'>;
  readonly #market: MarketRead;
  readonly #clock: TurnClock;
  readonly #logger: Logger;
  readonly #staleAfterMs: number;
  readonly #offers$ = new Subject<StreamFrame>();
  readonly #askedMs = new Map<EventKey, number>();
  #unanswered = 0;

  /** Prices older than `staleAfterMs` are not used. */
  constructor(
    venue: Pick<Venue, 'offers'>,
    market: MarketRead,
    clock: TurnClock,
    logger: Logger,
    staleAfterMs: number,
  ) {
    [this.#venue, this.#market] = [venue, market];
    [this.#clock, this.#logger, this.#staleAfterMs] = [clock, logger, staleAfterMs];
  }

  /** Looks while the stream is synced, and emits the offers as frames, as if the stream had sent them. */
  frames(look$: Observable<Look>): Observable<StreamFrame> {
    const looked$ = look$.pipe(
      filter(({ isSynced }) => isSynced),
      tap((look) => this.look(followedOf(look, this.#market), look.epoch)),
      ignoreElements(),
    );
    return merge(this.#offers$, looked$);
  }

  /**
   * Asks for the quiet events among `followed`, the first ones first. Call it about once a second while the stream is synced. The
   * number of requests in flight is limited: without answers hundreds would gather within hours, and use up every request once
   * the exchange answers again.
   */
  look(followed: FollowedEvents, epoch: number): void {
    for (const key of this.#askedMs.keys()) if (!followed.has(key)) this.#askedMs.delete(key);
    const quiet = [...followed]
      .filter(([key, { selections }]) => this.#isDue(key, selections))
      .map(([, each]) => each);
    const bySport = Map.groupBy(quiet, ({ event }) => event.sport);
    for (const [sport, events] of bySport) this.#ask(sport, events.slice(0, EVENTS_PER_REQUEST), epoch);
  }

  #ask(sport: Sport, asked: readonly FollowedEvent[], epoch: number): void {
    if (this.#unanswered >= MOST_UNANSWERED) return;
    this.#unanswered++;
    const askedMs = this.#clock.monotonicMs();
    for (const { event } of asked) this.#askedMs.set(eventKey(event), askedMs);
    const eventIds = asked.map(({ event }) => event.eventId);
    const answered = this.#venue.offers({ sport, eventIds }).then(
      (offers) => {
        const areQuiet = asked.filter(({ selections }) => this.#areOlder(selections(), askedMs));
        const quiet = new Set(areQuiet.map(({ event }) => eventKey(event)));
        const news = offers.filter(
          (offer) => quiet.has(eventKey(offer)) && this.#isNews(offer, askedMs, epoch),
        );
        this.#emitOffers(news, askedMs, epoch);
      },
      (error: unknown) =>
        this.#logger.debug('offers of quiet events could not be read', { sport, eventIds, error }),
    );
    void answered.finally(() => this.#unanswered--);
  }

  #emitOffers(offers: readonly Offer[], askedMs: number, epoch: number): void {
    if (offers.length === 0) return;
    const entries = offers.map((offer) => ({ tag: 'offer' as const, offer }));
    this.#clock.atOnce(() => this.#offers$.next(frameOfAnswer(entries, epoch, askedMs)));
  }

  /**
   * Accepts an offer only of a market that was offered before and that the stream has not updated since the request. An offer
   * removed on the current connection stays removed. One removed on an earlier connection may be back: the current connection may
   * have lost the message.
   */
  #isNews({ sport, eventId, betType }: Offer, askedMs: number, epoch: number): boolean {
    const [name, direction] = [selectionOf(sport, eventId, betType), directionOf(betType)];
    if (name === null || direction === null) return false;
    const state = this.#market.selection(name.id);
    if (state === undefined) return false;
    const [held, gone] = [state.offers[direction], state.takenAway[direction]];
    const nowMs = this.#clock.monotonicMs();
    if (held !== null) return nowMs - held.ageMs < askedMs;
    return gone !== null && gone.epoch < epoch && nowMs - gone.ageMs < askedMs - LAG_MS;
  }

  #isDue(key: EventKey, selections: FollowedEvent['selections']): boolean {
    const quietMs = Math.max(LAG_MS, this.#staleAfterMs * QUIET_PART);
    const sinceMs = this.#clock.monotonicMs() - quietMs;
    if ((this.#askedMs.get(key) ?? -Infinity) >= sinceMs) return false;
    return this.#areOlder(selections(), sinceMs);
  }

  /** Whether there are selections, and none of them was offered at or after this monotonic instant. */
  #areOlder(selections: Iterable<SelectionId>, thanMs: number): boolean {
    const nowMs = this.#clock.monotonicMs();
    let areThere = false;
    for (const id of selections) {
      const offers = this.#market.selection(id)?.offers;
      if ([offers?.for, offers?.against].some((held) => held && nowMs - held.ageMs >= thanMs)) return false;
      areThere = true;
    }
    return areThere;
  }
}

/**
 * Every registered event: quoted ones first, judged by their quoted selections; then the others, judged by all their candidates.
 */
function followedOf({ events, chosen }: Look, market: MarketRead): FollowedEvents {
  const keyed = events.map((event) => ({ key: eventKey(event), event }));
  const isQuoted = ({ key }: { readonly key: EventKey }): boolean => (chosen.get(key)?.length ?? 0) > 0;
  const [quoted, others] = [keyed.filter(isQuoted), keyed.filter((each) => !isQuoted(each))];
  return new Map<EventKey, FollowedEvent>([
    ...quoted.map(({ key, event }) => [key, { event, selections: () => chosen.get(key) ?? [] }] as const),
    ...others.map(
      ({ key, event }) => [key, { event, selections: () => selectionsOf(event, market) }] as const,
    ),
  ]);
}

function* selectionsOf(event: EventName, market: MarketRead): Generator<SelectionId> {
  for (const { selectionId } of market.candidates(event)) yield selectionId;
}
