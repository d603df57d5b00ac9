import type { LiveOrder } from '../../src/domain/live-order.ts';
import type { InspectedAccount, InspectedOrder } from '../../src/simulator/core/api.ts';
import { eventKey } from '../../src/simulator/core/catalogue.ts';
import { Allowances } from './allowance.ts';
import { excused, SentBudgets } from './budgets.ts';
import { miscounted } from './counted.ts';
import { brokenDuties, isStalled, WEDGED_MS } from './duties.ts';
import { Epochs } from './epochs.ts';
import { canBeMatched, isOwn, type OwnOrder } from './exchange-orders.ts';
import { brokenGates } from './gates.ts';
import { type Intended, JournalView } from './journal-view.ts';
import { JUDGEMENTS } from './judges/index.ts';
import type { Judgement } from './judges/judge.ts';
import { priceAt } from './ladder.ts';
import { looksAgain, openThereAndHere } from './open-orders.ts';
import { isOver } from './order-terms.ts';
import { Orphans } from './orphans.ts';
import type { SimPlan } from './plan.ts';
import { NONE, reportedBy } from './reported.ts';
import type { Received } from './received.ts';
import { deletedMs, wereDeleted } from './traits.ts';
import { TAKEN_IN_MS, ThrottledTwins } from './twins.ts';
import { AfterKill, PATIENCE_MS, standsSinceMs } from './failed-closing.ts';
import { isCreate, type SentRequest, uuidOf, type Witness } from './witness.ts';
import type { World } from './world.ts';
import { WorstCases } from './worst-case.ts';

/** A broken invariant: its name, its time, and the evidence. */
export interface Violation {
  readonly invariant: string;
  readonly atS: number;
  readonly seen: string;
}

const [LATEST_LANDING_MS, GRACE_MS, UNGUARDED_MS] = [12_000, 2_000, 3_000];
const CLOSED_AFTER_KILL_MS = 60_000;
/** The parts that stop the daemon without a person. Other judges decide whether they had to. */
const BY_LOSS = 'loss limit';

const hasFailed = (run: World['run']): boolean => run?.composed.parts.orders.status().journalFailed === true;

/** Judges a simulated day by the exchange's own state, after everything that can have changed it. */
export class Judge {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #plan: SimPlan;
  #downSinceMs: number | null = null;
  readonly #journal: JournalView;
  readonly #orderIds = new Map<string, number>();
  readonly #orphans = new Orphans();
  readonly #worst: WorstCases;
  readonly #allowances: Allowances;
  readonly #twins: ThrottledTwins;
  #killedSinceMs: number | null = null;
  #wedgedSinceMs: number | null = null;
  #unguardedSinceMs: number | null = null;
  readonly #afterKill = new AfterKill();
  readonly #epochs = new Epochs();
  readonly #budgets: SentBudgets;
  readonly #judgements: readonly Judgement[];
  #started: { readonly witness: Witness; readonly atMs: number } | null = null;

