import { defer, EMPTY, map, NEVER, Observable, repeat, share, Subject, takeUntil, tap } from 'rxjs';
import type { EventName } from '../../domain/events.ts';
import type { EventId, Sport } from '../../domain/ids.ts';
import type { StreamSignal } from '../../domain/stream.ts';
import type { Random } from '../../lib/random.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { backoffMs, type BackoffPolicy } from '../../lib/backoff.ts';
import { ClockOffset, type OffsetEstimate } from './clock-offset.ts';
import { Registrations } from './registrations.ts';
import { StreamMetrics } from './stream-metrics.ts';
import { type Echoed, type Ended, notSynced, Session, type StreamParts } from './session.ts';

export const DEFAULT_RECONNECT: BackoffPolicy = { firstMs: 500, longestMs: 30_000 };

/** A connection that was in sync for this long does not count as a failure in the backoff. */
const STABLE_MS = 10_000;

/**
 * The exchange's stream. It connects on the first subscription and reconnects with jittered backoff until `close`. Each
 * connection has its own epoch. A refused key (any 4xx at the upgrade) ends the attempts: the `closed` signal then has
 * `retryInMs` null.
 */
export class VenueStream {
  readonly signals$: Observable<StreamSignal>;
  readonly #parts: StreamParts;
  readonly #registrations = new Registrations();
  readonly #clockOffset = new ClockOffset();
  readonly #random: Random;
  readonly #backoff: BackoffPolicy;
  readonly #metrics: StreamMetrics;
  readonly #closing$ = new Subject<void>();
  #session: Session | null = null;
  #epoch = 0;
  #failures = 0;
  #closed = false;
  /** The connection ends because another is to take its place. */
  #isReplacing = false;
  #roundTripMs: number | null = null;
  /** The wait before the next connection, set when one ends; null for never. */
  #retryInMs: number | null = 0;

  constructor(parts: StreamParts, random: Random, metrics: Metrics, backoff: BackoffPolicy) {
    [this.#parts, this.#random, this.#backoff] = [parts, random, backoff];
    this.#metrics = new StreamMetrics(metrics, parts.clock);
    this.signals$ = defer(() => (this.#closed ? EMPTY : this.#connections())).pipe(
      tap((signal) => this.#metrics.onSignal(signal)),
      takeUntil(this.#closing$),
      share(),
    );
  }

  registerEvent(sport: Sport, eventId: EventId, value: number): void {
    this.#registrations.want({ sport, eventId }, value);
    this.#session?.register();
  }

  unregisterEvent(sport: Sport, eventId: EventId): void {
    this.#registrations.unwant({ sport, eventId });
    this.#session?.register();
  }

  /** Events wanted, registered, and the learned cap on registrations. */
  registrations(): ReturnType<Registrations['counts']> {
    return this.#registrations.counts();
  }

  /** The events that the exchange says this connection has registered. */
  async listRegistered(): Promise<readonly EventName[]> {
    if (this.#session === null) throw notSynced();
    return this.#session.listRegistered();
  }

  clockOffset(): OffsetEstimate | null {
    const { clock } = this.#parts;
    return this.#clockOffset.estimate(clock.monotonicMs(), clock.wallMs());
  }

  /** The latest round trip; null before the first. */
  roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  /** Ends the connection, and opens another at once. */
  reconnect(reason: string): void {
    this.#isReplacing = true;
    this.#session?.drop(reason);
    this.#isReplacing = false;
  }

  close(): void {
    this.#closed = true;
    this.#closing$.next();
    this.#closing$.complete();
    this.#metrics.onClosed();
  }

  #connections(): Observable<StreamSignal> {
    return defer(() => this.#connect()).pipe(repeat({ delay: () => this.#pause() }));
  }

  /** A connection. Completes when the connection ends. */
  #connect(): Observable<StreamSignal> {
    const epoch = ++this.#epoch;
    return new Observable<StreamSignal | Ended>((subscriber) => {
      const session = new Session(this.#parts, this.#registrations, epoch, (signal) => {
        if (signal.kind === 'echoed') return this.#echoed(signal);
        subscriber.next(signal);
        if (signal.kind === 'ended') subscriber.complete();
      });
      this.#session = session;
      session.start();
      return () => {
        session.end();
        if (this.#session === session) this.#session = null;
      };
    }).pipe(map((signal) => (signal.kind === 'ended' ? this.#ended(signal, epoch) : signal)));
  }

  #echoed({ sentMonotonicMs, receivedMonotonicMs, exchangeMs }: Echoed): void {
    this.#roundTripMs = receivedMonotonicMs - sentMonotonicMs;
    this.#metrics.onRoundTrip(this.#roundTripMs);
    if (exchangeMs !== null) this.#clockOffset.add({ sentMonotonicMs, receivedMonotonicMs, exchangeMs });
  }

  #ended(end: Ended, epoch: number): StreamSignal {
    this.#failures = end.syncedForMs >= STABLE_MS ? 0 : this.#failures + 1;
    this.#retryInMs = this.#isReplacing ? 0 : this.#retryDelayMs(end);
    const { reason } = end;
    const retryInMs = this.#retryInMs;
    if (this.#isReplacing) this.#parts.logger.info('the stream connects again', { epoch, reason });
    else if (retryInMs === null) this.#parts.logger.error('the stream ended', { epoch, reason, retryInMs });
    else this.#parts.logger.warn('the stream ended', { epoch, reason, retryInMs });
    return { kind: 'closed', epoch, reason, retryInMs };
  }

  /** Any 4xx at the upgrade counts as a refused key (specification, Authentication). */
  #retryDelayMs(end: Ended): number | null {
    const refused = end.refusedStatus !== null && end.refusedStatus >= 400 && end.refusedStatus < 500;
    if (refused) return null;
    return backoffMs(this.#backoff, Math.max(0, this.#failures - 1), this.#random);
  }

  #pause(): Observable<unknown> {
    const delayMs = this.#retryInMs;
    if (delayMs === null) return NEVER;
    return new Observable<void>((subscriber) => {
      const timer = this.#parts.clock.after(delayMs, () => subscriber.next());
      return () => timer.cancel();
    });
  }
}
