import {
  outcomeOf,
  ProtocolError,
  TouchlineError,
  TransportError,
  VenueRejection,
} from '../domain/errors.ts';
import type { BetslipId, OrderId, RequestUuid } from '../domain/ids.ts';
import { userDataOf } from '../domain/installation.ts';
import { priceOf } from '../domain/odds.ts';
import type { PlaceOrder, VenueOrder } from '../domain/orders.ts';
import type { Approved, Refusal } from '../domain/approval.ts';
import type { IntentKey, QuoteIntent } from '../domain/quote-intent.ts';
import type { Priority } from '../ports/venue.ts';
import type { MarketName } from './api.ts';
import { Backoffs } from './backoff.ts';
import { Foreseen, type Purpose, type ReadyBetslip } from './betslip-answer.ts';
import type { BetslipPool } from './betslips.ts';
import type { TrackedOrder } from './book.ts';
import { latch, type Desk } from './desk.ts';
import type { Evidence } from './evidence.ts';
import type { HeartbeatKeeper } from './heartbeat.ts';
import { Patience } from './patience.ts';
import { postOnlyObstacle, type PostOnlyCode } from './post-only.ts';
import { bodyHashOf } from './records.ts';
import type { Placing } from './reconcile.ts';
import { because, told, type Obstacle } from './wait-code.ts';

/** However often an intent has failed, it is tried again after this long. */
const LONGEST_PAUSE_MS = 60_000;
/** A disk that takes longer to write down an order than this leaves prices and heartbeat older than they were judged. */
const LONG_WRITE_MS = 250;
/** Of an order that is only judged. */
const NO_BETSLIP = '' as BetslipId;
const SHOWS_NOTHING: ReadyBetslip = { id: NO_BETSLIP, quote: [] };

/** Given up at the last instant before the bytes would leave; nothing was sent. */
class Withdrawn extends TouchlineError {
  constructor(reason: string) {
    super('withdrawn', reason);
  }
}

interface Sending {
  /** Of a request whose outcome is not known. */
  readonly repeat: boolean;
  readonly priority: Priority;
}

export interface PlacerParts {
  readonly evidence: Evidence;
  readonly betslips: BetslipPool;
  readonly heartbeat: HeartbeatKeeper;
  /** Whether one more order may be begun now. */
  admits(): boolean;
  begun(): void;
  /** Whether an order still serves what is wanted. */
  stillWanted(key: IntentKey, intent: QuoteIntent): boolean;
}

/** Takes a wanted quote all the way to the exchange: betslip, post-only check, review, journal, request, answer. */
export class Placer {
  readonly #desk: Desk;
  readonly #parts: PlacerParts;
  readonly #pauses: Backoffs<IntentKey>;
  /** After an order took: unlike what made an intent wait, this does not pass when that order is over. */
  readonly #taken: Backoffs<IntentKey>;
  readonly #approved = new Map<RequestUuid, Approved<PlaceOrder>>();
  /** Of orders whose first request was asked for, until it is answered. */
  readonly #patience = new Map<TrackedOrder, Patience>();
  #inFlight = 0;

  constructor(desk: Desk, parts: PlacerParts) {
    this.#desk = desk;
    this.#parts = parts;
    this.#pauses = new Backoffs(() => this.#now(), LONGEST_PAUSE_MS);
    this.#taken = new Backoffs(() => this.#now(), LONGEST_PAUSE_MS);
  }

