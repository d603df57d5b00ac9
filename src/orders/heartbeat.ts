import { JournalError, outcomeOf, TransportError, VenueRejection } from '../domain/errors.ts';
import type { HeartbeatId } from '../domain/ids.ts';
import type { Heartbeat } from '../domain/orders.ts';
import { sleep } from '../ports/clock.ts';
import type { CallOptions, Priority } from '../ports/venue.ts';
import type { Desk } from './desk.ts';

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'arming' }
  | { readonly kind: 'armed'; readonly id: HeartbeatId; readonly refreshing: boolean }
  | { readonly kind: 'removing'; readonly id: HeartbeatId };

const REMOVE_POLL_MS = 20;
/** With a short timeout the reserve would forbid every order: it is at most this part of it. */
const LARGEST_RESERVE = 0.5;
/** One with less left than this is about to run out: a listing without it tells nothing. */
const ENDS_SOON_MS = 1_000;

export interface HeartbeatHooks {
  /** Whether the engine progresses and the account stream is trusted: the timer is pushed out only while it is so. */
  trusted(): boolean;
  /** Whether orders are open that only a heartbeat's end may close: it is not pushed out, and has to be there. */
  mustRunOut(): boolean;
  /** Whether a heartbeat of the account is known to be somebody else's. */
  isOthers(id: HeartbeatId): boolean;
  /** A request was not answered: what it has made, or makes yet, may be found besides ours. */
  onUnanswered(): void;
  /** The exchange says that our timer is gone: it ran out, or somebody deleted it. Orders may be closed, or unguarded. */
  onLost(reason: string): void;
  /** No longer ours, by one answer, which may be wrong: where it is still there, its end would close what another guards. */
  onGivenUp(id: HeartbeatId): void;
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
  /** One of this run held once, or the account is known to have had none. */
  #wasProven = false;
  #nextTryMs = -Infinity;
  /** Whether to keep one at all. */
  #wanted = false;
  /** Somebody may have deleted it: the list that would tell is not answered yet. */
  #looking = false;

  constructor(desk: Desk, hooks: HeartbeatHooks) {
    this.#desk = desk;
    this.#hooks = hooks;
  }

