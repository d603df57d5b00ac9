import { OrderBook, type TrackedOrder } from '../account/orders.ts';
import { LAY_PRICES } from '../domain/exchange-prices.ts';
import type { OrderId } from '../domain/ids.ts';
import type { OrderEvent, OrderState } from '../domain/lifecycle.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { OrderManagerDeps } from './api.ts';
import { BetslipPool } from './betslips/pool.ts';
import { CloseOut } from './heartbeats/close-out.ts';
import { OrphanGuard } from './heartbeats/orphan-guard.ts';
import { oursOf } from './heartbeats/other-installations.ts';
import { JournalWriter } from './journal/journal-writer.ts';
import { JournalMaintenance } from './journal/maintenance.ts';
import { CloseRequests } from './outcomes/close-requests.ts';
import { AbsentOrders } from './outcomes/absent-orders.ts';
import { Closing } from './outcomes/closing.ts';
import { ExecutionReports } from './outcomes/execution-reports.ts';
import { FruitlessOrders, fruitlessAttemptsOf } from './outcomes/fruitless-orders.ts';
import { ForeignLookups, Lookups } from './outcomes/lookups.ts';
import { OverdueOrders } from './outcomes/overdue-orders.ts';
import { UnknownOutcomes } from './outcomes/unknown-outcomes.ts';
import { UntrackedOrders } from './outcomes/untracked-orders.ts';
import { type AccountHold, beginHolding, holdAccount } from './recovery/account-hold.ts';
import { Adoption } from './recovery/adoption.ts';
import type { Recovery } from './recovery/recovery.ts';
import { EndCheck } from './recovery/end-check.ts';
import { readOpen, type ResyncParts, resyncUntilDone } from './recovery/resync.ts';
import { StreamWatch } from './recovery/stream-watch.ts';
import { DropCopy } from './recovery/updates.ts';
import { type OrderContext, Owners } from './state/context.ts';
import { Halts } from './state/halts.ts';
import { orderMetrics } from './state/order-metrics.ts';
import { Sweeps, type SweepTask } from './state/sweeps.ts';
import { Takes } from './state/takes.ts';
import { WorkQueue } from './state/work-queue.ts';
import { type QuotePath, quotePath } from './targets/path.ts';
import { Quoting } from './targets/quoting.ts';

/**
 * The parts of the order manager, and how they act on one another. Everything from outside is work of one queue; after each turn closes
 * leave first, then targets become orders.
 */
export class Machinery {
  readonly context: OrderContext;
  readonly #closeRequests: CloseRequests;
  readonly #untrackedOrders: UntrackedOrders;
  readonly #reports: ExecutionReports;
  readonly #lookups: Lookups;
  readonly #foreignLookups: ForeignLookups;
  readonly closing: Closing;
  readonly #overdueOrders: OverdueOrders;
  readonly #fruitlessOrders: FruitlessOrders;
  readonly orphanGuard: OrphanGuard;
  readonly #unknownOutcomes: UnknownOutcomes;
  readonly betslips: BetslipPool;
  readonly hold: AccountHold;
  readonly #closeOut: CloseOut;
  readonly path: QuotePath;
  readonly quoting: Quoting;
  readonly stream: StreamWatch;
  readonly #dropCopy: DropCopy;
  readonly #endCheck: EndCheck;
  readonly #absentOrders: AbsentOrders;
  readonly #maintenance: JournalMaintenance;
  readonly sweeps: Sweeps;
  readonly adoption: Adoption;
  #resyncs = 0;
  /** How many orders this run has placed. */
  placed = 0;
  #stopped = false;

