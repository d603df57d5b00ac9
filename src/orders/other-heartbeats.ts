import type { HeartbeatId } from '../domain/ids.ts';
import type { Heartbeat } from '../domain/orders.ts';
import type { Desk } from './desk.ts';
import type { HeartbeatKeeper } from './heartbeat.ts';

const POLL_MS = 5_000;
/** No heartbeat can live longer without a refresh (specification, Limits). */
export const LONGEST_LIFE_MS = 300_000;
/** A later expiry than before by this much is a refresh, not a rounding. */
const REFRESHED_MS = 1_000;

/**
 * Heartbeats of the account that are not ours: each one's expiry closes our orders too. One left by a process that lost
 * its journal runs out by itself, and quoting waits for that; one that somebody refreshes is watched by its owner, and is
 * told to people. Never deleted: it may guard another process's orders.
 */
export class OtherHeartbeats {
  readonly #desk: Desk;
  readonly #present: Pick<HeartbeatKeeper, 'list'>;
  readonly #doubtful = new Map<HeartbeatId, number | null>();
  readonly #ids = new Set<HeartbeatId>();
  #untilMs = -Infinity;
  #nextMs = Infinity;
  #looking = false;

  /** `present` is the one that guards this run. */
  constructor(desk: Desk, present: Pick<HeartbeatKeeper, 'list'>) {
    [this.#desk, this.#present] = [desk, present];
  }

  /** Those found at startup. */
  found(heartbeats: readonly Heartbeat[]): void {
    for (const { heartbeatId, expiryMs } of heartbeats) {
      this.#ids.add(heartbeatId);
      this.#doubtful.set(heartbeatId, expiryMs);
      this.#desk.log.warn('waiting for a heartbeat that is not ours to run out', { heartbeatId, expiryMs });
    }
    this.#untilMs = this.#now() + LONGEST_LIFE_MS;
    this.#nextMs = this.#now() + POLL_MS;
    if (this.#doubtful.size > 0) this.#desk.halts.set('other_heartbeat', 'heartbeat_of_another_process');
  }

  has(id: HeartbeatId): boolean {
    return this.#ids.has(id);
  }

  get dueMs(): number {
    return this.#doubtful.size === 0 ? Infinity : -Infinity;
  }

  sweep(): void {
    if (this.#doubtful.size === 0) return;
    // Who is left alone has run out by then, whether or not a list tells so; who is refreshed has an owner.
    if (this.#now() >= this.#untilMs) return this.#settled([...this.#doubtful.keys()]);
    if (this.#looking || this.#now() < this.#nextMs) return;
    this.#looking = true;
    this.#nextMs = this.#now() + POLL_MS;
    this.#present.list('reducing', (listed) => {
      this.#looking = false;
      if (listed !== null) this.#judge(listed);
    });
  }

  #judge(listed: readonly Heartbeat[]): void {
    const expiries = new Map(listed.map(({ heartbeatId, expiryMs }) => [heartbeatId, expiryMs]));
    for (const [id, before] of [...this.#doubtful]) {
      const now = expiries.get(id);
      const refreshed = before !== null && typeof now === 'number' && now > before + REFRESHED_MS;
      if (refreshed) this.#alive(id);
      if (now === undefined || refreshed) this.#settled([id]);
    }
  }

  #settled(ids: readonly HeartbeatId[]): void {
    for (const id of ids) this.#doubtful.delete(id);
    if (this.#doubtful.size === 0) this.#desk.halts.clear('other_heartbeat');
  }

  #alive(heartbeatId: HeartbeatId): void {
    this.#desk.metrics.alarms.inc({ kind: 'other_heartbeat' });
    this.#desk.log.error('another process keeps a heartbeat on this account: its end closes our orders', {
      heartbeatId,
    });
  }

  #now(): number {
    return this.#desk.deps.clock.monotonicMs();
  }
}
