import { isNotFound, JournalError, outcomeOf, TransportError } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import { sleep } from '../../ports/clock.ts';
import type { CallOptions, Priority } from '../../ports/venue.ts';
import { type HeartbeatProof, provesEnough } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'arming' }
  | { readonly kind: 'armed'; readonly id: HeartbeatId; readonly refreshing: boolean }
  | { readonly kind: 'removing'; readonly id: HeartbeatId };

/** Whether a listing has shown that no other process made a heartbeat at the same time as this one. */
type Confirmation = 'none' | 'asked' | 'given';

/** No heartbeat can live longer without a refresh (specification, Limits). */
export const LONGEST_LIFE_MS = 300_000;
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
  /** Whether no other process uses the account, as far as that is known. */
  mayCreate(): boolean;
  /** A listing of the account's heartbeats, asked for at that monotonic instant. */
  onListed(listed: readonly Heartbeat[], askedMs: number): void;
  /** Whether a listing shows a heartbeat that another process has made. */
  isContested(listed: readonly Heartbeat[]): boolean;
  /** Another process made one at the same time: this run takes its own back. */
  onContested(): void;
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
  readonly #context: OrderContext;
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
  #confirmation: Confirmation = 'none';
  /** Those that this run has created. */
  readonly #created = new Set<HeartbeatId>();
  #removalAsked = false;
  /** A request was not answered, and what it made is not known. */
  #inDoubt = false;

  constructor(context: OrderContext, hooks: HeartbeatHooks) {
    this.#context = context;
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

  /** Whether this run has created a heartbeat. */
  isMine(id: HeartbeatId): boolean {
    return this.#created.has(id);
  }

  /** What orders are sent by. */
  get proof(): HeartbeatProof {
    const isConfirmed = this.#state.kind === 'armed' && this.#confirmation === 'given';
    return { isConfirmed, provenUntilMs: this.#provenUntilMs, reserveMs: this.reserveMs };
  }

  /** Whether an order may be sent now. */
  allowsSending(): boolean {
    return provesEnough(this.proof, this.#now());
  }

  /** A create request that is not answered within this time is given up: it was sent with no more than that proven. */
  get reserveMs(): number {
    const { sendReserveMs, timeoutS } = this.#context.options.heartbeat;
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
    this.#context.metrics.heartbeatRemaining.set(this.remainingMs() / 1000);
    if (this.#now() < this.#nextTryMs) return;
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

  /** Nobody refreshes it, and no refusal tells that somebody has deleted it. */
  #lookAfter(): void {
    if (this.#looking) return;
    this.#looking = true;
    this.#retrySoon();
    this.list('reducing', () => void (this.#looking = false));
  }

  #mayArm(): boolean {
    return this.#hooks.mayCreate() && (this.#hooks.trusted() || this.#hooks.mustRunOut());
  }

  /** Another process uses the account, and nothing of ours is open: no heartbeat of ours may close the other's orders. */
  release(): void {
    this.#wanted = false;
    if (this.#state.kind === 'armed') this.#takeBack(this.#state.id);
  }

  /** Asks the exchange whether our timer is still there; `answered` with false when it did not tell. */
  verify(answered: (told: boolean) => void): void {
    if (this.#state.kind !== 'armed') return answered(true);
    this.list('urgent', (listed) => answered(listed !== null));
  }

  /**
   * Lists the heartbeats of the account: whoever asks for them, ours is gone when it is not among them. `reasonCode` gets null when they
   * could not be listed, of which the log tells.
   */
  list(priority: Priority, told: (listed: readonly Heartbeat[] | null) => void): void {
    const { id } = this;
    const askedMs = this.#now();
    this.#context.queue.call(
      () => this.#context.deps.venue.heartbeats({ priority }),
      (listed) => {
        this.#hooks.onListed(listed, askedMs);
        const isGone = listed.every(({ heartbeatId }) => heartbeatId !== id);
        if (id !== null && isGone) this.#lost(id, 'not listed');
        told(listed);
      },
      (error) => {
        this.#context.log.warn('heartbeats could not be listed', { error });
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
      await sleep(this.#context.deps.clock, REMOVE_POLL_MS);
    }
    const id = this.id;
    if (id === null) return !this.#inDoubt;
    this.#state = { kind: 'removing', id };
    this.#provenUntilMs = -Infinity;
    const gone = await this.#delete(id);
    if (gone) this.#state = { kind: 'none' };
    return gone;
  }

  async #delete(id: HeartbeatId): Promise<boolean> {
    try {
      await this.#context.deps.venue.deleteHeartbeat(id, { priority: 'urgent' });
    } catch (error) {
      if (!isNotFound(error)) return false;
    }
    this.#context.queue.post(() =>
      this.#context.journalWriter.note({ kind: 'heartbeat_ended', heartbeatId: id, how: 'removed' }),
    );
    return true;
  }

  #create(): void {
    this.#state = { kind: 'arming' };
    const { timeoutS } = this.#context.options.heartbeat;
    let isNoted = false;
    this.#send(
      (options) => this.#context.deps.venue.createHeartbeat(timeoutS, options),
      (heartbeat, sentMs) => this.#onCreated(heartbeat.heartbeatId, sentMs),
      (error) => this.#createFailed(error, isNoted),
      () => {
        if (!this.#mayArm()) throw leftToRunOut();
        // The venue repeats only what made nothing: that is one request.
        if (!isNoted) this.#context.journalWriter.commit({ kind: 'heartbeat_requested' });
        isNoted = true;
      },
    );
  }

  #refresh(id: HeartbeatId): void {
    this.#state = { kind: 'armed', id, refreshing: true };
    this.#send(
      (options) => this.#context.deps.venue.refreshHeartbeat(id, options),
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
    this.#context.queue.call(
      () => call({ priority: 'urgent', beforeSend, whenConnected: atLast }),
      (heartbeat) => done(heartbeat, sentMs),
      failed,
    );
  }

  #onCreated(id: HeartbeatId, sentMs: number): void {
    this.#context.journalWriter.note({ kind: 'heartbeat_armed', heartbeatId: id });
    this.#created.add(id);
    this.#inDoubt = false;
    this.#confirmation = 'none';
    this.#proven(id, sentMs);
    if (this.#wanted) this.#confirm(id);
    else this.#takeBack(id);
  }

  /**
   * Of two processes that create a heartbeat, the one whose listing comes last sees the other's: both may take theirs back,
   * never both keep it.
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

  /** Repeated by sweeps until the exchange says that it is gone. */
  #takeBack(id: HeartbeatId): void {
    this.#state = { kind: 'removing', id };
    this.#provenUntilMs = -Infinity;
    this.#retrySoon();
    if (this.#removalAsked) return;
    this.#removalAsked = true;
    this.#context.queue.call(
      () => this.#delete(id),
      (gone) => {
        this.#removalAsked = false;
        if (gone && this.id === id) this.#state = { kind: 'none' };
      },
      () => void (this.#removalAsked = false),
    );
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
    this.#provenUntilMs = sentMs + this.#context.options.heartbeat.timeoutS * 1000;
  }

  #createFailed(error: unknown, isNoted: boolean): void {
    this.#context.log.warn('heartbeat could not be created', { error });
    // A journal that has failed stays so for this run, and nothing is placed without it: there is nothing to guard.
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

  /** A late answer about a timer that was given up must not put it in the place of the one that followed. */
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
    this.#provenUntilMs = -Infinity;
    this.#nextTryMs = -Infinity;
    this.#hooks.onGivenUp(id);
    this.#hooks.onLost(`the exchange does not know our heartbeat any more: ${how}`);
  }

  #retrySoon(): void {
    this.#nextTryMs = this.#now() + this.#context.options.heartbeat.retryMs;
  }

  #refreshEveryMs(): number {
    const { timeoutS, refreshRatio } = this.#context.options.heartbeat;
    return timeoutS * 1000 * refreshRatio;
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

const leftToRunOut = (): TransportError => new TransportError('not-sent', 'the heartbeat is left to run out');
