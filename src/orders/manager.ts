import type { EventName } from '../domain/events.ts';
import type { OrderId } from '../domain/ids.ts';
import { isTerminal, type OrderEvent } from '../domain/lifecycle.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { VenueOrder } from '../domain/orders.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type {
  DrainReport,
  OrderManager,
  OrderManagerDeps,
  OrderManagerStatus,
  RecoveryReport,
} from './api.ts';
import { beginHolding, holdAccount, type AccountHold } from './recovery/account-hold.ts';
import { Adoption } from './recovery/adoption.ts';
import { BetslipPool } from './betslips/pool.ts';
import { OrderBook, type TrackedOrder } from './state/own-orders.ts';
import { CloseOut } from './heartbeats/close-out.ts';
import { CloseRequests } from './outcomes/close-request.ts';
import { Closing } from './outcomes/closing.ts';
import type { Desk } from './state/context.ts';
import { drain } from './draining.ts';
import { DropCopy } from './recovery/drop-copy.ts';
import { Evidence } from './outcomes/execution-reports.ts';
import { FillBook } from './state/fills.ts';
import { ForeignLookups } from './outcomes/foreign-lookups.ts';
import { type ForeignOrders, foreignOrdersOf } from './outcomes/foreign-orders.ts';
import { Halts } from './state/halts.ts';
import { Incomplete } from './outcomes/overdue-orders.ts';
import { Lookups } from './outcomes/lookups.ts';
import { orderMetrics } from './state/order-metrics.ts';
import { Placer } from './targets/placer.ts';
import { Quoting } from './targets/quoting.ts';
import { WorkQueue } from './state/work-queue.ts';
import { oursOf } from './heartbeats/other-installations.ts';
import { Owners } from './targets/owners.ts';
import type { PlanBasis } from './targets/reconcile.ts';
import { recover, type Recovery } from './recovery/recovery.ts';
import { resyncUntilDone, type ResyncParts } from './recovery/resync.ts';
import { Scribe } from './journal/journal-writer.ts';
import { Strays } from './outcomes/untracked-orders.ts';
import { StreamWatch } from './recovery/stream-watch.ts';
import { type Swept, Sweeps } from './state/sweeps.ts';
import { Unminded } from './heartbeats/orphan-guard.ts';
import { Unknowns } from './outcomes/unknown-outcomes.ts';
import { Upkeep } from './journal/maintenance.ts';
import { told } from './wait-code.ts';

/** The order manager: see `OrderManager`. */
export function createOrderManager(deps: OrderManagerDeps): OrderManager {
  return new Manager(deps);
}

class Manager implements OrderManager {
  readonly #desk: Desk;
  readonly #foreign: ForeignOrders;
  readonly #closeRequests: CloseRequests;
  readonly #strays: Strays;
  readonly #evidence: Evidence;
  readonly #lookups: Lookups;
  readonly #foreignLookups: ForeignLookups;
  readonly #closing: Closing;
  readonly #incomplete: Incomplete;
  readonly #unminded: Unminded;
  readonly #unknowns: Unknowns;
  readonly #betslips: BetslipPool;
  readonly #hold: AccountHold;
  readonly #closeOut: CloseOut;
  readonly #placer: Placer;
  readonly #quoting: Quoting;
  readonly #stream: StreamWatch;
  readonly #dropCopy: DropCopy;
  readonly #upkeep: Upkeep;
  readonly #sweeps: Sweeps;
  readonly #adoption: Adoption;
  #resyncs = 0;
  #placed = 0;
  #stopped = false;

