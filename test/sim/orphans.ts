import type { InspectedAccount } from '../../src/simulator/core/api.ts';
import type { OwnOrder } from './exchange-orders.ts';
import { isCreate, uuidOf } from './witness.ts';
import type { World } from './world.ts';

/** What the exchange's own check and the way to it may take from a proof. */
const GRACE_MS = 2_000;

/**
 * Orders that a heartbeat has closed though the run's own certainly held. Only one that an answer told of, to this run or an
 * earlier one, can be found and deleted: what a network made of one request more than was asked for, and what others arm, is
 * known to nobody. It is deleted before the first order; what an earlier run left open it may close until then.
 */
export class Orphans {
  readonly #told = new Set<string>();
  readonly #judged = new Set<number>();
  #armed: readonly string[] = [];

  /** Of the orders that changed, those that were closed so since this was last asked. */
  closed(
    { run, clock }: World,
    changed: readonly OwnOrder[],
    account: InspectedAccount | undefined,
  ): OwnOrder[] {
    for (const id of run?.told.heartbeats ?? []) this.#told.add(id);
    const armed = (account?.heartbeats ?? []).map(({ heartbeatId }) => heartbeatId);
    const ended = this.#armed.filter((id) => !armed.includes(id));
    this.#armed = armed;
    const expired = changed.filter((order) => order.closedBy === 'heartbeat' && this.#isNew(order));
    if (run === null || run.witness.provenUntilMs - clock.monotonicMs() < GRACE_MS) return [];
    if (!ended.some((id) => this.#told.has(id))) return [];
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
