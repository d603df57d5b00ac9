import { isNotFound } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import type { OrderContext } from '../state/context.ts';
import { type HeartbeatKeeper, LONGEST_LIFE_MS } from './keeper.ts';
import type { HeartbeatSightings } from './sightings.ts';

const RETRY_MS = 1_000;
/** Much less than the shortest life of a heartbeat. */
const LOOK_EVERY_MS = 2_000;
const HALT = 'old_heartbeat';

/** Origin of an old heartbeat, as the journal records it. Heartbeats that land late count as left by an earlier run. */
type Origin = 'of an earlier run' | 'given up';

interface Left {
  readonly origin: Origin;
  /** Monotonic instant at which it was found. A listing requested earlier proves nothing about it. */
  readonly foundMs: number;
  /**
   * Monotonic instant at which it has certainly expired, even if its deletes fail. Infinity if another process
   * may refresh it.
   */
  readonly overMs: number;
}

/**
 * Deletes old heartbeats, whose expiry would close this run's orders: those that earlier runs left, that
 * unanswered requests created, or that this run has given up.
 *
 * They are deleted before the next order, but only once the new heartbeat is armed: until then they guard open
 * orders. A request that was given up may create a heartbeat late, and no answer reports that.
 */
export class OldHeartbeats {
  readonly #context: OrderContext;
  readonly #present: Pick<HeartbeatKeeper, 'id' | 'allowsSending' | 'list'>;
  readonly #others: Pick<HeartbeatSightings, 'isAbandoned' | 'isUnanswered'>;
  readonly #left = new Map<HeartbeatId, Left>();
  /** Heartbeats whose delete is in flight. */
  readonly #asked = new Set<HeartbeatId>();
  #guards = true;
  /** A delete has failed, so only a listing shows whether the heartbeat still exists. */
  #deletesFail = false;
  #nextMs = -Infinity;
  /** More heartbeats may land until this instant; -Infinity once a later listing was read. */
  #expectedUntilMs = -Infinity;
  #nextLookMs = -Infinity;
  #looking = false;

