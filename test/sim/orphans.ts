import type { InspectedAccount } from '../../src/simulator/core/api.ts';
import type { OwnOrder } from './exchange-orders.ts';
import { isCreate, uuidOf } from './witness.ts';
import type { Run, World } from './world.ts';

type Heartbeat = InspectedAccount['heartbeats'][number];

/** What the exchange's own check and the way to it may take from a proof. */
const GRACE_MS = 2_000;

/**
 * Orders that a heartbeat has closed though the run's own certainly held. Only one that an answer told of, to this run or an
 * earlier one, can be found and deleted: what a network made of one request more than was asked for, and what others arm, is
 * known to nobody. It is deleted before the first order; what an earlier run left open it may close until then. What ran out
 * before the run was told of the next one closes its orders a moment later, when that one holds already: that is none.
 */
export class Orphans {
  readonly #told = new Set<string>();
  readonly #judged = new Set<number>();
  #armed: readonly Heartbeat[] = [];

  /** Of the orders that changed, those that were closed so since this was last asked. */
  closed(
    { run, clock, startMs }: World,
    changed: readonly OwnOrder[],
    account: InspectedAccount | undefined,
  ): OwnOrder[] {
    for (const id of run?.told.heartbeats.keys() ?? []) this.#told.add(id);
    const armed = account?.heartbeats ?? [];
    const ids = new Set(armed.map(({ heartbeatId }) => heartbeatId));
    const ended = this.#armed.filter(({ heartbeatId }) => !ids.has(heartbeatId));
    this.#armed = armed;
    const expired = changed.filter((order) => order.closedBy === 'heartbeat' && this.#isNew(order));
    if (run === null || run.witness.provenUntilMs - clock.monotonicMs() < GRACE_MS) return [];
    if (!ended.some((each) => this.#told.has(each.heartbeatId) && !wasLast(each, run, startMs))) return [];
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

/** Whether it guarded the run until it ran out: no answer had told of the next one by then. */
function wasLast({ heartbeatId, expiryMs }: Heartbeat, { told }: Run, startMs: number): boolean {
  const sinceMs = told.heartbeats.get(heartbeatId) ?? Infinity;
  const later = [...told.heartbeats.values()].filter((toldMs) => toldMs > sinceMs);
  return sinceMs < Infinity && later.every((toldMs) => toldMs >= expiryMs - startMs);
}