  /** Starts placing; answers why not, or null when it has begun. */
  place({ key, intent }: Placing): Obstacle | null {
    const closed = this.gate();
    if (closed !== null) return closed;
    if (intent.stakeMicros < this.#desk.options.minStakeMicros) return because('stake_too_small');
    if (this.#pauses.active(key) || this.#taken.active(key)) return because('backing_off');
    if (this.#inFlight >= this.#desk.options.maxInFlight) return because('in_flight_limit');
    const market = this.#desk.deps.prices.resolve(intent.selectionId, intent.direction);
    if (market === null) return because('no_market');
    const foreseen = this.#foreseenOf(intent, market);
    const answer = this.#parts.betslips.want(market, { ...this.#purposeOf(intent, market), foreseen });
    if (foreseen.refusal !== null) return this.#refusedByRisk(key, foreseen.refusal);
    if (foreseen.obstacle !== null) return because(foreseen.obstacle);
    if (!answer.ok) return because(answer.code);
    const obstacle = this.#obstacle(intent, answer.betslip);
    if (obstacle !== null) return because(obstacle);
    if (!this.#parts.admits()) return because('slow_after_close_out');
    return this.#review(key, intent, this.#bodyOf(intent, market, answer.betslip.id));
  }

  /** Leaves an intent whose order took alone for a while, this long at least. */
  pause(key: IntentKey, ms: number): void {
    this.#taken.grow(key, ms, Math.max(ms, LONGEST_PAUSE_MS));
  }

  /** Takes back an order of which nothing has left; it may wait for its budget for a long time. */
  withdraw(tracked: TrackedOrder): void {
    if (tracked.order.state === 'prepared') this.#patience.get(tracked)?.giveUp();
  }

  /** What made an intent wait may have changed. */
  wake(key: IntentKey): void {
    this.#pauses.clear(key);
  }

  sweep(): void {
    this.#pauses.sweep();
    this.#taken.sweep();
  }

  /**
   * Sends the same request again under the same request_uuid; its outcome is not known. Null when it has begun. The
   * approval of the first stands: at most one order can come of both, and it has counted in exposure all along. What has
   * become of prices and limits since is looked at as with the first, which may not have landed.
   */
  repeat(tracked: TrackedOrder): string | null {
    const approved = this.#approved.get(tracked.order.requestUuid);
    if (approved === undefined) return 'not_approved_by_this_run';
    const obstacle = this.#judge(tracked, approved, true);
    if (obstacle !== null) return obstacle;
    this.#send(tracked, approved, { repeat: true, priority: 'normal' });
    return null;
  }

  /** Why it could not be sent, whatever its betslip shows: that may be the first to show any prices. */
  #foreseenOf(intent: QuoteIntent, market: MarketName): Foreseen {
    return new Foreseen({
      refusal: () => this.#desk.deps.risk.foresee(this.#bodyOf(intent, market, NO_BETSLIP))[0] ?? null,
      obstacle: () => {
        const code = this.#obstacle(intent, SHOWS_NOTHING);
        return code === 'market_stale' ? null : code;
      },
    });
  }

  #refusedByRisk(key: IntentKey, refusal: Refusal | undefined): Obstacle {
    this.#pauses.pause(key, this.#desk.options.retryMs);
    return because('risk', refusal?.code ?? 'refused');
  }

  #purposeOf({ tick, stakeMicros, valueMicrosPerS = 0 }: QuoteIntent, market: MarketName): Purpose {
    const { sport, eventId, betType } = market;
    const order = { sport, eventId, betType, price: priceOf(tick), stakeMicros };
    return { value: valueMicrosPerS, reduces: () => this.#desk.deps.risk.reduces(order) };
  }

  #bodyOf(intent: QuoteIntent, market: MarketName, betslipId: PlaceOrder['betslipId']): PlaceOrder {
    const requestUuid = this.#desk.deps.ids.uuid() as RequestUuid;
    const { installation } = this.#desk.deps.claim;
    return {
      requestUuid,
      betslipId,
      sport: market.sport,
      eventId: market.eventId,
      betType: market.betType,
      price: priceOf(intent.tick),
      stakeMicros: intent.stakeMicros,
      durationS: this.#parts.betslips.durationS(market),
      userData: userDataOf({ installation, run: this.#desk.run, uuid: requestUuid }),
    };
  }

  #review(key: IntentKey, intent: QuoteIntent, body: PlaceOrder): Obstacle | null {
    // Before the review, which counts the order itself.
    const priority = this.#desk.deps.risk.reduces(body) ? 'reducing' : 'normal';
    const result = this.#desk.deps.risk.review(body);
    if (!result.ok) return this.#refusedByRisk(key, result.refusals[0]);
    this.#parts.begun();
    const tracked = this.#track(key, intent, result.order);
    this.#desk.book.add(tracked, 'intent');
    this.#send(tracked, result.order, { repeat: false, priority });
    return null;
  }

  #track(key: IntentKey, intent: QuoteIntent, place: PlaceOrder): TrackedOrder {
    const { requestUuid, betslipId, sport, eventId, betType, stakeMicros } = place;
    const { selectionId, direction, tick } = intent;
    return {
      order: {
        ...{ requestUuid, betslipId, sport, eventId, betType, selectionId, direction, tick, stakeMicros },
        ...{ orderId: null, filledMicros: 0, state: 'prepared', expiryMs: null, closeReason: null },
        createdMonotonicMs: this.#now(),
      },
      ...{ place, key, lapsesMonotonicMs: null, sentMonotonicMs: null, closeWanted: false, recovered: false },
      intent,
    };
  }

  #send(tracked: TrackedOrder, approved: Approved<PlaceOrder>, { repeat, priority }: Sending): void {
    const { requestUuid } = tracked.order;
    this.#approved.set(requestUuid, approved);
    this.#inFlight++;
    const patience = new Patience(this.#desk.deps.clock);
    if (!repeat) this.#patience.set(tracked, patience);
    const over = (): void => {
      this.#inFlight--;
      if (!repeat) this.#patience.delete(tracked);
      patience.end();
    };
    const beforeSend = (): void => {
      this.#beforeSend(tracked, approved, repeat);
      patience.begin(this.#parts.heartbeat.reserveMs);
    };
    // To be connected may take seconds: a kill may have come, and prices have moved.
    const whenConnected = (): void => this.#judgeAgain(tracked, approved, repeat);
    const value = tracked.intent?.valueMicrosPerS ?? 0;
    const options = { beforeSend, whenConnected, value, priority, signal: patience.signal };
    this.#desk.queue.call(
      () => this.#desk.deps.venue.placeOrder(approved, options),
      (order) => (over(), this.#answered(tracked, order)),
      (error) => (over(), this.#failed(tracked, error, repeat)),
    );
  }

  /** The last instant before the first byte: everything is judged again, then made durable. Throws to send nothing. */
  #beforeSend(tracked: TrackedOrder, approved: Approved<PlaceOrder>, repeat: boolean): void {
    this.#judgeAgain(tracked, approved, repeat);
    const judgedMs = this.#now();
    const { requestUuid, selectionId, direction, tick } = tracked.order;
    const { place, key } = tracked;
    this.#desk.scribe.commit({
      ...{ kind: 'order_intended', uuid: requestUuid, place, key, selectionId, direction, tick, repeat },
      bodyHash: bodyHashOf(place),
    });
    tracked.sentMonotonicMs = this.#now();
    tracked.lapsesMonotonicMs = this.#now() + place.durationS * 1000;
    if (this.#now() - judgedMs > LONG_WRITE_MS) this.#judgeAgain(tracked, approved, repeat);
    this.#desk.book.apply(tracked, 'send', {}, 'send');
  }

  #judgeAgain(tracked: TrackedOrder, approved: Approved<PlaceOrder>, repeat: boolean): void {
    const obstacle = this.#judge(tracked, approved, repeat);
    if (obstacle !== null) throw new Withdrawn(obstacle);
  }

