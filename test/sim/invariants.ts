import { isTerminal } from '../../src/domain/lifecycle.ts';
import { unfilledMicros } from '../../src/domain/live-order.ts';
import { priceOf } from '../../src/domain/odds.ts';
import { factOf } from '../../src/orders/records.ts';
import type { Fact } from '../../src/orders/records.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { SimPlan } from './plan.ts';
import { KEY } from './world.ts';
import type { World } from './world.ts';

/** A broken promise: which one, when, and what was seen. */
export interface Violation {
  readonly invariant: string;
  readonly atS: number;
  readonly seen: string;
}

type Intended = Extract<Fact, { kind: 'order_intended' }>;

const LATEST_LANDING_MS = 12_000;
const GRACE_MS = 2_000;
const ORDERS_PER_S = 5;

/** Judges a simulated day on the exchange's own state, after everything that can have changed it. */
export class Judge {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #plan: SimPlan;
  #downSinceMs: number | null = null;
  #judgedLog = 0;
  #judgedRecords = 0;
  readonly #intended = new Map<string, Intended>();
  readonly #booked = new Set<number>();
  readonly #states = new Map<string, string>();

  constructor(world: World, plan: SimPlan) {
    this.#world = world;
    this.#plan = plan;
    world.onDeath = () => (this.#downSinceMs = world.clock.monotonicMs());
  }

  revived(): void {
    this.#downSinceMs = null;
  }

  /** Everything that must hold at every instant. */
  check(): void {
    this.#readJournal();
    const { orders, accounts } = this.#world.inspect();
    this.#onePerUuid(orders);
    this.#journalledFirst(orders);
    this.#oneGeneration(orders);
    this.#asIntended(orders);
    this.#nothingAfterDeath(orders);
    this.#covered(orders);
    this.#holds(
      '21 budgets',
      accounts.every(({ throttledCount }) => throttledCount === 0),
      'throttled by the exchange',
    );
    this.#holds(
      '21 order rate',
      this.#orderRate() <= 2 * ORDERS_PER_S,
      `${this.#orderRate()} creates within a second`,
    );
    this.#secretKept();
    this.#noFatal();
  }

  /** 30 and what follows from it: faults have stopped, and time to come to rest has passed. */
  atRest(): void {
    const { run } = this.#world;
    if (run === null) return this.#fail('30 liveness', 'no run is up');
    const status = run.composed.parts.orders.status();
    const open = this.#world.inspect().orders.filter(({ closed }) => !closed);
    const local = [...run.composed.parts.orders.orders()].filter(
      ({ state }) => state === 'live' || state === 'closing',
    );
    const names = (ids: readonly (number | null)[]): string => [...ids].sort().join(' ');
    const [theirs, ours] = [
      names(open.map(({ orderId }) => orderId)),
      names(local.map(({ orderId }) => orderId)),
    ];
    this.#holds('30 state', theirs === ours, `exchange ${theirs}; local ${ours}`);
    this.#holds('30 started', run.started && run.failure === null, String(run.failure));
    const quoting = status.blocked === null || status.latched !== null;
    this.#holds('30 quoting', quoting, `blocked: ${status.blocked}`);
    this.#fillsEqual();
    const heartbeats = this.#world.inspect().accounts[0]?.heartbeats.length ?? 0;
    this.#holds('12 one heartbeat', heartbeats === 1 || status.latched !== null, `${heartbeats} heartbeats`);
  }

  #fillsEqual(): void {
    const filled = new Set(
      this.#world.inspect().orders.flatMap(({ fills }) => fills.map(({ betId }) => betId)),
    );
    const missing = [...filled].filter((betId) => !this.#booked.has(betId));
    this.#holds('8 fills booked', missing.length === 0, `bets not booked: ${missing.join(' ')}`);
  }

  #onePerUuid(orders: readonly InspectedOrder[]): void {
    const uuids = orders.flatMap(({ requestUuid }) => (requestUuid === null ? [] : [requestUuid]));
    this.#holds('1 one order a uuid', new Set(uuids).size === uuids.length, 'two orders with one uuid');
  }

  #journalledFirst(orders: readonly InspectedOrder[]): void {
    const stray = orders.find(({ requestUuid }) => requestUuid !== null && !this.#intended.has(requestUuid));
    this.#holds(
      '2 journal before send',
      stray === undefined,
      `order ${stray?.orderId} is not in the journal`,
    );
  }

  #oneGeneration(orders: readonly InspectedOrder[]): void {
    const open = Map.groupBy(
      orders.filter(({ closed }) => !closed),
      ({ eventId, betType }) => `${eventId} ${betType}`,
    );
    const levels = this.#plan.daemon.strategy === 'guarded-ladder' ? 6 : 1;
    const crowded = [...open].find(([, list]) => list.length > 2 * levels);
    this.#holds(
      '1 one order an intent',
      crowded === undefined,
      `${crowded?.[1].length} open on ${crowded?.[0]}`,
    );
  }

  /** 7, 11: each order is what its journal record says, in price, stake and time to live. */
  #asIntended(orders: readonly InspectedOrder[]): void {
    for (const order of orders) {
      const intended = order.requestUuid === null ? undefined : this.#intended.get(order.requestUuid);
      if (intended === undefined) continue;
      const { orderId, createdMs, expiryMs, price, stakeMicros } = order;
      const offMs = Math.abs(expiryMs - createdMs - intended.place.durationS * 1000);
      this.#holds('7 duration', offMs <= 1000, `order ${orderId} lives ${expiryMs - createdMs} ms`);
      const same = price === priceOf(intended.tick) && stakeMicros === intended.place.stakeMicros;
      this.#holds('11 as journalled', same, `order ${orderId} at ${price} for ${stakeMicros}`);
    }
  }

  /** 15: gone after the shorter of heartbeat and duration; what landed later is gone a duration after it landed. */
  #nothingAfterDeath(orders: readonly InspectedOrder[]): void {
    if (this.#downSinceMs === null) return;
    const nowMs = this.#world.clock.monotonicMs();
    const late = orders.filter(
      (order) => !order.closed && nowMs > this.#goneByMs(order, this.#downSinceMs ?? 0),
    );
    this.#holds('15 gone after death', late.length === 0, `${late.length} orders are open`);
  }

  #goneByMs({ createdMs, expiryMs }: InspectedOrder, diedMs: number): number {
    const landedMs = createdMs - this.#world.startMs;
    const livesMs = expiryMs - createdMs;
    if (landedMs > diedMs) return landedMs + livesMs + GRACE_MS;
    const guardedMs = this.#plan.daemon.heartbeatS * 1000;
    return diedMs + LATEST_LANDING_MS + Math.min(livesMs, guardedMs) + GRACE_MS;
  }

  /** 4, 8, 10: what the exchange holds of ours counts with us, as filled or as still open. */
  #covered(orders: readonly InspectedOrder[]): void {
    const run = this.#world.run;
    if (run?.started !== true) return;
    const local = new Map(
      [...run.composed.parts.orders.orders()].map((order) => [order.requestUuid as string, order]),
    );
    for (const order of orders) {
      if (order.closed || order.requestUuid === null) continue;
      const ours = local.get(order.requestUuid);
      const covered =
        ours !== undefined &&
        !isTerminal(ours.state) &&
        unfilledMicros(ours) + ours.filledMicros >= order.stakeMicros;
      this.#holds(
        '9 exposure covers',
        covered,
        `order ${order.orderId} is open there, ${ours?.state ?? 'unknown'} here`,
      );
    }
  }

  #orderRate(): number {
    const nowMs = this.#world.clock.monotonicMs();
    const sent = this.#world.run?.sent ?? [];
    return sent.filter(({ what, atMs }) => what === 'POST /v2/orders/' && atMs > nowMs - 1000).length;
  }

  #secretKept(): void {
    const fresh = this.#world.log.slice(this.#judgedLog);
    this.#judgedLog = this.#world.log.length;
    const leak = fresh.find((line) => line.includes(KEY));
    this.#holds('28 secret', leak === undefined, leak ?? '');
  }

  #noFatal(): void {
    const failure = this.#world.run?.failure;
    const isBug = failure instanceof Error && failure.name === 'InvariantError';
    this.#holds('our own invariants', !isBug, String(failure));
  }

  #readJournal(): void {
    const { records } = this.#world.disk;
    for (; this.#judgedRecords < records.length; this.#judgedRecords++) {
      const fact = factOf(records[this.#judgedRecords] as JournalRecord);
      if (fact.kind === 'order_intended') this.#intended.set(fact.uuid, fact);
      if (fact.kind === 'fill_booked') this.#book(fact.fill.betId);
      this.#notePath(fact);
    }
  }

  /** Counts the paths of recovery that the daemon's own records show. */
  #notePath(fact: Fact): void {
    if (fact.kind === 'heartbeat_ended' && fact.how === 'of an earlier run')
      this.#world.note('path: heartbeat of an earlier run removed');
    if (fact.kind !== 'order_changed') return;
    const before = this.#states.get(fact.uuid);
    this.#states.set(fact.uuid, fact.state);
    if (fact.state === before) return;
    if (fact.state === 'unknown') this.#world.note('path: order unknown');
    if (fact.state === 'refused') this.#world.note('path: order refused');
    if (fact.state === 'absent') this.#world.note('path: unknown order proven absent');
    if (before === 'unknown' && fact.orderId !== null) this.#world.note('path: unknown order found');
  }

  #book(betId: number): void {
    this.#holds('8 booked once', !this.#booked.has(betId), `bet ${betId} twice`);
    this.#booked.add(betId);
  }

  #holds(invariant: string, holds: boolean, seen: string): void {
    if (!holds) this.#fail(invariant, seen);
  }

  #fail(invariant: string, seen: string): void {
    this.violations.push({ invariant, atS: this.#world.clock.monotonicMs() / 1000, seen });
  }
}
