import { isNotFound } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import type { OrderContext } from '../state/context.ts';
import { type HeartbeatKeeper, LONGEST_LIFE_MS } from './keeper.ts';
import type { HeartbeatSightings } from './sightings.ts';

const RETRY_MS = 1_000;
/** Well within the shortest life of a heartbeat. */
const LOOK_EVERY_MS = 2_000;
const HALT = 'old_heartbeat';

/** Whose they were, as the journal tells it: those that land late count as left by an earlier run. */
type Origin = 'of an earlier run' | 'given up';

interface Left {
  readonly origin: Origin;
  /** Monotonic; a listing that was asked for earlier tells nothing of it. */
  readonly foundMs: number;
  /** Monotonic instant by which it is over, whatever its deletes are answered: Infinity where somebody may refresh it. */
  readonly overMs: number;
}

/**
 * Heartbeats that earlier runs left, or requests that nobody answered, or that this run has given up: each one's expiry
 * would close this run's orders. They are deleted before the next order, and only once the new one is armed: until then they
 * guard what is open. What a request made that was given up may land late, and no answer tells of it.
 */
export class OldHeartbeats {
  readonly #context: OrderContext;
  readonly #present: Pick<HeartbeatKeeper, 'id' | 'allowsSending' | 'list'>;
  readonly #others: Pick<HeartbeatSightings, 'isAbandoned' | 'isUnanswered'>;
  readonly #left = new Map<HeartbeatId, Left>();
  /** Whose delete is not answered yet. */
  readonly #asked = new Set<HeartbeatId>();
  #guards = true;
  /** A delete was answered with a failure: whether it is there still, only a listing tells. */
  #deletesFail = false;
  #nextMs = -Infinity;
  /** More may land until then; -Infinity once the account was looked at later than that. */
  #expectedUntilMs = -Infinity;
  #nextLookMs = -Infinity;
  #looking = false;

  /** `present` is the one that guards this run. */
  constructor(
    context: OrderContext,
    present: Pick<HeartbeatKeeper, 'id' | 'allowsSending' | 'list'>,
    others: Pick<HeartbeatSightings, 'isAbandoned' | 'isUnanswered'>,
  ) {
    [this.#context, this.#present, this.#others] = [context, present, others];
  }

  /** The journal tells of each until it is gone: the next run finds those that this one does not come to delete. */
  found(ids: readonly HeartbeatId[], origin: Origin = 'of an earlier run'): void {
    const foundMs = this.#now();
    const overMs = origin === 'given up' ? foundMs + LONGEST_LIFE_MS : Infinity;
    for (const id of ids) this.#left.set(id, { origin, foundMs, overMs });
    if (this.#left.size > 0) this.#context.halts.set(HALT, 'heartbeat_of_an_earlier_run');
  }

  /** A request may have made one, or may yet make one, of which nobody is told. */
  expect(): void {
    this.#expectedUntilMs = this.#now() + this.#context.options.latestLandingMs;
    this.#nextLookMs = -Infinity;
  }

  /** Nothing is open any more that they could be needed for: these neither, of which recovery has not told. */
  guardNothing(ids: readonly HeartbeatId[]): void {
    this.#guards = false;
    this.found(ids);
  }

  /** Those that are not deleted yet. */
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
    for (const [id, { origin, overMs }] of [...this.#left]) {
      if (now >= overMs) this.#gone(id);
      else if (this.#asked.has(id)) continue;
      else if (origin === 'given up' || this.#others.isAbandoned(id)) this.#delete(id);
    }
  }

  /** Only while the present one is known: what else is listed then is not the answer to a request that is out. */
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

  /** Whether only a listing tells what became of one: its delete failed, or it is not to be deleted before it is listed again. */
  #isMissed(): boolean {
    if (this.#deletesFail && this.#left.size > 0) return true;
    return [...this.#left].some(([id, { origin }]) => origin === 'of an earlier run' && !this.#isDoomed(id));
  }

  #isDoomed(id: HeartbeatId): boolean {
    return this.#asked.has(id) || this.#others.isAbandoned(id);
  }

  /** When the present one has changed meanwhile, or is gone, what is listed may be the new one. */
  #listed(listed: readonly Heartbeat[], present: HeartbeatId, askedMs: number): void {
    if (this.#present.id !== present) return;
    const there = listed.map(({ heartbeatId }) => heartbeatId);
    this.#forgetMissing(new Set(there), askedMs);
    if (this.#expectedUntilMs === -Infinity) return;
    const unanswered = there.filter((id) => !this.has(id) && this.#others.isUnanswered(id));
    const late = unanswered.filter((id) => this.#others.isAbandoned(id));
    for (const heartbeatId of late) {
      this.#context.log.warn('a heartbeat that nobody was told of is deleted', { heartbeatId });
      this.#context.journalWriter.note({ kind: 'heartbeat_armed', heartbeatId });
    }
    this.found(late);
    if (askedMs >= this.#expectedUntilMs && late.length === unanswered.length)
      this.#expectedUntilMs = -Infinity;
  }

  /** Those of earlier runs run out all the same that nobody refreshes: before their delete, or while deletes fail for hours. */
  #forgetMissing(there: ReadonlySet<HeartbeatId>, askedMs: number): void {
    for (const [id, { origin, foundMs }] of [...this.#left])
      if (origin === 'of an earlier run' && askedMs > foundMs && !there.has(id)) this.#gone(id);
  }

  /** Not urgent, or a night of restarts would leave more of them than the exchange takes at once. */
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
