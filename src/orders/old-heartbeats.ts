import type { HeartbeatId } from '../domain/ids.ts';
import type { Desk } from './desk.ts';
import { isNotFound } from './heartbeat.ts';

const RETRY_MS = 1_000;
const HALT = 'old_heartbeat';

/**
 * Heartbeats that earlier runs left: each one's expiry would close this run's orders. They are deleted before the first
 * order, and only once the new one is armed: until then they guard what the earlier run left open.
 */
export class OldHeartbeats {
  readonly #desk: Desk;
  readonly #left = new Set<HeartbeatId>();
  readonly #armed: () => boolean;
  #nextMs = -Infinity;

  constructor(desk: Desk, armed: () => boolean) {
    this.#desk = desk;
    this.#armed = armed;
  }

  found(ids: readonly HeartbeatId[]): void {
    for (const id of ids) this.#left.add(id);
    if (this.#left.size > 0) this.#desk.halts.set(HALT, 'heartbeat_of_an_earlier_run');
  }

  has(id: HeartbeatId): boolean {
    return this.#left.has(id);
  }

  get dueMs(): number {
    return this.#left.size === 0 ? Infinity : -Infinity;
  }

  sweep(): void {
    const now = this.#desk.deps.clock.monotonicMs();
    if (this.#left.size === 0 || now < this.#nextMs || !this.#armed()) return;
    this.#nextMs = now + RETRY_MS;
    for (const id of this.#left) this.#delete(id);
  }

  #delete(id: HeartbeatId): void {
    this.#desk.queue.call(
      () => this.#desk.deps.venue.deleteHeartbeat(id, { priority: 'urgent' }),
      () => this.#gone(id),
      (error) => {
        if (isNotFound(error)) this.#gone(id);
        else this.#desk.log.warn('a heartbeat of an earlier run could not be deleted', { id, error });
      },
    );
  }

  #gone(id: HeartbeatId): void {
    if (!this.#left.delete(id)) return;
    this.#desk.scribe.note({ kind: 'heartbeat_ended', heartbeatId: id, how: 'of an earlier run' });
    if (this.#left.size === 0) this.#desk.halts.clear(HALT);
  }
}