  constructor(deps: OrderManagerDeps) {
    this.#desk = this.#makeDesk(deps);
    this.#desk.halts.set('start', 'not_started');
    const onSeen = (order: VenueOrder): void => this.#hold.others.onOrder(order);
    const isOurs = (order: VenueOrder): boolean => this.isOurs(order);
    this.#foreign = foreignOrdersOf(this.#desk, { onSeen, isOurs });
    this.#closeRequests = new CloseRequests(this.#desk);
    const look = (id: OrderId): unknown => this.#foreignLookups.ask(id, true);
    this.#strays = new Strays(this.#desk, this.#foreign, this.#closeRequests, look);
    this.#evidence = new Evidence(this.#desk, this.#foreign, {
      onIncomplete: (tracked) => this.#incomplete.want(tracked),
      onStray: ({ orderId }) => this.#strays.seen(orderId),
      isOurs,
      onFill: (tracked, fill) => this.#quoting.filled(tracked, fill),
    });
    this.#lookups = new Lookups(this.#desk, this.#evidence);
    this.#foreignLookups = new ForeignLookups(this.#desk, this.#foreign, this.#evidence);
    this.#closing = new Closing(this.#desk, this.#closeRequests, this.#lookups, {
      isAskedAfter: (tracked) => this.#incomplete.owes(tracked),
      mayClose: (tracked) => this.#hold.others.mayClose(tracked),
      withdraw: (tracked) => this.#placer.withdraw(tracked),
    });
    const close = (tracked: TrackedOrder): void => this.#closing.again(tracked, 'past its lapse');
    this.#incomplete = new Incomplete(this.#desk, { ...this.#resyncParts(), close });
    this.#betslips = new BetslipPool(this.#desk, (market) => this.#quoting.touch(market));
    this.#hold = this.#holdAccount();
    const { heartbeat, oldHeartbeats } = this.#hold;
    this.#closeOut = new CloseOut(this.#desk, heartbeat, (reason) => this.#resync(reason));
    this.#placer = new Placer(this.#desk, {
      evidence: this.#evidence,
      betslips: this.#betslips,
      heartbeat,
      closeOut: this.#closeOut,
      stillWanted: (key, intent) => this.#quoting.stillWanted(key, intent),
    });
    this.#quoting = new Quoting(this.#desk, {
      placer: this.#placer,
      closing: this.#closing,
      betslips: this.#betslips,
    });
    this.#unminded = new Unminded(this.#desk, this.#closing, this.#quoting, heartbeat);
    this.#unknowns = new Unknowns(this.#desk, this.#lookups, (tracked) => this.#placer.repeat(tracked));
    this.#dropCopy = new DropCopy(this.#desk, this.#evidence);
    this.#upkeep = new Upkeep(this.#desk);
    this.#stream = new StreamWatch(this.#desk, {
      evidence: this.#evidence,
      betslips: this.#betslips,
      onExchangeTime: (sentMs, receivedMs) => {
        this.#betslips.life.heard(sentMs, receivedMs);
        this.#hold.others.heard(sentMs, receivedMs);
      },
      onSynced: () => this.#resync('the stream is back'),
    });
    const closers = [this.#closing, this.#strays, this.#unknowns, this.#incomplete, oldHeartbeats];
    const around = { closing: this.#closing, stream: this.#stream, onAdopted: () => this.#sweeps.start() };
    this.#adoption = new Adoption(this.#desk, { closers, ...around });
    this.#sweeps = new Sweeps(this.#desk, this.#swept(), this.#adoption);
  }

  adopt(): void {
    this.#desk.queue.post(() => void this.#adoption.once());
  }

  async start(): Promise<RecoveryReport> {
    const inheritance = await this.#desk.queue.run(() => this.#adoption.once());
    const guard = {
      onUnguarded: () => this.#unminded.unguarded(),
      isGuarded: () => this.#hold.heartbeat.isKnown,
      onNewest: (order: VenueOrder) => this.#hold.others.onOrder(order),
    };
    const recovery = await recover(this.#desk, { ...this.#resyncParts(), ...guard }, inheritance);
    await this.#desk.queue.run(() => this.#begin(recovery));
    return recovery.report;
  }

  setTargets(event: EventName, owner: string, intents: readonly QuoteIntent[]): void {
    this.#desk.queue.post(() => this.#quoting.setTargets(event, owner, intents));
  }

  planBasis(event: EventName): PlanBasis {
    return this.#quoting.planBasis(event);
  }

  onSignal(signal: StreamSignal): void {
    this.#stream.onSignal(signal);
  }

  stopQuoting(reason: string): void {
    // At once, not in a turn: a request that waits for its budget must not leave any more.
    this.#desk.halts.set('stopped', 'stopped', reason);
    this.#desk.queue.post(() => {
      this.#desk.log.info('quoting stops', { reason });
      this.#closing.wantAll(reason);
    });
  }

  resumeQuoting(): void {
    // At once, too: a turn later it would undo a stop that came after it.
    this.#desk.halts.clear('stopped');
    this.#desk.queue.post(() => this.#quoting.touchAll());
  }

  journalFailed(error: unknown): void {
    this.#desk.scribe.fail(error);
  }

  release(reason: string): string | null {
    const { halts, scribe, queue } = this.#desk;
    const { latched } = halts;
    if (latched === null) return null;
    scribe.commit({ kind: 'latch_released', reason });
    halts.release();
    queue.post(() => this.#quoting.touchAll());
    return latched;
  }

  reconfigure(options: OrderManagerDeps['options']): void {
    this.#desk.queue.post(() => {
      this.#desk.options = options;
      this.#quoting.touchAll();
    });
  }

  drain(deadlineMs: number): Promise<DrainReport> {
    this.adopt();
    const unrecovered = () => (this.#desk.halts.recovered ? null : this.#adoption.once());
    const parts = { closing: this.#closing, betslips: this.#betslips, ...this.#hold, unrecovered };
    return drain(this.#desk, { ...this.#resyncParts(), ...parts }, deadlineMs);
  }

  *orders(): Iterable<LiveOrder> {
    for (const { order } of this.#desk.book.active()) yield order;
  }

  isOurs(order: VenueOrder): boolean {
    return this.#hold.others.isOurs(order);
  }

  openOrders(): number | null {
    const open = oursOf(this.#desk, this.#hold.others).length + this.#foreign.ours().length;
    return open === 0 && !this.#desk.halts.recovered ? null : open;
  }

  status(): OrderManagerStatus {
    const { halts, scribe } = this.#desk;
    const blocked = this.#placer.blocked();
    return {
      blocked: blocked === null ? null : told(blocked),
      latched: halts.latched,
      recovered: halts.recovered,
      journalFailed: scribe.failed,
      waiting: this.#quoting.waiting(),
      heartbeatRemainingMs: this.#hold.heartbeat.remainingMs(),
      betslipsOpen: this.#betslips.open,
      betslipCap: this.#betslips.cap,
      betslipCapLearned: this.#betslips.capLearned,
      ordersPlaced: this.#placed,
      foreign: this.#foreign.open(),
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#sweeps.stop();
    this.#desk.queue.stop();
  }

  #makeDesk(deps: OrderManagerDeps): Desk {
    const log = deps.logger.child({ part: 'orders' });
    const halts = new Halts();
    const scribe = new Scribe(
      deps.journal,
      () => deps.clock.wallMs(),
      (error) => this.#journalFailed(error),
      (orderId) => deps.results.toldMs(orderId),
    );
    return {
      ...{ deps, log, halts, options: deps.options, run: '' },
      onLatched: () => this.#latched(),
      metrics: orderMetrics(deps.metrics),
      fills: new FillBook(),
      queue: new WorkQueue({
        afterTurn: () => this.#afterTurn(),
        onOverflow: () => this.#stream.distrust('account entries overflowed'),
        onFatal: (error) => this.#fatal(error),
      }),
      ...{ scribe, owners: new Owners(scribe) },
      book: new OrderBook({
        onChange: (tracked, before, source) => this.#changed(tracked, before, source),
        onAlarm: (tracked, event, reason, source) => this.#alarm(tracked, event, reason, source),
      }),
    };
  }

  #holdAccount(): AccountHold {
    return holdAccount(this.#desk, {
      trusted: () => this.#stream.trusted() && this.#unminded.trouble === null,
      mustRunOut: () => this.#stream.trusted() && this.#unminded.isOpenInTrouble,
      onLost: (reason) => this.#heartbeatLost(reason),
      closeAll: (why) => this.#closing.wantAll(why),
      resync: (reason) => this.#resync(reason),
    });
  }

  #resyncParts(): ResyncParts {
    const lookups = { lookups: this.#lookups, foreignLookups: this.#foreignLookups };
    return { evidence: this.#evidence, foreign: this.#foreign, ...lookups };
  }

  /** Recovery is done: quoting may begin as soon as a heartbeat is armed. */
  #begin(recovery: Recovery): void {
    this.#unminded.start();
    this.#desk.halts.clear('start');
    this.#dropCopy.start(recovery.cursorMs);
    this.#betslips.remember(recovery.betslipAges);
    beginHolding(this.#hold, recovery);
    this.#quoting.touchAll();
  }

  /** In the order of sweeping: what closes and looks comes before what places. */
  #swept(): readonly Swept[] {
    return [
      ...[this.#unminded, this.#hold.others, this.#hold.heartbeat, this.#hold.oldHeartbeats, this.#closeOut],
      ...[this.#closing, this.#strays, this.#unknowns, this.#betslips, this.#placer, this.#dropCopy],
      ...[this.#incomplete, this.#upkeep, this.#quoting],
    ];
  }

  /** Whatever a bug in the quoting breaks, what was noted is written, and closes go on. */
  #afterTurn(): void {
    try {
      // Closes wait neither for new quotes nor for the disk.
      this.#closeRequests.flush();
      this.#evidence.reconsider();
      this.#quoting.pump();
    } finally {
      this.#closeRequests.flush();
      this.#desk.scribe.flush();
      this.#sweeps.plan();
    }
  }

  #changed(tracked: TrackedOrder, before: LiveOrder | null, source: string): void {
    const { order } = tracked;
    this.#desk.deps.listener.onOrder(order, before?.state ?? null);
    const isNews = before?.state !== order.state;
    this.#countPlaced(tracked, before);
    if (isNews) this.#desk.metrics.states.changed(before, order);
    if (source !== 'journal' && tracked.sentMonotonicMs !== null) this.#record(tracked, source);
    if (isTerminal(order.state) && tracked.key !== null && order.state === 'closed') {
      this.#placer.wake(tracked.key);
    }
    if (order.state === 'closed') this.#closeOut.closed(order, tracked.closeWanted);
    if (isNews) this.#unminded.became(tracked, source);
    this.#closing.changed(tracked);
    this.#quoting.touch(order);
  }

  /** What the exchange has made in this run, however that was told: the answer to its request may be lost. */
  #countPlaced({ order, recovered }: TrackedOrder, before: LiveOrder | null): void {
    if (before?.orderId === null && order.orderId !== null && !recovered) this.#placed++;
  }

  #record({ order }: TrackedOrder, source: string): void {
    const { requestUuid: uuid, state, orderId, expiryMs, filledMicros, closeReason } = order;
    if (state === 'sending') return;
    const fact = { uuid, state, orderId, expiryMs, filledMicros, closeReason, source };
    this.#desk.scribe.note({ kind: 'order_changed', ...fact });
    if (source === 'updates') this.#desk.metrics.differences.inc({ kind: state });
  }

  #alarm(tracked: TrackedOrder, event: OrderEvent, reason: string, source: string): void {
    this.#desk.metrics.alarms.inc({ kind: event });
    this.#desk.log.error(reason, { uuid: tracked.order.requestUuid, event, source });
  }

  #heartbeatLost(reason: string): void {
    this.#desk.metrics.alarms.inc({ kind: 'heartbeat_lost' });
    this.#desk.log.error('heartbeat lost', { reason });
    this.#closeOut.begin(reason);
  }

  #journalFailed(error: unknown): void {
    this.#desk.metrics.alarms.inc({ kind: 'journal' });
    this.#desk.log.error('the journal cannot be written: closing only', { error });
    this.#desk.halts.set('journal', 'journal_failed');
    this.#closing.wantAll('the journal failed');
    this.#tellUnwritten();
  }

  #latched(): void {
    this.#closing.wantAll('latched');
    this.#tellUnwritten();
  }

  /** The latch may have been lost together with the journal. */
  #tellUnwritten(): void {
    const { halts, scribe } = this.#desk;
    const { latched } = halts;
    if (scribe.failed && latched !== null) this.#desk.deps.listener.onUnwrittenLatch(latched);
  }

  /** Places nothing until the account was looked at anew. A later call replaces an earlier one. */
  #resync(reason: string): void {
    const mine = ++this.#resyncs;
    this.#desk.halts.set('resync', 'resync_under_way');
    this.#desk.log.info('resync', { reason });
    const abandoned = (): boolean => this.#stopped || mine !== this.#resyncs;
    this.#desk.queue.call(
      () => resyncUntilDone(this.#desk, this.#resyncParts(), abandoned),
      (done) => {
        if (done) this.#desk.halts.clear('resync');
        this.#quoting.touchAll();
      },
      (error) => this.#fatal(error),
    );
  }

  /** A bug of ours: place nothing more, close everything, tell the owner. */
  #fatal(error: unknown): void {
    this.#desk.halts.set('fatal', 'invariant_broken');
    this.#desk.log.error('an invariant is broken', { error });
    for (const tracked of this.#desk.book.active()) tracked.closeWanted = true;
    this.#desk.deps.listener.onFatal(error);
  }
}