  /** Milliseconds for which the exchange has certainly not closed our orders; 0 when nothing is proven. */
  remainingMs(): number {
    return Math.max(0, this.#provenUntilMs - this.#now());
  }

  /**
   * None is proven to hold now, and what lands is not left to that of an earlier run: recovery is done, or the account had none
   * when this run began.
   */
  get hasRunOut(): boolean {
    return (this.#wasProven || this.#wanted) && this.remainingMs() === 0;
  }

  /**
   * One is wanted and none proven: that of an earlier run runs out, or ours has, be it that nothing was closed with it, as when
   * somebody had deleted it and nothing could tell.
   */
  get isMissing(): boolean {
    return this.#wanted && this.remainingMs() === 0;
  }

  /** This run has had one, or knows that the account has none. */
  get isKnown(): boolean {
    return this.#wasProven;
  }

  /** The account has none: that of an earlier run has run out. */
  foundNone(): void {
    this.#wasProven = true;
  }

  get id(): HeartbeatId | null {
    return this.#state.kind === 'armed' || this.#state.kind === 'removing' ? this.#state.id : null;
  }

  /** Whether enough time is proven for a create request to be answered. */
  allowsSending(): boolean {
    return this.#state.kind === 'armed' && this.remainingMs() > this.reserveMs;
  }

  /** A create request that is not answered within this time is given up: it was sent with no more than that proven. */
  get reserveMs(): number {
    const { sendReserveMs, timeoutS } = this.#desk.options.heartbeat;
    return Math.min(sendReserveMs, timeoutS * 1000 * LARGEST_RESERVE);
  }

  /** Wants a timer from now on. That of an earlier run runs out soon, while ours may not be had for long. */
  arm(): void {
    this.#wanted = true;
    this.sweep();
  }

  /** When the timer wants to be pushed out; -Infinity while it is not armed or a request is out. */
  get dueMs(): number {
    return this.#state.kind === 'armed' && !this.#state.refreshing ? this.#nextTryMs : -Infinity;
  }

  /** Does what is due. */
  sweep(): void {
    this.#desk.metrics.heartbeatRemaining.set(this.remainingMs() / 1000);
    if (!this.#wanted || this.#now() < this.#nextTryMs) return;
    if (this.#state.kind === 'none' && this.#mayArm()) this.#create();
    else if (this.#state.kind === 'armed' && !this.#state.refreshing) this.#keep(this.#state.id);
  }

  #keep(id: HeartbeatId): void {
    if (this.#hooks.trusted()) this.#refresh(id);
    else if (this.#hooks.mustRunOut() && this.remainingMs() > ENDS_SOON_MS) this.#lookAfter();
  }

  /** Nobody refreshes it, and no refusal tells that somebody has deleted it. */
  #lookAfter(): void {
    if (this.#looking) return;
    this.#looking = true;
    this.#retrySoon();
    this.list('reducing', () => void (this.#looking = false));
  }

  #mayArm(): boolean {
    return this.#hooks.trusted() || this.#hooks.mustRunOut();
  }

  /** Asks the exchange whether our timer is still there; `answered` with false when it did not tell. */
  verify(answered: (told: boolean) => void): void {
    if (this.#state.kind !== 'armed') return answered(true);
    this.list('urgent', (listed) => answered(listed !== null));
  }

  /**
   * Lists the heartbeats of the account: whoever asks for them, ours is gone when it is not among them. `told` gets null when they
   * could not be listed, of which the log tells.
   */
  list(priority: Priority, told: (listed: readonly Heartbeat[] | null) => void): void {
    const { id } = this;
    this.#desk.queue.call(
      () => this.#desk.deps.venue.heartbeats({ priority }),
      (listed) => {
        const isGone = listed.every(({ heartbeatId }) => heartbeatId !== id);
        if (id !== null && isGone) this.#lost(id, 'not listed');
        told(listed);
      },
      (error) => {
        this.#desk.log.warn('heartbeats could not be listed', { error });
        told(null);
      },
    );
  }

  /**
   * Deletes our timer; resolves to whether it is certainly gone. Nothing of ours may be open. One that is still being
   * armed is waited for until `untilMs`.
   */
  async remove(untilMs: number): Promise<boolean> {
    this.#wanted = false;
    while (this.#state.kind === 'arming') {
      if (this.#now() >= untilMs) return false;
      await sleep(this.#desk.deps.clock, REMOVE_POLL_MS);
    }
    const id = this.id;
    if (id === null) return true;
    this.#state = { kind: 'removing', id };
    this.#provenUntilMs = -Infinity;
    const gone = await this.#delete(id);
    if (gone) this.#state = { kind: 'none' };
    return gone;
  }

  async #delete(id: HeartbeatId): Promise<boolean> {
    try {
      await this.#desk.deps.venue.deleteHeartbeat(id, { priority: 'urgent' });
    } catch (error) {
      if (!isNotFound(error)) return false;
    }
    this.#desk.queue.post(() =>
      this.#desk.scribe.note({ kind: 'heartbeat_ended', heartbeatId: id, how: 'removed' }),
    );
    return true;
  }

  #create(): void {
    this.#state = { kind: 'arming' };
    const { timeoutS } = this.#desk.options.heartbeat;
    let isNoted = false;
    this.#send(
      (options) => this.#desk.deps.venue.createHeartbeat(timeoutS, options),
      (heartbeat, sentMs) => this.#created(heartbeat.heartbeatId, sentMs),
      (error) => this.#createFailed(error, isNoted),
      () => {
        if (!this.#mayArm()) throw leftToRunOut();
        // The venue repeats only what made nothing: that is one request.
        if (!isNoted) this.#desk.scribe.commit({ kind: 'heartbeat_requested' });
        isNoted = true;
      },
    );
  }

  #refresh(id: HeartbeatId): void {
    this.#state = { kind: 'armed', id, refreshing: true };
    this.#send(
      (options) => this.#desk.deps.venue.refreshHeartbeat(id, options),
      (_, sentMs) => this.#refreshed(id, sentMs),
      (error) => this.#refreshFailed(id, error),
      () => {
        if (!this.#hooks.trusted()) throw leftToRunOut();
      },
    );
  }

  /**
   * The proof starts when the bytes leave, never when the answer comes. The venue repeats what was not answered: each
   * time, and when a connection was waited for, the bytes leave only if the timer is still to be pushed out.
   */
  #send(
    call: (options: CallOptions) => Promise<Heartbeat>,
    done: (heartbeat: Heartbeat, sentMs: number) => void,
    failed: (error: unknown) => void,
    atLast: () => void,
  ): void {
    let sentMs = this.#now();
    this.#nextTryMs = sentMs + this.#refreshEveryMs();
    const beforeSend = (): void => {
      atLast();
      sentMs = this.#now();
    };
    this.#desk.queue.call(
      () => call({ priority: 'urgent', beforeSend, whenConnected: atLast }),
      (heartbeat) => done(heartbeat, sentMs),
      failed,
    );
  }

  #created(id: HeartbeatId, sentMs: number): void {
    this.#desk.scribe.note({ kind: 'heartbeat_armed', heartbeatId: id });
    this.#proven(id, sentMs);
  }

  /** An answer that comes when we have given this timer up proves nothing. */
  #refreshed(id: HeartbeatId, sentMs: number): void {
    if (this.#state.kind !== 'armed' || this.#state.id !== id) return;
    const gap = this.#provenUntilMs > -Infinity && this.#provenUntilMs < sentMs;
    this.#proven(id, sentMs);
    if (gap) this.#hooks.onLost('refreshed too late: the heartbeat may have run out between');
  }

  #proven(id: HeartbeatId, sentMs: number): void {
    this.#state = { kind: 'armed', id, refreshing: false };
    this.#wasProven = true;
    this.#provenUntilMs = sentMs + this.#desk.options.heartbeat.timeoutS * 1000;
  }

  #createFailed(error: unknown, isNoted: boolean): void {
    this.#desk.log.warn('heartbeat could not be created', { error });
    // A journal that has failed stays so for this run, and nothing is placed without it: there is nothing to guard.
    if (error instanceof JournalError) this.#wanted = false;
    else if (outcomeOf(error) === 'unknown') return this.#findUnanswered();
    else if (isNoted) this.#desk.scribe.note({ kind: 'heartbeat_refused' });
    this.#giveUpArming();
  }