  constructor(deps: OrderManagerDeps) {
    this.context = this.#createContext(deps);
    this.context.halts.set('start', 'not_started');
    this.#closeRequests = new CloseRequests(this.context, () => this.#openIds());
    this.#fruitlessOrders = new FruitlessOrders(this.context);
    const look = (id: OrderId): unknown => this.#foreignLookups.ask(id, true);
    const strays = (): readonly OrderId[] => this.hold.others.strays();
    this.#untrackedOrders = new UntrackedOrders(this.context, strays, this.#closeRequests, look);
    const { bets } = this.#fruitlessOrders;
    this.#reports = new ExecutionReports(this.context, {
      onIncomplete: (tracked) => this.#overdueOrders.want(tracked),
      onUntracked: ({ orderId }) => this.#untrackedOrders.seen(orderId),
      isOurs: (order) => this.hold.others.isOurs(order),
      onFill: (tracked, fill) => this.quoting.filled(tracked, fill),
      onReport: (tracked, order) => {
        bets.reported(tracked, order);
        this.#absentOrders.shown(tracked.order.orderId);
      },
      onForeign: (order) => {
        this.hold.others.onOrder(order);
        this.#absentOrders.shown(order.orderId);
      },
    });
    this.#absentOrders = new AbsentOrders(this.context, this.#reports, strays, () =>
      readOpen(this.context, this.#reports, 'urgent'),
    );
    const onNotFound = this.#absentOrders.notFound.bind(this.#absentOrders);
    this.#lookups = new Lookups(this.context, this.#reports, onNotFound);
    this.#foreignLookups = new ForeignLookups(this.context, this.#reports, onNotFound);
    this.closing = new Closing(this.context, this.#closeRequests, this.#lookups, {
      isAskedAfter: (tracked) => this.#overdueOrders.owes(tracked),
      mayClose: (tracked) => this.hold.others.mayClose(tracked),
      withdraw: (tracked) => this.path.placer.withdraw(tracked),
    });
    const close = (tracked: TrackedOrder): void => this.closing.again(tracked, 'past its lapse');
    this.#overdueOrders = new OverdueOrders(this.context, this.#lookups, this.#foreignLookups, close);
    this.betslips = new BetslipPool(this.context, (market, keepsPlan) =>
      this.quoting.betslipChanged(market, keepsPlan),
    );
    this.hold = this.#holdAccount();
    const { heartbeat } = this.hold;
    this.#closeOut = new CloseOut(this.context, heartbeat, (reason) => this.#resync(reason));
    this.path = quotePath(this.context, {
      proof: { heartbeat, closeOut: this.#closeOut },
      pool: this.betslips,
      reports: this.#reports,
      fruitless: this.#fruitlessOrders,
    });
    this.quoting = new Quoting(this.context, this.path, this.closing);
    this.orphanGuard = new OrphanGuard(this.context, this.closing, this.path.targets, heartbeat, (reason) =>
      this.#resync(reason),
    );
    this.#unknownOutcomes = new UnknownOutcomes(this.context, this.#lookups, (tracked) =>
      this.path.placer.repeat(tracked),
    );
    this.#dropCopy = new DropCopy(this.context, this.#reports);
    this.#endCheck = new EndCheck(this.context, this.#reports);
    this.#maintenance = new JournalMaintenance(this.context);
    this.stream = new StreamWatch(this.context, {
      reports: this.#reports,
      betslips: this.betslips,
      onExchangeTime: (sentMs, receivedMs) => {
        this.betslips.life.onExchangeTime(sentMs, receivedMs);
        this.hold.others.onExchangeTime(sentMs, receivedMs);
      },
      onSynced: () => this.#resync('the stream is back'),
    });
    this.adoption = this.#createAdoption();
    this.sweeps = new Sweeps(this.context, this.#swept(), this.adoption, [this.orphanGuard, heartbeat]);
  }

  /** Orders that this process may close, and that are open as far as it knows. */
  #openIds(): readonly OrderId[] {
    const tracked = oursOf(this.context, this.hold.others).flatMap(({ order: { orderId, state } }) =>
      orderId !== null && (state === 'live' || state === 'closing') ? [orderId] : [],
    );
    return [...tracked, ...this.hold.others.strays()];
  }

  #createContext(deps: OrderManagerDeps): OrderContext {
    const log = deps.logger.child({ part: 'orders' });
    const halts = new Halts();
    const journalWriter = new JournalWriter(
      deps.journal,
      () => deps.clock.wallMs(),
      (error) => this.#journalFailed(error),
      (orderId) => deps.account.bets.reportedMs(orderId),
    );
    return {
      deps,
      log,
      halts,
      heldKinds: new Map(),
      options: deps.options,
      run: '',
      exchangePrices: deps.exchangePrices ?? (() => LAY_PRICES),
      onLatched: () => this.#latched(),
      metrics: orderMetrics(deps.metrics),
      queue: new WorkQueue({
        afterTurn: () => this.#afterTurn(),
        onOverflow: () => this.stream.distrust('account entries overflowed'),
        onFatal: (error) => this.#fatal(error),
      }),
      journalWriter,
      owners: new Owners(journalWriter),
      takes: new Takes({
        spentBy: (owner, id) => journalWriter.takenBy(owner, id),
        active: () => this.context.book.active(),
      }),
      fruitless: fruitlessAttemptsOf(
        () => deps.clock.monotonicMs(),
        () => this.context,
      ),
      book: new OrderBook(
        deps.clock,
        (tracked, before, source) => this.#changed(tracked, before, source),
        (tracked, event, reason, source) => this.#alarm(tracked, event, reason, source),
      ),
    };
  }

  #holdAccount(): AccountHold {
    return holdAccount(this.context, {
      trusted: () => this.stream.trusted() && this.orphanGuard.trouble === null,
      mustRunOut: () => this.stream.trusted() && this.orphanGuard.isOpenInTrouble,
      onLost: (reason) => this.#heartbeatLost(reason),
      closeAll: (why) => this.closing.wantAll(why),
      resync: (reason) => this.#resync(reason),
    });
  }

  #createAdoption(): Adoption {
    const closers = [
      this.closing,
      this.#untrackedOrders,
      this.#unknownOutcomes,
      this.#overdueOrders,
      this.hold.oldHeartbeats,
    ];
    const around = { closing: this.closing, stream: this.stream, onAdopted: () => this.sweeps.start() };
    return new Adoption(this.context, { closers, ...around });
  }

  resyncParts(): ResyncParts {
    return { reports: this.#reports, lookups: this.#lookups, foreignLookups: this.#foreignLookups };
  }

  /** Starts quoting after recovery. Orders are still refused until a heartbeat is armed. */
  begin(recovery: Recovery): void {
    this.orphanGuard.start();
    this.context.halts.clear('start');
    this.#dropCopy.start(recovery.cursorMs);
    this.betslips.remember(recovery.betslipAges);
    beginHolding(this.hold, recovery);
    this.quoting.touchAll();
  }

  /** Sweep order: tasks that close or look up orders run before tasks that place. */
  #swept(): readonly SweepTask[] {
    return [
      this.orphanGuard,
      this.hold.others,
      this.hold.heartbeat,
      this.hold.oldHeartbeats,
      this.#closeOut,
      this.closing,
      this.#untrackedOrders,
      this.#unknownOutcomes,
      this.betslips,
      this.#dropCopy,
      this.#endCheck,
      this.#overdueOrders,
      this.#fruitlessOrders,
      this.#maintenance,
      this.quoting,
    ];
  }

  /** A bug in quoting must stop neither closes nor journal writes. */
  #afterTurn(): void {
    try {
      if (this.context.deps.venue.keyRefusal !== null) this.orphanGuard.sweep();
      // Send closes first: they wait neither for new quotes nor for the disk.
      this.#closeRequests.flush();
      this.#reports.reconsider();
      this.quoting.pump();
    } finally {
      this.#closeRequests.flush();
      this.context.journalWriter.flush();
      this.sweeps.plan();
    }
  }

  #changed(tracked: TrackedOrder, before: LiveOrder | null, source: string): void {
    const { order } = tracked;
    const was = before?.state ?? null;
    this.context.deps.account.apply({ kind: 'order', order, before: was });
    // An order of this run counts once any report names its id: the answer to its create request may be lost.
    if (before?.orderId === null && order.orderId !== null && !tracked.recovered) this.placed++;
    if (source !== 'journal' && tracked.sentMonotonicMs !== null) this.#record(tracked, source);
    this.#fruitlessOrders.changed(tracked, before);
    if (order.take !== undefined) this.context.takes.changed(order);
    if (order.state === 'closed') this.#closed(tracked, was);
    if (was !== order.state) {
      this.context.metrics.states.changed(before, order);
      this.orphanGuard.onOrderChange(tracked, source);
    }
    this.closing.changed(tracked);
    this.quoting.touch(order);
  }

  #closed(tracked: TrackedOrder, was: OrderState | null): void {
    const { key, closeWanted } = tracked;
    if (key !== null) this.path.pauses.closed(key);
    if (was !== 'closed' && !closeWanted) this.#endCheck.closed(tracked);
    this.#closeOut.closed(tracked);
  }

  #record({ order }: TrackedOrder, source: string): void {
    const { requestUuid: uuid, state, orderId, expiryMs, filledMicros, closeReason } = order;
    if (state === 'sending') return;
    const fact = { uuid, state, orderId, expiryMs, filledMicros, closeReason, source };
    this.context.journalWriter.note({ kind: 'order_changed', ...fact });
    if (source === 'updates') this.context.metrics.differences.inc({ kind: state });
  }

  #alarm(tracked: TrackedOrder, event: OrderEvent, reason: string, source: string): void {
    this.context.metrics.alarms.inc({ kind: event });
    const uuid = tracked.order.requestUuid;
    this.context.log.error('the exchange contradicts what it reported of an order', {
      reason,
      uuid,
      evidence: event,
      source,
    });
  }

  #heartbeatLost(reason: string): void {
    this.context.metrics.alarms.inc({ kind: 'heartbeat_lost' });
    this.context.log.error('heartbeat lost', { reason });
    this.#closeOut.begin(reason);
  }

  #journalFailed(error: unknown): void {
    this.context.metrics.alarms.inc({ kind: 'journal' });
    this.context.metrics.journalFailed.set(1);
    this.context.log.error('the journal cannot be written: closing only', { error });
    this.context.halts.set('journal', 'journal_failed');
    this.closing.wantAll('the journal failed');
    this.#reportUnwrittenLatch();
  }

  #latched(): void {
    this.closing.wantAll('latched');
    this.#reportUnwrittenLatch();
  }

  /** A failed journal may not hold the latch, so `onUnwrittenLatch` has to keep it. */
  #reportUnwrittenLatch(): void {
    const { halts, journalWriter } = this.context;
    const { latched } = halts;
    if (journalWriter.failed && latched !== null) this.context.deps.onUnwrittenLatch(latched);
  }

  /** Blocks placing until the account has been read again. A later call replaces an earlier one. */
  #resync(reason: string): void {
    const mine = ++this.#resyncs;
    this.context.halts.set('resync', 'resync_under_way');
    this.context.log.info('resync', { reason });
    const abandoned = (): boolean => this.#stopped || mine !== this.#resyncs;
    this.context.queue.call(
      () => resyncUntilDone(this.context, this.resyncParts(), abandoned),
      (done) => {
        if (done) this.context.halts.clear('resync');
        this.quoting.touchAll();
      },
      (error) => this.#fatal(error),
    );
  }

  /** Handles a broken invariant: places nothing more, marks every order for closing, and calls `onFatal`. */
  #fatal(error: unknown): void {
    this.context.halts.set('fatal', 'invariant_broken');
    this.context.log.error('an invariant is broken', { error });
    for (const tracked of this.context.book.active()) tracked.closeWanted = true;
    this.context.deps.onFatal(error);
  }

  stop(): void {
    this.#stopped = true;
    this.sweeps.stop();
    this.context.queue.stop();
  }
}
