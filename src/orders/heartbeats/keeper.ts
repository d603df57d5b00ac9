import { isNotFound, JournalError, outcomeOf, TransportError } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import { sleep } from '../../ports/clock.ts';
import type { Priority } from '../../ports/venue.ts';
import { type HeartbeatProof, provesEnough } from '../gate-context.ts';
import type { OrderContext } from '../state/context.ts';
import type { Attempt } from '../state/fruitless.ts';
import { HeartbeatRequests, type KeepingRequest } from './requests.ts';

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'arming' }
  | { readonly kind: 'armed'; readonly id: HeartbeatId; readonly refreshing: boolean }
  | { readonly kind: 'removing'; readonly id: HeartbeatId };

/** Whether a listing was requested, and has shown that no other process created a heartbeat at the same time. */
type Confirmation = 'none' | 'asked' | 'given';

/** No heartbeat can live longer without a refresh (specification, Limits). */
export const LONGEST_LIFE_MS = 300_000;
const REMOVE_POLL_MS = 20;
/** With a short timeout the reserve would forbid every order, so it is at most this part of the timeout. */
const LARGEST_RESERVE = 0.5;
/** A heartbeat with less than this left is about to expire: its absence from a listing proves nothing. */
const ENDS_SOON_MS = 1_000;

export interface HeartbeatHooks {
  /**
   * Returns whether the engine makes progress and the account stream is trusted. The timer is refreshed only
   * while both hold.
   */
  trusted(): boolean;
  /**
   * Returns whether orders are open that only a heartbeat's expiry may close. The heartbeat must then exist,
   * and is not refreshed.
   */
  mustRunOut(): boolean;
  /** Returns whether no other process is known to use the account. */
  mayCreate(): boolean;
  /** Called with each listing of the account's heartbeats, requested at the monotonic instant `askedMs`. */
  onListed(listed: readonly Heartbeat[], askedMs: number): void;
  /** Returns whether a listing shows a heartbeat that another process has created. */
  isContested(listed: readonly Heartbeat[]): boolean;
  /** Another process created a heartbeat at the same time, so this run deletes its own. */
  onContested(): void;
  /** A create request was not answered: its heartbeat may be found later, besides ours. */
  onUnanswered(): void;
  /**
   * The exchange says that our heartbeat is gone: it expired, which closed our orders, or was deleted, which
   * left them unguarded.
   */
  onLost(reason: string): void;
  /**
   * An answer says that our heartbeat is gone. If that answer is wrong, the heartbeat's expiry would close
   * orders that its successor guards.
   */
  onGivenUp(id: HeartbeatId): void;
}

/**
 * Keeps our heartbeat alive on the exchange. The remaining time is proven, not assumed: it counts from the
 * monotonic instant at which the last acknowledged refresh was sent. Driven by `sweep`.
 */
export class HeartbeatKeeper {
  readonly #context: OrderContext;
  readonly #hooks: HeartbeatHooks;
  readonly #requests: HeartbeatRequests;
  #state: State = { kind: 'none' };
  #provenUntilMs = -Infinity;
  /** This run has had a proven heartbeat, or the account is known to have had none. */
  #wasProven = false;
  #nextTryMs = -Infinity;
  /** A heartbeat is to be kept. */
  #wanted = false;
  /** A listing that shows whether our heartbeat still exists is in flight. */
  #looking = false;
  #confirmation: Confirmation = 'none';
  /** The heartbeats that this run has created. */
  readonly #created = new Set<HeartbeatId>();
  /** Monotonic instant at which the create request of the present one was sent. */
  #createdMs = -Infinity;
  #removalAsked = false;
  /** A create request was not answered, and it is unknown whether it created a heartbeat. */
  #inDoubt = false;

  constructor(context: OrderContext, hooks: HeartbeatHooks) {
    this.#context = context;
    this.#hooks = hooks;
    this.#requests = new HeartbeatRequests(context);
  }