  /** `present` keeps the heartbeat that guards this run. */
  constructor(
    context: OrderContext,
    present: Pick<HeartbeatKeeper, 'id' | 'allowsSending' | 'list'>,
    others: Pick<HeartbeatSightings, 'isAbandoned' | 'isUnanswered'>,
  ) {
    [this.#context, this.#present, this.#others] = [context, present, others];
  }

  /** Adds heartbeats to delete. The journal records each until it is gone, so the next run finds those that remain. */
  found(ids: readonly HeartbeatId[], origin: Origin = 'of an earlier run'): void {
    const foundMs = this.#now();
    const overMs = origin === 'given up' ? foundMs + LONGEST_LIFE_MS : Infinity;
    for (const id of ids) this.#left.set(id, { origin, foundMs, overMs });
    if (this.#left.size > 0) this.#context.halts.set(HALT, 'heartbeat_of_an_earlier_run');
  }

  /** Expects a heartbeat of an unanswered request, which may land late. */
  expect(): void {
    this.#expectedUntilMs = this.#now() + this.#context.options.latestLandingMs;
    this.#nextLookMs = -Infinity;
  }

  /**
   * Allows deletion at once, since no order is open that old heartbeats could guard. `ids` are those that
   * recovery has not found.
   */
  guardNothing(ids: readonly HeartbeatId[]): void {
    this.#guards = false;
    this.found(ids);
  }

  /** Number of old heartbeats that are not deleted yet. */
  get left(): number {
    return this.#left.size;
  }

  has(id: HeartbeatId): boolean {
    return this.#left.has(id);
  }

  get dueMs(): number {
    if (this.#left.size > 0) return -Infinity;
    return this.#expectedUntilMs === -Infinity ? Infinity : this.#nextLookMs;
  }

  sweep(): void {
    this.#look();
    const now = this.#now();
    if (this.#left.size === 0 || now < this.#nextMs) return;
    if (this.#guards && !this.#present.allowsSending()) return;
    this.#nextMs = now + RETRY_MS;
    for (const [id, { origin, overMs }] of Array.from(this.#left)) {
      if (now >= overMs) this.#gone(id);
      else if (this.#asked.has(id)) continue;
      else if (origin === 'given up' || this.#others.isAbandoned(id)) this.#delete(id);
    }
  }

  /**
   * Lists heartbeats to find old ones, only while the present heartbeat is known: otherwise a listed one could
   * be the result of our own request in flight.
   */
  #look(): void {
    const askedMs = this.#now();
    const present = this.#present.id;
    if (!this.#isMissed() && this.#expectedUntilMs === -Infinity) return;
    if (this.#looking || askedMs < this.#nextLookMs || present === null) return;
    this.#looking = true;
    this.#nextLookMs = askedMs + LOOK_EVERY_MS;
    this.#present.list('reducing', (listed) => {
      this.#looking = false;
      if (listed !== null) this.#listed(listed, present, askedMs);
    });
  }

  /**
   * Returns whether only a listing shows the end of an old heartbeat: its delete has failed, or it may not be
   * deleted yet.
   */
  #isMissed(): boolean {
    if (this.#deletesFail && this.#left.size > 0) return true;
    return [...this.#left].some(([id, { origin }]) => origin === 'of an earlier run' && !this.#isDoomed(id));
  }

  #isDoomed(id: HeartbeatId): boolean {
    return this.#asked.has(id) || this.#others.isAbandoned(id);
  }

  /** If the present heartbeat has changed meanwhile, or is gone, a listed one may be the new one. */
  #listed(listed: readonly Heartbeat[], present: HeartbeatId, askedMs: number): void {
    if (this.#present.id !== present) return;
    const there = listed.map(({ heartbeatId }) => heartbeatId);
    this.#forgetMissing(new Set(there), askedMs);
    if (this.#expectedUntilMs === -Infinity) return;
    const unanswered = there.filter((id) => !this.has(id) && this.#others.isUnanswered(id));
    const late = unanswered.filter((id) => this.#others.isAbandoned(id));
    for (const heartbeatId of late) {
      this.#context.log.warn('a heartbeat whose create request had no answer is deleted', { heartbeatId });
      this.#context.journalWriter.note({ kind: 'heartbeat_armed', heartbeatId });
    }
    this.found(late);
    if (askedMs >= this.#expectedUntilMs && late.length === unanswered.length)
      this.#expectedUntilMs = -Infinity;
  }

  /**
   * Forgets heartbeats of earlier runs that are no longer listed: without refreshes they expire by themselves,
   * even while deletes fail.
   */
  #forgetMissing(there: ReadonlySet<HeartbeatId>, askedMs: number): void {
    for (const [id, { origin, foundMs }] of Array.from(this.#left))
      if (origin === 'of an earlier run' && askedMs > foundMs && !there.has(id)) this.#gone(id);
  }

  /**
   * Deletes a heartbeat with priority `reducing`: after a night of restarts, urgent deletes could exceed the
   * exchange's rate limit.
   */
  #delete(id: HeartbeatId): void {
    this.#asked.add(id);
    this.#context.queue.call(
      () => this.#context.deps.venue.deleteHeartbeat(id, { priority: 'reducing' }),
      () => this.#gone(id),
      (error) => {
        this.#asked.delete(id);
        if (isNotFound(error)) return this.#gone(id);
        this.#deletesFail = true;
        this.#context.log.warn('an old heartbeat could not be deleted', { id, error });
      },
    );
  }

  #gone(id: HeartbeatId): void {
    this.#asked.delete(id);
    const left = this.#left.get(id);
    if (left === undefined) return;
    this.#left.delete(id);
    this.#context.journalWriter.note({ kind: 'heartbeat_ended', heartbeatId: id, how: left.origin });
    if (this.#left.size > 0) return;
    this.#deletesFail = false;
    this.#context.halts.clear(HALT);
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
