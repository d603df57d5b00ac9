import type { EventName, Score } from '../domain/events.ts';
import type { BetslipId } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { PriceKind } from '../domain/odds.ts';
import type { BetslipRequest, VenueOrder } from '../domain/orders.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type {
  KindHold,
  DrainReport,
  OrderManager,
  OrderManagerDeps,
  OrderManagerStatus,
  RecoveryReport,
} from './api.ts';
import { drain } from './draining.ts';
import { oursOf } from './heartbeats/other-installations.ts';
import type { KnownAccount } from './journal/account-identity.ts';
import { recover } from './recovery/recovery.ts';
import { Machinery } from './machinery.ts';
import { reasonCode } from './send-gate.ts';
import { keyRefusedText } from './state/context.ts';
import type { PlanBasis } from './targets/reconcile.ts';

/** The order manager: see `OrderManager`. */
export function createOrderManager(deps: OrderManagerDeps): OrderManager {
  return new Manager(new Machinery(deps));
}

/** What other parts of the daemon ask of the order manager. Commands become work of its queue. */
class Manager implements OrderManager {
  readonly #parts: Machinery;

  constructor(parts: Machinery) {
    this.#parts = parts;
  }

  adopt(): void {
    this.#parts.context.queue.post(() => void this.#parts.adoption.once());
  }

  async start(): Promise<RecoveryReport> {
    const inheritance = await this.#parts.context.queue.run(() => this.#parts.adoption.once());
    const guard = {
      onUnguarded: () => this.#parts.orphanGuard.unguarded(),
      isGuarded: () => this.#parts.hold.heartbeat.isKnown,
      onNewest: (order: VenueOrder) => this.#parts.hold.others.onOrder(order),
    };
    const recovery = await recover(
      this.#parts.context,
      { ...this.#parts.resyncParts(), ...guard },
      inheritance,
    );
    await this.#parts.context.queue.run(() => this.#parts.begin(recovery));
    return recovery.report;
  }

  setTargets(
    event: EventName,
    owner: string | null,
    intents: readonly QuoteIntent[],
    score: Score | null = null,
  ): void {
    const { queue, takes } = this.#parts.context;
    // Read now: what ends before the queue comes to the targets was not seen by their decision.
    const decided = { score, takesEnded: takes.ended };
    queue.post(() => this.#parts.quoting.setTargets(event, owner, intents, decided));
  }

  leave(event: EventName): void {
    this.#parts.context.queue.post(() => this.#parts.quoting.leave(event));
  }

  standBy(markets: readonly BetslipRequest[]): void {
    this.#parts.context.queue.post(() => this.#parts.quoting.standBy(markets));
  }

  planBasis(event: EventName): PlanBasis {
    return this.#parts.quoting.planBasis(event);
  }

  onSignal(signal: StreamSignal): void {
    this.#parts.stream.onSignal(signal);
  }

  stopQuoting(reason: string): void {
    // Set the halt now, not in a turn: a request that waits for its budget must not leave after this call.
    this.#parts.context.halts.set('stopped', 'stopped', reason);
    this.#parts.context.queue.post(() => {
      this.#parts.context.log.info('quoting stops', { reason });
      this.#parts.closing.wantAll(reason);
    });
  }

  closeAll(reason: string): void {
    this.#parts.context.queue.post(() => {
      this.#parts.context.log.info('closing all orders', { reason });
      this.#parts.closing.wantAll(reason);
    });
  }

  resumeQuoting(): void {
    // Clear the halt now: cleared in a later turn, it would undo a stop that came in between.
    this.#parts.context.halts.clear('stopped');
    this.#parts.context.queue.post(() => this.#parts.quoting.touchAll());
  }

  holdForConvention(detail: string | null): void {
    const { halts, queue } = this.#parts.context;
    if (detail !== null) return halts.set('convention', 'convention_unproven', detail);
    halts.clear('convention');
    queue.post(() => this.#parts.quoting.touchAll());
  }

  holdKind(kind: PriceKind, hold: KindHold | null): void {
    const { heldKinds, queue } = this.#parts.context;
    if (hold === null) heldKinds.delete(kind);
    else heldKinds.set(kind, hold);
    queue.post(() => this.#parts.quoting.touchAll());
  }

  rereadFills(isMeant: (fill: Fill) => boolean, to: PriceKind): number {
    const { journalWriter } = this.#parts.context;
    const meant = [...journalWriter.bookedFills()].filter(isMeant);
    journalWriter.commit(
      ...meant.map((fill) => ({ kind: 'fill_booked' as const, fill: { ...fill, priceKind: to } })),
    );
    return meant.length;
  }

  journalFailed(error: unknown): void {
    this.#parts.context.journalWriter.fail(error);
  }

  release(reason: string): string | null {
    const { halts, journalWriter, queue, deps } = this.#parts.context;
    const { latched } = halts;
    const { keyRefusal } = deps.venue;
    deps.venue.retryKey();
    if (latched === null) return keyRefusal === null ? null : keyRefusedText(keyRefusal);
    journalWriter.commit({ kind: 'latch_released', reason });
    halts.release();
    this.#parts.context.fruitless.reset();
    queue.post(() => this.#parts.quoting.touchAll());
    return latched;
  }

  reconfigure(options: OrderManagerDeps['options']): void {
    this.#parts.context.queue.post(() => {
      this.#parts.context.options = options;
      this.#parts.quoting.touchAll();
    });
  }

  drain(deadlineMs: number): Promise<DrainReport> {
    this.adopt();
    const unrecovered = () => (this.#parts.context.halts.recovered ? null : this.#parts.adoption.once());
    const parts = {
      closing: this.#parts.closing,
      betslips: this.#parts.betslips,
      ...this.#parts.hold,
      unrecovered,
    };
    return drain(this.#parts.context, { ...this.#parts.resyncParts(), ...parts }, deadlineMs);
  }

  *orders(): Iterable<LiveOrder> {
    for (const { order } of this.#parts.context.book.active()) yield order;
  }

  isLayBetslip(id: BetslipId): boolean {
    return this.#parts.betslips.isLay(id);
  }

  isOurs(order: Pick<VenueOrder, 'userData'>): boolean {
    return this.#parts.hold.others.isOurs(order);
  }

  openOrders(): number | null {
    const { context, hold } = this.#parts;
    const open = oursOf(context, hold.others).length + hold.others.strays().length;
    return open === 0 && !context.halts.recovered ? null : open;
  }

  status(): OrderManagerStatus {
    const { halts, journalWriter, deps } = this.#parts.context;
    const { keyRefusal } = deps.venue;
    const blocked = this.#parts.path.judge.account();
    return {
      blocked: blocked === null ? null : reasonCode(blocked),
      latched: halts.latched ?? (keyRefusal === null ? null : keyRefusedText(keyRefusal)),
      recovered: halts.recovered,
      journalFailed: journalWriter.failed,
      waiting: this.#parts.path.targets.waiting(),
      heartbeatRemainingMs: this.#parts.hold.heartbeat.remainingMs(),
      betslipsOpen: this.#parts.betslips.open,
      betslipCap: this.#parts.betslips.cap,
      betslipCapLearned: this.#parts.betslips.capLearned,
      ordersPlaced: this.#parts.placed,
      foreign: this.#parts.context.book.foreignShown(),
      missedWakes: this.#parts.quoting.missedWakes,
    };
  }

  account(): KnownAccount {
    return this.#parts.context.journalWriter.account();
  }

  stop(): void {
    this.#parts.stop();
  }
}