  #giveUpArming(): void {
    if (this.#state.kind === 'arming') this.#state = { kind: 'none' };
    this.#retrySoon();
  }

  /** Creating is not idempotent: a timer may exist whose id we were not told. The listing shows it. */
  #findUnanswered(): void {
    this.#hooks.onUnanswered();
    this.#desk.queue.call(
      () => this.#desk.deps.venue.heartbeats({ priority: 'urgent' }),
      (listed) => this.#adopt(listed.map((heartbeat) => heartbeat.heartbeatId)),
      () => this.#desk.deps.clock.after(this.#desk.options.heartbeat.retryMs, () => this.#findUnanswered()),
    );
  }

  /**
   * Takes over one that is not known to be another's; the rest are found as what requests made that nobody answered.
   * Nothing is proven until a refresh.
   */
  #adopt(listed: readonly HeartbeatId[]): void {
    const ours = listed.find((id) => !this.#hooks.isOthers(id));
    if (ours === undefined) return this.#giveUpArming();
    this.#desk.scribe.note({ kind: 'heartbeat_armed', heartbeatId: ours });
    this.#state = { kind: 'armed', id: ours, refreshing: false };
    this.#provenUntilMs = -Infinity;
    this.#nextTryMs = -Infinity;
  }

  /** A late answer about a timer that was given up must not put it in the place of the one that followed. */
  #refreshFailed(id: HeartbeatId, error: unknown): void {
    if (this.#state.kind !== 'armed' || this.#state.id !== id) return;
    this.#state = { kind: 'armed', id, refreshing: false };
    if (!isNotFound(error)) {
      this.#desk.log.warn('heartbeat could not be refreshed', { error, remainingMs: this.remainingMs() });
      return this.#retrySoon();
    }
    this.#lost(id, 'not found');
  }

  #lost(id: HeartbeatId, how: string): void {
    if (this.#state.kind !== 'armed' || this.#state.id !== id) return;
    this.#state = { kind: 'none' };
    this.#provenUntilMs = -Infinity;
    this.#nextTryMs = -Infinity;
    this.#hooks.onGivenUp(id);
    this.#hooks.onLost(`the exchange does not know our heartbeat any more: ${how}`);
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

const leftToRunOut = (): TransportError => new TransportError('not-sent', 'the heartbeat is left to run out');

export const isNotFound = (error: unknown): boolean =>
  error instanceof VenueRejection && error.status === 404;
