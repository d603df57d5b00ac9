import type { InspectedAccount } from '../../src/simulator/core/api.ts';
import type { OwnOrder } from './exchange-orders.ts';
import { isCreate, uuidOf } from './witness.ts';
import type { Run, World } from './world.ts';

type Heartbeat = InspectedAccount['heartbeats'][number];

/** The part of a proof that the exchange's own check and the way to it may use up. */
const GRACE_MS = 2_000;

/**
 * Orders that another heartbeat closed while the run's own certainly held. Only a heartbeat that an answer reported, to
 * this run or an earlier one, can be found and deleted. Heartbeats that a network duplicated, or that others armed, are
 * known to nobody. A reported one is deleted before the first order. It may close the orders of an earlier run until
 * then. A heartbeat that expired before the next one was reported closes its orders a moment later, when the next one
 * holds already: that does not count.
 */
export class Orphans {
  readonly #reported = new Set<string>();
  readonly #judged = new Set<number>();
  #armed: readonly Heartbeat[] = [];

  /** The changed orders that were closed in this way since the last call. */
  closed(
    { run, clock, startMs }: World,
    changed: readonly OwnOrder[],
    account: InspectedAccount | undefined,
  ): OwnOrder[] {
    for (const id of run?.received.heartbeats.keys() ?? []) this.#reported.add(id);
    const armed = account?.heartbeats ?? [];
    const ids = new Set(armed.map(({ heartbeatId }) => heartbeatId));
    const ended = this.#armed.filter(({ heartbeatId }) => !ids.has(heartbeatId));
    this.#armed = armed;
    const expired = changed.filter((order) => order.closedBy === 'heartbeat' && this.#isNew(order));
    if (run === null || run.witness.provenUntilMs - clock.monotonicMs() < GRACE_MS) return [];
    if (!ended.some((each) => this.#reported.has(each.heartbeatId) && !wasLast(each, run, startMs)))
      return [];
    const { sent } = run.witness;
    return expired.filter(({ requestUuid }) =>
      sent.some((each) => isCreate(each) && uuidOf(each) === requestUuid),
    );
  }

  #isNew({ orderId }: OwnOrder): boolean {
    const isNew = !this.#judged.has(orderId);
    this.#judged.add(orderId);
    return isNew;
  }
}

/** Whether it guarded the run until it expired: no answer had reported the next one by then. */
function wasLast({ heartbeatId, expiryMs }: Heartbeat, { received }: Run, startMs: number): boolean {
  const sinceMs = received.heartbeats.get(heartbeatId) ?? Infinity;
  const later = [...received.heartbeats.values()].filter((receivedMs) => receivedMs > sinceMs);
  return sinceMs < Infinity && later.every((receivedMs) => receivedMs >= expiryMs - startMs);
}