  constructor(world: World, plan: SimPlan) {
    this.#world = world;
    this.#plan = plan;
    this.#twins = new ThrottledTwins(world, plan);
    this.#worst = new WorstCases((event) => world.scoreOf(event));
    this.#allowances = new Allowances(plan);
    this.#budgets = new SentBudgets(plan, world.clock.monotonicMs());
    this.#journal = new JournalView(world.disk.store, {
      onBookedTwice: (betId) => this.#fail('8 booked once', `bet ${betId} twice`),
      onMeantAgain: (uuid) => this.#fail('5 repeated', `order ${uuid} is over`),
      onPath: (path) => world.note(`path: ${path}`),
    });
    this.#judgements = JUDGEMENTS.map((make) =>
      make({
        world,
        plan,
        journal: this.#journal,
        killedSinceMs: () => this.#killedSinceMs,
        fail: (invariant, seen) => this.#fail(invariant, seen),
      }),
    );
    world.onDeath = () => {
      this.#downSinceMs = world.clock.monotonicMs();
      this.#journal.rewind();
    };
    world.onRequest = (sent, witness, received) => this.#gates(sent, witness, received);
  }

  /** A person stopped everything, or resumed. Null, or since when. */
  set killedSinceMs(atMs: number | null) {
    this.#killedSinceMs = atMs;
  }

  /** 19: latched across restarts, whether or not the journal accepted it. */
  killWasLost(): void {
    this.#fail('19 latched', 'the daemon no longer knows that it was killed');
  }

  /** The engine hangs since then; null when it does not. */
  set wedgedSinceMs(atMs: number | null) {
    this.#wedgedSinceMs = atMs;
  }

  revived(): void {
    this.#downSinceMs = null;
  }

  /**
   * Everything that must hold at every instant. A rule about one order alone is checked only when that order changes.
   * Rules that depend on time, or on our belief, are checked for all open orders.
   */
  check(): void {
    this.#journal.read();
    const changed = this.#world.orders.takeChanged();
    const own = changed.filter(isOwn);
    const open = this.#world.orders.open().filter(isOwn);
    const working = open.filter(canBeMatched);
    const accounts = this.#world.inspectAccounts();
    this.#onePerUuid(own);
    this.#journalledFirst(own);
    this.#afterKill.see(this.#world, this.#killedSinceMs, this.#journal.unsettled.size);
    if (own.length > 0) this.#oneGeneration(open.filter(({ requestUuid }) => !this.#twins.has(requestUuid)));
    this.#asIntended(own);
    this.#nothingAfterDeath(working);
    this.#covered(open);
    this.#foreignLeftAlone(changed);
    this.#guarded(working, accounts);
    this.#noOrphan(own, accounts);
    this.#closedOut(working);
    this.#withinLimits(changed);
    this.#riskKnows();
    this.#duties(working);
    this.#withinBudgets(accounts);
    for (const judgement of this.#judgements) judgement.onEvent?.(changed);
  }

  /** 30 and its consequences: faults have stopped, and the time to come to rest has passed. */
  atRest(): void {
    const { run } = this.#world;
    if (run === null) return this.#fail('30 liveness', 'no run is up');
    const status = run.composed.parts.orders.status();
    const [theirs, ours] = openThereAndHere(this.#world, this.#twins);
    this.#holds('30 state', theirs === ours, `exchange ${theirs}; local ${ours}`);
    this.#holds('30 started', run.started && run.failure === null, String(run.failure));
    const stopped = run.composed.core.risk.killed?.by === BY_LOSS;
    this.#holds('30 quoting', status.blocked === null || stopped, `blocked: ${status.blocked}`);
    this.#fillsEqual();
    for (const seen of miscounted(this.#world, run)) this.#fail('9 counts right', seen);
    const heartbeats = this.#world.inspectAccounts()[0]?.heartbeats.length ?? 0;
    this.#holds('12 one heartbeat', heartbeats === 1 || stopped, `${heartbeats} heartbeats`);
    for (const judgement of this.#judgements) judgement.atRest?.();
  }

  /** Whether both sides know the same open orders and bets now. Messages in flight make them differ for a while. */
  agrees(): boolean {
    const [theirs, ours] = openThereAndHere(this.#world, this.#twins);
    const countsRight = miscounted(this.#world, this.#world.run).next().done === true;
    return theirs === ours && this.#missingBets().length === 0 && countsRight && !looksAgain(this.#world);
  }

  #fillsEqual(): void {
    const missing = this.#missingBets();
    this.#holds('8 fills booked', missing.length === 0, `bets not booked: ${missing.join(' ')}`);
  }

  #missingBets(): readonly number[] {
    // A bet that was voided before any report of it need not be booked.
    const fills = this.#world.orders.all().flatMap((order) => order.fills.filter(({ voided }) => !voided));
    return [...new Set(fills.map(({ betId }) => betId))].filter((betId) => !this.#journal.booked.has(betId));
  }

  #onePerUuid(changed: readonly OwnOrder[]): void {
    for (const { requestUuid, orderId } of changed) {
      const known = this.#orderIds.get(requestUuid) ?? orderId;
      this.#orderIds.set(requestUuid, known);
      this.#holds('1 one order a uuid', known === orderId, 'two orders with one uuid');
    }
  }

  #journalledFirst(changed: readonly OwnOrder[]): void {
    const stray = changed.find(({ requestUuid }) => !this.#journal.intended.has(requestUuid));
    this.#holds(
      '2 journal before send',
      stray === undefined,
      `order ${stray?.orderId} is not in the journal`,
    );
  }

  #oneGeneration(orders: readonly OwnOrder[]): void {
    const open = Map.groupBy(orders, (order) => `${eventKey(order)} ${order.betType}`);
    const levels = this.#plan.daemon.strategy === 'guarded-ladder' ? 6 : 1;
    const crowded = [...open].find(([, list]) => list.length > 2 * levels);
    this.#holds(
      '1 one order an intent',
      crowded === undefined,
      `${crowded?.[1].length} open on ${crowded?.[0]}`,
    );
  }

  /** 7, 11: each order is what its journal record says, in price, stake and time to live. */
  #asIntended(changed: readonly OwnOrder[]): void {
    for (const order of changed) {
      const intended = this.#journal.intended.get(order.requestUuid);
      if (intended === undefined) continue;
      const { orderId, createdMs, expiryMs, price, stakeMicros } = order;
      const offMs = Math.abs(expiryMs - createdMs - intended.place.durationS * 1000);
      this.#holds('7 duration', offMs <= 1000, `order ${orderId} lives ${expiryMs - createdMs} ms`);
      const same = price === priceAt(intended.tick) && stakeMicros === intended.place.stakeMicros;
      this.#holds('11 as journalled', same, `order ${orderId} at ${price} for ${stakeMicros}`);
    }
  }

  /**
   * 15: an order is gone after the shorter of heartbeat and duration. An order that landed later is gone a duration
   * after it landed.
   */
  #nothingAfterDeath(open: readonly OwnOrder[]): void {
    const downSinceMs = this.#downSinceMs;
    if (downSinceMs === null) return;
    const nowMs = this.#world.clock.monotonicMs();
    const late = open.filter((order) => nowMs > this.#goneByMs(order, downSinceMs));
    this.#holds('15 gone after death', late.length === 0, `${late.length} orders are open`);
  }

  #goneByMs({ createdMs, expiryMs }: InspectedOrder, diedMs: number): number {
    const [landedMs, livesMs] = [createdMs - this.#world.startMs, expiryMs - createdMs];
    if (landedMs > diedMs) return landedMs + livesMs + GRACE_MS;
    // The heartbeat that would have closed open orders may be deleted meanwhile.
    const guardedMs = wereDeleted(this.#plan, this.#unguardedSinceMs)
      ? Infinity
      : this.#plan.daemon.heartbeatS * 1000;
    return diedMs + LATEST_LANDING_MS + Math.min(livesMs, guardedMs) + GRACE_MS;
  }

  /** 4, 8, 10: everything that the exchange holds of ours counts with us, as filled or as still open. */
  #covered(open: readonly OwnOrder[]): void {
    const { run } = this.#world;
    if (run?.started !== true || open.length === 0) return;
    const local = new Map<string, LiveOrder>();
    for (const order of run.composed.parts.orders.orders()) local.set(order.requestUuid, order);
    // Orders whose records are unreadable are known only by the exchange's reports.
    const { damageMet } = this.#world.disk;
    const shown = damageMet || this.#twins.any ? reportedBy(run) : NONE;
    for (const order of open) {
      if (shown.has(order.orderId) && (damageMet || this.#twins.has(order.requestUuid))) continue;
      if (this.#twins.isUnreported(order)) continue;
      const ours = local.get(order.requestUuid);
      const covered =
        ours !== undefined &&
        !isOver(ours.state) &&
        Math.max(ours.stakeMicros, ours.filledMicros) >= order.stakeMicros;
      if (covered) continue;
      this.#fail(
        '9 exposure covers',
        `order ${order.orderId} is open there, ${ours?.state ?? 'unknown'} here`,
      );
    }
  }

  /** 21: by the exchange's own count of refusals. Networks and people may use the same budgets. */
  #withinBudgets(accounts: readonly InspectedAccount[]): void {
    const throttled = accounts[0]?.throttledCount ?? 0;
    const { wires, reached } = this.#world;
    const most = this.#budgets.notOurs(throttled, () =>
      excused(wires.host.faults.reached(), reached.get('tried: order_by_hand') ?? 0),
    );
    this.#holds('21 throttled', throttled <= most, `${throttled} requests throttled, ${most} not our doing`);
  }

  /** 13, 14, 16, 17, 18, 19, 24, 26: at the instant of sending. */
  #gates(sent: SentRequest, witness: Witness, received: Received): void {
    const { run, clock, startMs } = this.#world;
    if (run !== null && run.witness !== witness)
      return this.#fail('24 one process', `${sent.what} left another process than the one that is up`);
    this.#journal.read();
    this.#afterKill.see(this.#world, this.#killedSinceMs, this.#journal.unsettled.size);
    const facts = {
      witness,
      received,
      wallMs: clock.wallMs(),
      exchangeMs: startMs + clock.monotonicMs(),
      killed: this.#killedSinceMs !== null,
      wedgedSinceMs: this.#wedgedSinceMs,
      leftByKill: this.#afterKill.left,
      cursorMs: this.#journal.cursorMs,
      damageMet: this.#world.disk.damageMet,
      journalFailed: () => hasFailed(run),
      market: isCreate(sent) ? this.#marketOf(sent) : null,
    };
    for (const [invariant, seen] of brokenGates(sent, facts, this.#plan)) this.#fail(invariant, seen);
    for (const judgement of this.#judgements) judgement.onSent?.(sent, { witness, received });
    const overdrawn = this.#budgets.overdrawn(sent, this.#world.wires.host.isNetworkDown);
    this.#holds('21 budgets', overdrawn === null, `${sent.what} overdraws ${overdrawn}`);
    const taken = isCreate(sent) ? this.#epochs.taken(sent, witness) : null;
    this.#holds('24 an epoch of its own', taken === null, `two runs send as ${taken}`);
  }

  #marketOf(sent: SentRequest): Intended['place'] | null {
    return this.#journal.intended.get(uuidOf(sent))?.place ?? null;
  }

  /** 1, 8, 10, 14, 19, 22, 27: the duties that the present run must have done by now. */
  #duties(open: readonly OwnOrder[]): void {
    const { run, clock, startMs } = this.#world;
    if (run === null) return;
    const nowMs = clock.monotonicMs();
    const facts = {
      nowMs,
      received: run.received,
      witness: run.witness,
      hasStarted: run.started,
      startedMs: run.started ? this.#upSinceMs(nowMs) : run.begunMs,
      open,
      createdMs: (order: OwnOrder) => order.createdMs - startMs,
      keyOf: (order: OwnOrder) => this.#journal.intended.get(order.requestUuid)?.key ?? null,
      isBooked: (betId: number) => this.#journal.booked.has(betId),
      killedSinceMs: this.#killedSinceMs,
      wedgedSinceMs: this.#wedgedSinceMs,
      unclosed: this.#afterKill.unclosed,
      journalFailed: () => hasFailed(run),
      isEnding: run.ending,
    };
    for (const [invariant, seen] of brokenDuties(facts, this.#plan)) this.#fail(invariant, seen);
  }

  /** 3: we never close a manual order. */
  #foreignLeftAlone(changed: readonly InspectedOrder[]): void {
    const closed = changed.find(
      ({ requestUuid, closedBy }) => requestUuid === null && closedBy === 'request',
    );
    this.#holds('3 foreign orders', closed === undefined, `order ${closed?.orderId} was closed`);
  }

  /**
   * 12: everything that can be matched while the daemon runs is guarded. A deleted heartbeat is noticed at its refresh.
   */
  #guarded(open: readonly OwnOrder[], accounts: readonly InspectedAccount[]): void {
    const nowMs = this.#world.clock.monotonicMs();
    const bare = open.length > 0 && (accounts[0]?.heartbeats.length ?? 0) === 0;
    if (!bare) this.#unguardedSinceMs = null;
    else this.#unguardedSinceMs ??= nowMs;
    const tolerated = wereDeleted(this.#plan, this.#unguardedSinceMs) || this.#world.run === null;
    const standsMs = bare ? standsSinceMs(this.#world.run, open) : nowMs;
    const longMs = nowMs - Math.max(this.#unguardedSinceMs ?? nowMs, standsMs);
    this.#holds(
      '12 guarded',
      tolerated || longMs < UNGUARDED_MS,
      `open orders without a heartbeat for ${longMs} ms`,
    );
  }

  /** 12: while our own heartbeat certainly holds, no abandoned one may close our orders. */
  #noOrphan(changed: readonly OwnOrder[], accounts: readonly InspectedAccount[]): void {
    for (const { orderId } of this.#orphans.closed(this.#world, changed, accounts[0]))
      this.#fail('12 no orphan', `order ${orderId} was closed by another heartbeat`);
  }

  /** 14, 19: an engine that hangs, or a person's command, ends every order of ours. */
  #closedOut({ length: open }: readonly OwnOrder[]): void {
    const nowMs = this.#world.clock.monotonicMs();
    // A run that is not up closes nothing. Another rule judges what must be gone then.
    const killedMs =
      nowMs - Math.max(this.#killedSinceMs ?? nowMs, this.#upSinceMs(nowMs), deletedMs(this.#plan, nowMs));
    // Where closes fail, the heartbeat closes. It is kept until they have failed for a while.
    const heartbeatMs = this.#plan.daemon.heartbeatS * 1000 + LATEST_LANDING_MS;
    const closedMs = Math.max(CLOSED_AFTER_KILL_MS, PATIENCE_MS + heartbeatMs);
    this.#holds('19 closed', killedMs < closedMs || open === 0, `${open} open after the kill`);
    const hungMs = nowMs - Math.max(this.#wedgedSinceMs ?? nowMs, deletedMs(this.#plan, nowMs));
    const limitMs = WEDGED_MS + heartbeatMs;
    this.#holds('14 a wedged engine is closed out', hungMs < limitMs || open === 0, `${open} are open`);
  }

  /** Since when the present run has started; now for none. */
  #upSinceMs(nowMs: number): number {
    const { run } = this.#world;
    if (run?.started !== true) return nowMs;
    if (this.#started?.witness !== run.witness) this.#started = { witness: run.witness, atMs: nowMs };
    return this.#started.atMs;
  }

  /** 9: by settlement over final scores. */
  #withinLimits(changed: readonly InspectedOrder[]): void {
    const nowMs = this.#world.clock.monotonicMs();
    for (const { event, worstMicros, takenBack } of this.#worst.after(changed)) {
      const key = eventKey(event);
      const isTaken = this.#allowances.take(key, worstMicros + 1, takenBack, nowMs);
      this.#holds('9 worst case', isTaken, `${worstMicros / 1e6} USDT on ${key}`);
    }
  }

  /** 3, 9: risk itself counts at least this much as open, manual orders included once they were reported to the run. */
  #riskKnows(): void {
    const { run, clock, orders } = this.#world;
    if (run?.started !== true) return;
    const takenInMs = clock.monotonicMs() - TAKEN_IN_MS;
    const isBusy = isStalled(this.#plan, clock.monotonicMs());
    const open = orders
      .open()
      .filter(
        (order) =>
          (isOwn(order) && !this.#twins.isUnreported(order)) ||
          (!isBusy && (run.received.orders.get(order.orderId) ?? Infinity) < takenInMs),
      );
    const openMicros = open.reduce((sum, order) => sum + order.stakeMicros - order.filledMicros, 0);
    if (openMicros === 0) return;
    const known = run.composed.core.risk.accountExposure().openMicros;
    this.#holds('9 risk knows', known >= openMicros, `${openMicros} open there, ${known} in risk`);
  }

  #holds(invariant: string, holds: boolean, seen: string): void {
    if (!holds) this.#fail(invariant, seen);
  }

  #fail(invariant: string, seen: string): void {
    this.violations.push({ invariant, atS: this.#world.clock.monotonicMs() / 1000, seen });
  }
}