  /** Milliseconds for which no expiry can close our orders; 0 when nothing is proven. */
  remainingMs(): number {
    return Math.max(0, this.#provenUntilMs - this.#now());
  }

  /**
   * No heartbeat is proven now, and none of an earlier run is relied on to guard orders that land: recovery is
   * done, or the account had no heartbeat when this run began.
   */
  get hasRunOut(): boolean {
    return (this.#wasProven || this.#wanted) && this.remainingMs() === 0;
  }

  /**
   * A heartbeat is wanted and none is proven to hold: an earlier run's is about to expire, or ours has ended.
   * If ours was deleted unnoticed, its end closed no order.
   */
  get isMissing(): boolean {
    return this.#wanted && this.remainingMs() === 0;
  }

  /** This run has had a heartbeat, or knows that the account has none. */
  get isKnown(): boolean {
    return this.#wasProven;
  }

  /** Notes that the account has no heartbeat: the one of an earlier run has expired. */
  foundNone(): void {
    this.#wasProven = true;
  }

  get id(): HeartbeatId | null {
    return this.#state.kind === 'armed' || this.#state.kind === 'removing' ? this.#state.id : null;
  }

  /** Returns whether this run has created the heartbeat. */
  isMine(id: HeartbeatId): boolean {
    return this.#created.has(id);
  }

  /** The proof on which orders are sent. */
  get proof(): HeartbeatProof {
    const isConfirmed = this.#state.kind === 'armed' && this.#confirmation === 'given';
    return { isConfirmed, provenUntilMs: this.#provenUntilMs, reserveMs: this.reserveMs };
  }

  /** Returns whether the heartbeat allows an order to be sent now. */
  allowsSending(): boolean {
    return provesEnough(this.proof, this.#now());
  }

  /** Time that must be proven when an order is sent. A create request that is not answered within it is given up. */
  get reserveMs(): number {
    const { sendReserveMs, timeoutS } = this.#context.options.heartbeat;
    return Math.min(sendReserveMs, timeoutS * 1000 * LARGEST_RESERVE);
  }

  /** Keeps a heartbeat from now on. An earlier run's heartbeat expires soon, and creating ours may take long. */
  arm(): void {
    this.#wanted = true;
    this.sweep();
  }

  /** Monotonic instant of the next refresh; -Infinity while no heartbeat is armed or a request is in flight. */
  get dueMs(): number {
    return this.#state.kind === 'armed' && !this.#state.refreshing ? this.#nextTryMs : -Infinity;
  }

  sweep(): void {
    this.#context.metrics.heartbeatRemaining.set(this.remainingMs() / 1000);
    // Without a key it is left to expire: that closes every order.
    if (this.#context.deps.venue.keyRefusal !== null || this.#now() < this.#nextTryMs) return;
    if (this.#state.kind === 'removing') return this.#takeBack(this.#state.id);
    if (!this.#wanted) return;
    if (this.#state.kind === 'armed' && this.#confirmation === 'none') this.#confirm(this.#state.id);
    if (this.#state.kind === 'none' && this.#mayArm()) this.#create();
    else if (this.#state.kind === 'armed' && !this.#state.refreshing) this.#keep(this.#state.id);
  }

  #keep(id: HeartbeatId): void {
    if (this.#hooks.trusted()) this.#refresh(id);
    else if (this.#hooks.mustRunOut() && this.remainingMs() > ENDS_SOON_MS) this.#lookAfter();
  }

  /** Lists heartbeats to see whether ours still exists: without refreshes, no refusal would reveal its deletion. */
  #lookAfter(): void {
    if (this.#looking) return;
    this.#looking = true;
    this.#retrySoon();
    this.list('reducing', () => void (this.#looking = false));
  }

  #mayArm(): boolean {
    return this.#hooks.mayCreate() && (this.#hooks.trusted() || this.#hooks.mustRunOut());
  }

  /**
   * Deletes our heartbeat when another process uses the account and none of our orders is open: its expiry
   * would close the other's orders.
   */
  release(): void {
    this.#wanted = false;
    if (this.#state.kind === 'armed') this.#takeBack(this.#state.id);
  }

  /**
   * Asks the exchange whether our heartbeat still exists. Calls `answered` with false when the exchange could
   * not be asked.
   */
  verify(answered: (isListed: boolean) => void): void {
    if (this.#state.kind !== 'armed') return answered(true);
    this.list('urgent', (listed) => answered(listed !== null));
  }

  /**
   * Lists the heartbeats of the account. Whatever the purpose, our heartbeat is lost if it is not listed.
   * `onListed` receives null when the listing failed, which is logged.
   */
  list(priority: Priority, onListed: (listed: readonly Heartbeat[] | null) => void): void {
    const { id } = this;
    const askedMs = this.#now();
    this.#context.queue.call(
      () => this.#context.deps.venue.heartbeats({ priority }),
      (listed) => {
        this.#hooks.onListed(listed, askedMs);
        const isGone = listed.every(({ heartbeatId }) => heartbeatId !== id);
        if (id !== null && isGone) this.#lost(id, 'not listed');
        onListed(listed);
      },
      (error) => {
        this.#context.log.warn('heartbeats could not be listed', { error });
        onListed(null);
      },
    );
  }

  /**
   * Deletes our heartbeat, and resolves to whether it is certainly gone. None of our orders may be open. Waits
   * until the monotonic instant `untilMs` for a heartbeat that is still being created.
   */
  async remove(untilMs: number): Promise<boolean> {
    this.#wanted = false;
    while (this.#state.kind === 'arming') {
      if (this.#now() >= untilMs) return false;
      await sleep(this.#context.deps.clock, REMOVE_POLL_MS);
    }
    const id = this.id;
    if (id === null) return !this.#inDoubt;
    this.#state = { kind: 'removing', id };
    this.#provenUntilMs = -Infinity;
    const gone = await this.#requests.delete(id);
    if (gone) this.#state = { kind: 'none' };
    return gone;
  }

  #create(): void {
    this.#state = { kind: 'arming' };
    const { timeoutS } = this.#context.options.heartbeat;
    let isNoted = false;
    this.#keepBy({
      call: (options) => this.#context.deps.venue.createHeartbeat(timeoutS, options),
      done: ({ heartbeatId }, sentMs) => this.#onCreated(heartbeatId, sentMs),
      failed: (error) => this.#createFailed(error, isNoted),
      atLast: () => {
        if (!this.#mayArm()) throw leftToRunOut();
        // The venue repeats a request only if it had no effect, so all repeats count as one request.
        if (!isNoted) this.#context.journalWriter.commit({ kind: 'heartbeat_requested' });
        isNoted = true;
      },
    });
  }

  #refresh(id: HeartbeatId): void {
    this.#state = { kind: 'armed', id, refreshing: true };
    this.#keepBy({
      call: (options) => this.#context.deps.venue.refreshHeartbeat(id, options),
      done: (_, sentMs) => this.#refreshed(id, sentMs),
      failed: (error) => this.#refreshFailed(id, error),
      atLast: () => {
        if (!this.#hooks.trusted()) throw leftToRunOut();
      },
    });
  }

  #keepBy(request: KeepingRequest): void {
    const { timeoutS, refreshRatio } = this.#context.options.heartbeat;
    this.#nextTryMs = this.#now() + timeoutS * 1000 * refreshRatio;
    this.#requests.keep(request);
  }

  #onCreated(id: HeartbeatId, sentMs: number): void {
    this.#context.journalWriter.note({ kind: 'heartbeat_armed', heartbeatId: id });
    this.#created.add(id);
    this.#createdMs = sentMs;
    this.#inDoubt = false;
    this.#confirmation = 'none';
    this.#proven(id, sentMs);
    if (this.#wanted) this.#confirm(id);
    else this.#takeBack(id);
  }

  /**
   * Lists heartbeats after creating ours. Of two processes that create one at the same time, the later listing
   * shows the other's: both may delete theirs, but never do both keep it.
   */
  #confirm(id: HeartbeatId): void {
    this.#confirmation = 'asked';
    this.list('urgent', (listed) => {
      if (this.#state.kind !== 'armed' || this.#state.id !== id) return;
      this.#confirmation = listed === null ? 'none' : 'given';
      if (listed === null || !this.#hooks.isContested(listed)) return;
      this.#context.log.warn('another process made a heartbeat at the same time: ours is deleted', { id });
      this.#takeBack(id);
      this.#hooks.onContested();
    });
  }

  /** Deletes our heartbeat. Sweeps repeat this until the exchange confirms that it is gone. */
  #takeBack(id: HeartbeatId): void {
    this.#state = { kind: 'removing', id };
    this.#provenUntilMs = -Infinity;
    this.#retrySoon();
    if (this.#removalAsked) return;
    this.#removalAsked = true;
    this.#context.queue.call(
      () => this.#requests.delete(id),
      (gone) => {
        this.#removalAsked = false;
        if (gone && this.id === id) this.#state = { kind: 'none' };
      },
      () => void (this.#removalAsked = false),
    );
  }

  /** A late answer about a heartbeat that was given up proves nothing. */
  #refreshed(id: HeartbeatId, sentMs: number): void {
    if (this.#state.kind !== 'armed' || this.#state.id !== id) return;
    const gap = this.#provenUntilMs > -Infinity && this.#provenUntilMs < sentMs;
    this.#proven(id, sentMs);
    if (this.#now() - this.#createdMs >= this.#context.options.heartbeat.timeoutS * 1000)
      this.#context.fruitless.lasted('heartbeat', this.#attempt);
    if (gap) this.#hooks.onLost('refreshed too late: the heartbeat may have run out between');
  }

  #proven(id: HeartbeatId, sentMs: number): void {
    this.#state = { kind: 'armed', id, refreshing: false };
    this.#wasProven = true;
    this.#provenUntilMs = sentMs + this.#context.options.heartbeat.timeoutS * 1000;
  }

  #createFailed(error: unknown, isNoted: boolean): void {
    this.#context.log.warn('heartbeat could not be created', { error });
    // A failed journal stays failed for this run, and no order is placed without it: there is nothing to guard.
    if (error instanceof JournalError) this.#wanted = false;
    else if (outcomeOf(error) === 'unknown') this.#unanswered();
    else if (isNoted) this.#context.journalWriter.note({ kind: 'heartbeat_refused' });
    this.#giveUpArming();
  }

  #unanswered(): void {
    this.#inDoubt = true;
    this.#hooks.onUnanswered();
  }

  #giveUpArming(): void {
    if (this.#state.kind === 'arming') this.#state = { kind: 'none' };
    this.#retrySoon();
  }

  /** A late answer about a heartbeat that was given up must not restore it over its successor. */
  #refreshFailed(id: HeartbeatId, error: unknown): void {
    if (this.#state.kind !== 'armed' || this.#state.id !== id) return;
    this.#state = { kind: 'armed', id, refreshing: false };
    if (!isNotFound(error)) {
      this.#context.log.warn('heartbeat could not be refreshed', { error, remainingMs: this.remainingMs() });
      return this.#retrySoon();
    }
    this.#lost(id, 'not found');
  }

  #lost(id: HeartbeatId, how: string): void {
    if (this.#state.kind !== 'armed' || this.#state.id !== id) return;
    this.#state = { kind: 'none' };
    // A heartbeat cannot run out while it is proven to hold: the next one may end in the same way.
    if (this.remainingMs() > 0) this.#context.fruitless.failed('heartbeat', this.#attempt, how);
    this.#provenUntilMs = -Infinity;
    this.#nextTryMs = this.#context.fruitless.untilMs('heartbeat', '');
    this.#hooks.onGivenUp(id);
    this.#hooks.onLost(`the exchange does not know our heartbeat any more: ${how}`);
  }

  get #attempt(): Attempt {
    return { market: '', beganMs: this.#createdMs };
  }

  #retrySoon(): void {
    this.#nextTryMs = this.#now() + this.#context.options.heartbeat.retryMs;
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

const leftToRunOut = (): TransportError => new TransportError('not-sent', 'the heartbeat is left to expire');