  /** Why an approved order is not to be sent now, or not again; null when it is. */
  #judge(tracked: TrackedOrder, approved: Approved<PlaceOrder>, repeat: boolean): string | null {
    const closed = this.gate();
    if (closed !== null) return told(closed);
    if (repeat && tracked.order.state !== 'unknown') return 'known_by_now';
    return this.#lastLook(tracked, repeat) ?? this.#recheck(approved);
  }

  /** Why nothing may be sent now, whatever it is; null when something may. */
  gate(): Obstacle | null {
    const blocked = this.#desk.halts.blocked();
    if (blocked !== null) return blocked;
    return this.#parts.heartbeat.allowsSending() ? null : because('heartbeat');
  }

  /** The approval may be some time old when the budget lets the request go. */
  #recheck(approved: Approved<PlaceOrder>): string | null {
    const [refusal] = this.#desk.deps.risk.recheck(approved);
    return refusal === undefined ? null : told(because('risk', refusal.code));
  }

  #lastLook({ key, intent, place, closeWanted }: TrackedOrder, repeat: boolean): string | null {
    if (closeWanted || key === null || intent === null) return 'not_wanted';
    if (!this.#parts.stillWanted(key, intent)) return 'not_wanted';
    // It names its betslip, open or not: none of the day's may go for another.
    if (repeat) return this.#obstacle(intent, SHOWS_NOTHING);
    const answer = this.#parts.betslips.want(place, this.#purposeOf(intent, place));
    if (!answer.ok) return answer.code;
    return answer.betslip.id === place.betslipId
      ? this.#obstacle(intent, answer.betslip)
      : 'betslip_replaced';
  }

  #obstacle({ selectionId, direction, tick }: QuoteIntent, { quote }: ReadyBetslip): PostOnlyCode | null {
    return postOnlyObstacle(direction, tick, this.#desk.options.postOnlyMarginTicks, {
      quote,
      market: this.#desk.deps.prices.marketOf(selectionId)[direction],
      offers: this.#desk.deps.prices.youngerOffersOf(selectionId)[direction],
      own: this.#ownOn(selectionId),
    });
  }

  #ownOn(selectionId: QuoteIntent['selectionId']): TrackedOrder['order'][] {
    return [...this.#desk.book.active()]
      .map((tracked) => tracked.order)
      .filter((order) => order.selectionId === selectionId);
  }

  /** An answer that shows another order of ours says nothing about this one. */
  #answered(tracked: TrackedOrder, order: VenueOrder): void {
    this.#timeAnswer(tracked);
    if (this.#parts.evidence.order(order, 'answer', tracked.order.requestUuid) !== tracked)
      return this.#unclear(tracked);
    this.#approved.delete(tracked.order.requestUuid);
  }

  #failed(tracked: TrackedOrder, error: unknown, repeat: boolean): void {
    if (isAnswer(error)) this.#timeAnswer(tracked);
    this.#decide(tracked, error, repeat);
    this.#judgeKey(error);
    if (tracked.order.state === 'unknown') return;
    this.#approved.delete(tracked.order.requestUuid);
    this.#learn(tracked, error);
  }

  #timeAnswer({ sentMonotonicMs }: TrackedOrder): void {
    if (sentMonotonicMs === null) return;
    this.#desk.metrics.createSeconds.observe((this.#now() - sentMonotonicMs) / 1000);
  }

  /** What becomes of an order whose request has failed. */
  #decide(tracked: TrackedOrder, error: unknown, repeat: boolean): void {
    const { book, log } = this.#desk;
    const { requestUuid: uuid, state } = tracked.order;
    if (repeat && nothingSent(error)) return log.debug('not repeated', { uuid, error });
    if (state === 'prepared' && nothingSent(error)) return void book.apply(tracked, 'withdraw', {}, 'answer');
    if (error instanceof VenueRejection && error.code === 'order_already_created')
      return this.#conflict(tracked, error.orderId as OrderId | null);
    const outcome = outcomeOf(error);
    log.warn('create request failed', { uuid, outcome, repeat, error });
    book.apply(tracked, EVENT_OF[outcome], {}, 'answer');
  }

  /** What a failure teaches about the next attempt. */
  #learn(tracked: TrackedOrder, error: unknown): void {
    if (error instanceof VenueRejection) this.#refused(tracked, error);
    else if (tracked.key !== null) this.#pauses.grow(tracked.key, this.#pauseAfter(error));
  }

  #pauseAfter(error: unknown): number {
    return error instanceof Withdrawn ? 100 : this.#desk.options.retryMs;
  }

  /** The request_uuid exists: with an id it is looked up and compared, without one it is an unknown outcome. */
  #conflict(tracked: TrackedOrder, orderId: OrderId | null): void {
    this.#unclear(tracked);
    if (orderId === null || tracked.order.state !== 'unknown') return;
    const { requestUuid } = tracked.order;
    this.#desk.queue.call(
      () => this.#desk.deps.venue.order(orderId, { priority: 'reducing' }),
      (order) => void this.#parts.evidence.order(order, 'look-up', requestUuid),
      (error) => this.#desk.log.warn('conflicting order could not be read', { orderId, error }),
    );
  }

  #unclear(tracked: TrackedOrder): void {
    this.#desk.book.apply(tracked, 'unclear', {}, 'answer');
  }

  /** Whatever a refusal says of the order, one of the key says that no other may be tried. */
  #judgeKey(error: unknown): void {
    if (error instanceof VenueRejection && isKeyRefused(error))
      latch(this.#desk, `the exchange refuses our key: ${error.code}`);
  }

  #refused(tracked: TrackedOrder, error: VenueRejection): void {
    this.#desk.metrics.refusals.inc({ code: error.code });
    if (isKeyRefused(error) || tracked.key === null) return;
    const retryAfterMs = (error.retryAfterS ?? 0) * 1000;
    this.#pauses.grow(tracked.key, Math.max(retryAfterMs, this.#desk.options.retryMs));
    if (error.status === 404 || 'betslip_id' in error.validation)
      this.#parts.betslips.discard(tracked.place.betslipId);
  }

  #now(): number {
    return this.#desk.deps.clock.monotonicMs();
  }
}

/** What a failed request means to its order. */
const EVENT_OF = { 'not-sent': 'not_sent', refused: 'refused', unknown: 'unclear' } as const;

const isKeyRefused = ({ status, code }: VenueRejection): boolean => status === 401 || code === 'forbidden';

/** Whether the exchange said something, readable or not. */
const isAnswer = (error: unknown): boolean =>
  error instanceof VenueRejection || error instanceof ProtocolError;

/** Whether an error that came before our own last look proves that nothing was sent. */
function nothingSent(error: unknown): boolean {
  if (error instanceof TransportError) return error.outcome === 'not-sent';
  return error instanceof TouchlineError && (error.code === 'withdrawn' || error.code === 'journal');
}
