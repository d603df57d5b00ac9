import { VenueRejection } from '../domain/errors.ts';
import type { HeartbeatId } from '../domain/ids.ts';
import type { Heartbeat } from '../domain/orders.ts';
import type { CallOptions } from '../ports/venue.ts';
import type { Desk } from './desk.ts';

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'arming' }
  | { readonly kind: 'armed'; readonly id: HeartbeatId; readonly refreshing: boolean }
  | { readonly kind: 'removing'; readonly id: HeartbeatId };

export interface HeartbeatHooks {
  /** Whether the engine progresses and the account stream is trusted: the timer is pushed out only while it is so. */
  trusted(): boolean;
  /** The exchange says that our timer is gone: it ran out, or somebody deleted it. Orders may be closed, or unguarded. */
  onLost(reason: string): void;
}

/**
 * Keeps one dead-man's timer of ours alive on the exchange. The time that is left is proven, not believed: it counts
 * from the monotonic instant at which the last acknowledged refresh was sent. Driven by `sweep`.
 */
export class HeartbeatKeeper {
  readonly #desk: Desk;
  readonly #hooks: HeartbeatHooks;
  #state: State = { kind: 'none' };
  #provenUntilMs = -Infinity;
  #nextTryMs = -Infinity;
  /** Whether to keep one at all. */
  #wanted = false;

  constructor(desk: Desk, hooks: HeartbeatHooks) {
    this.#desk = desk;
    this.#hooks = hooks;
  }

  /** Milliseconds for which the exchange has certainly not closed our orders; 0 when nothing is proven. */
  remainingMs(): number {
    return Math.max(0, this.#provenUntilMs - this.#now());
  }

  get id(): HeartbeatId | null {
    return this.#state.kind === 'armed' || this.#state.kind === 'removing' ? this.#state.id : null;
  }

  /** Whether enough time is proven for a create request to be answered. */
  allowsSending(): boolean {
    return this.#state.kind === 'armed' && this.remainingMs() > this.#desk.options.heartbeat.sendReserveMs;
  }

  /** Wants a timer from now on. */
  arm(): void {
    this.#wanted = true;
    this.sweep();
  }

  /** Does what is due. */
  sweep(): void {
    this.#desk.metrics.heartbeatRemaining.set(this.remainingMs() / 1000);
    if (!this.#wanted || this.#now() < this.#nextTryMs || !this.#hooks.trusted()) return;
    if (this.#state.kind === 'none') this.#create();
    else if (this.#state.kind === 'armed' && !this.#state.refreshing) this.#refresh(this.#state.id);
  }

  /** Deletes our timer; resolves to whether it is certainly gone. Nothing of ours may be open. */
  async remove(): Promise<boolean> {
    this.#wanted = false;
    const id = this.id;
    if (id === null) return true;
    this.#state = { kind: 'removing', id };
    this.#provenUntilMs = -Infinity;
    return this.#delete(id);
  }

  async #delete(id: HeartbeatId): Promise<boolean> {
    try {
      await this.#desk.deps.venue.deleteHeartbeat(id, { priority: 'urgent' });
    } catch (error) {
      if (!isNotFound(error)) return false;
    }
    this.#state = { kind: 'none' };
    this.#desk.scribe.note({ kind: 'heartbeat_ended', heartbeatId: id, how: 'removed' });
    this.#desk.scribe.flush();
    return true;
  }

  #create(): void {
    this.#state = { kind: 'arming' };
    const { timeoutS } = this.#desk.options.heartbeat;
    this.#desk.scribe.note({ kind: 'heartbeat_requested', known: [] });
    this.#send(
      (options) => this.#desk.deps.venue.createHeartbeat(timeoutS, options),
      (error) => this.#createFailed(error),
    );
  }

  #refresh(id: HeartbeatId): void {
    this.#state = { kind: 'armed', id, refreshing: true };
    this.#send(
      (options) => this.#desk.deps.venue.refreshHeartbeat(id, options),
      (error) => this.#refreshFailed(id, error),
    );
  }

  /** The proof starts when the bytes leave, never when the answer comes. */
  #send(call: (options: CallOptions) => Promise<Heartbeat>, failed: (error: unknown) => void): void {
    const startedMs = this.#now();
    this.#nextTryMs = startedMs + this.#refreshEveryMs();
    this.#desk.queue.call(
      () => call({ priority: 'urgent' }),
      (heartbeat) => this.#acknowledged(heartbeat.heartbeatId, startedMs),
      failed,
    );
  }

  #acknowledged(id: HeartbeatId, sentMs: number): void {
    if (this.#state.kind === 'removing') return;
    const gap = this.#state.kind === 'armed' && this.#provenUntilMs < sentMs;
    if (this.#state.kind === 'arming') this.#desk.scribe.note({ kind: 'heartbeat_armed', heartbeatId: id });
    this.#state = { kind: 'armed', id, refreshing: false };
    this.#provenUntilMs = sentMs + this.#desk.options.heartbeat.timeoutS * 1000;
    if (gap)
      this.#hooks.onLost('no refresh was acknowledged in time: the heartbeat may have run out between');
  }

  #createFailed(error: unknown): void {
    this.#desk.log.warn('heartbeat could not be created', { error });
    if (this.#state.kind === 'arming') this.#state = { kind: 'none' };
    this.#retrySoon();
  }

  #refreshFailed(id: HeartbeatId, error: unknown): void {
    if (this.#state.kind !== 'armed') return;
    this.#state = { kind: 'armed', id, refreshing: false };
    if (!isNotFound(error)) {
      this.#desk.log.warn('heartbeat could not be refreshed', { error, remainingMs: this.remainingMs() });
      return this.#retrySoon();
    }
    this.#state = { kind: 'none' };
    this.#provenUntilMs = -Infinity;
    this.#desk.scribe.note({ kind: 'heartbeat_ended', heartbeatId: id, how: 'lost' });
    this.#nextTryMs = -Infinity;
    this.#hooks.onLost('the exchange does not know our heartbeat any more');
  }

  #retrySoon(): void {
    this.#nextTryMs = this.#now() + this.#desk.options.heartbeat.retryMs;
  }

  #refreshEveryMs(): number {
    const { timeoutS, refreshRatio } = this.#desk.options.heartbeat;
    return timeoutS * 1000 * refreshRatio;
  }

  #now(): number {
    return this.#desk.deps.clock.monotonicMs();
  }
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof VenueRejection && error.status === 404;
