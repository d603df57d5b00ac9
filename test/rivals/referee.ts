import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { Trader } from '../sim/trader.ts';
import { closesOf, isCreate, type SentRequest, uuidOf } from '../sim/witness.ts';
import type { World } from '../sim/world.ts';

/**
 * The time between an act at the exchange and a trader's knowledge of it. Clocks and answers may differ by this much,
 * too.
 */
const GRACE_MS = 2_000;
/** A process that found another deletes the heartbeat that it has just created within this time. */
const PROTOCOL_MS = 10_000;

export interface RefereeTimes {
  /** An installation counts as present for this long after it placed an order. */
  readonly lingerMs: number;
  /** The refresh interval of a heartbeat. */
  readonly refreshMs: number;
}

interface Armed {
  readonly expiryMs: number;
  readonly movedMs: number;
}

/** Watches all requests of an account's traders and the exchange's state of it, and reports the first broken rule. */
export class Referee {
  readonly #traders: Trader[] = [];
  readonly #takers = new Set<Trader>();
  readonly #waiting = new Set<Trader>();
  /** The trader whose journal each has a copy of, and since when. */
  readonly #heirs = new Map<Trader, { readonly of: Trader; readonly sinceMs: number }>();
  readonly #owners = new Map<string, Trader>();
  readonly #orders = new Map<number, InspectedOrder>();
  readonly #armed = new Map<string, Armed>();
  /** When each was last ready, or last had an order open. */
  readonly #tradedMs = new Map<Trader, number>();
  readonly #world: World;
  readonly #times: RefereeTimes;
  readonly #miss: (what: string) => void;

  constructor(world: World, times: RefereeTimes, miss: (what: string) => void) {
    [this.#world, this.#times, this.#miss] = [world, times, miss];
  }

  /** `heirOf` is the trader whose journal this one has a copy of. */
  watch(trader: Trader, heirOf: Trader | null = null): void {
    this.#traders.push(trader);
    if (heirOf !== null) this.#heirs.set(trader, { of: heirOf, sinceMs: this.#nowMs() });
    trader.onSent = (sent) => this.#sent(sent, trader);
  }

  /** A person says that the others are gone, so the trader need not wait until their last orders are long over. */
  takesOver(trader: Trader): void {
    this.#takers.add(trader);
  }

  /** From now on the trader needs neither betslips nor heartbeats, which are scarce on the account. */
  waits(trader: Trader): void {
    this.#waiting.add(trader);
  }

  waitsNoMore(trader: Trader): void {
    this.#waiting.delete(trader);
  }

  /** Every order that a trader placed, earliest first. */
  ordersOf(trader: Trader): readonly InspectedOrder[] {
    const own = [...this.#orders.values()].filter((order) => this.#ownerOf(order) === trader);
    return own.sort((a, b) => a.createdMs - b.createdMs);
  }

  openOf(trader: Trader): readonly InspectedOrder[] {
    return this.#world.orders.open().filter((order) => this.#ownerOf(order) === trader);
  }

  /** Heartbeats of the account that a trader created. */
  heartbeatsOf(trader: Trader): readonly string[] {
    return [...this.#armed.keys()].filter((id) => trader.heartbeats.has(id));
  }

  /** Looks at the exchange's own state. Call it after everything that can have changed that state. */
  look(): void {
    for (const order of this.#world.orders.takeChanged()) this.#orders.set(order.orderId, order);
    this.#lookAtHeartbeats();
    const open = this.#traders.filter((trader) => this.openOf(trader).length > 0);
    if (open.length > 1)
      this.#miss(`both placed: orders of ${open.map(({ name }) => name).join(' and ')} are open`);
  }

  #lookAtHeartbeats(): void {
    const nowMs = this.#nowMs();
    const there = new Set<string>();
    for (const { heartbeatId, expiryMs } of this.#world.inspectAccounts()[0]?.heartbeats ?? []) {
      there.add(heartbeatId);
      const before = this.#armed.get(heartbeatId);
      if (before?.expiryMs !== expiryMs) this.#armed.set(heartbeatId, { expiryMs, movedMs: nowMs });
    }
    for (const id of this.#armed.keys()) if (!there.has(id)) this.#armed.delete(id);
    for (const trader of this.#traders) this.#keptHeartbeat(trader, nowMs);
  }

  /** A waiting process keeps no heartbeat. */
  #keptHeartbeat(trader: Trader, nowMs: number): void {
    const { name, run, isReady, heartbeats } = trader;
    if (isReady || this.openOf(trader).length > 0) this.#tradedMs.set(trader, nowMs);
    if (run === null) return;
    for (const id of this.#armed.keys()) {
      const createdMs = heartbeats.get(id) ?? Infinity;
      const sinceMs = Math.max(createdMs, this.#tradedMs.get(trader) ?? -Infinity);
      if (createdMs >= run.begunMs && nowMs - sinceMs > PROTOCOL_MS)
        this.#miss(`the ${name} keeps a heartbeat for ${seconds(nowMs - sinceMs)} and does not trade`);
    }
  }

  #sent(sent: SentRequest, by: Trader): void {
    if (isCreate(sent)) return this.#creates(sent, by);
    if (this.#waiting.has(by) && /^POST \/v2\/(betslips|heartbeats)\/$/.test(sent.what))
      this.#miss(`the ${by.name} sends ${sent.what}, and has to wait`);
    for (const orderId of closesOf(sent)) this.#closes(orderId, by);
    if (sent.what === 'POST /v2/orders/close_all/') this.#miss(`the ${by.name} sent ${sent.what}`);
    const deleted = /^DELETE \/v2\/heartbeats\/(.+)\/$/.exec(sent.what);
    if (deleted !== null) this.#deletes(deleted[1] ?? '', by);
  }

  #creates(sent: SentRequest, by: Trader): void {
    const uuid = uuidOf(sent);
    this.look();
    if (!this.#owners.has(uuid)) this.#owners.set(uuid, by);
    for (const other of this.#traders) {
      if (other === by) continue;
      const [open] = this.openOf(other);
      if (open !== undefined)
        this.#miss(
          `both placed: the ${by.name} places while order ${open.orderId} of the ${other.name} is open`,
        );
      const lastMs = this.lastPlacedMs(other);
      // Its journal names the heartbeats from before it was copied.
      const { of, sinceMs: copiedMs = -Infinity } = this.#heirs.get(by) ?? {};
      if (of === other && lastMs < copiedMs) continue;
      const sinceMs = this.#nowMs() - lastMs;
      if (!this.#takers.has(by) && sinceMs < this.#times.lingerMs - GRACE_MS)
        this.#miss(`the ${by.name} places ${seconds(sinceMs)} after the ${other.name} placed an order`);
    }
  }

  /** Monotonic instant; -Infinity for none. */
  lastPlacedMs(trader: Trader): number {
    return (this.ordersOf(trader).at(-1)?.createdMs ?? -Infinity) - this.#world.startMs;
  }

  #closes(orderId: number, by: Trader): void {
    this.look();
    const order = this.#orders.get(orderId);
    const owner = order === undefined ? undefined : this.#ownerOf(order);
    if (owner === by || this.#inherits(by, owner)) return;
    this.#miss(
      `the ${by.name} closes order ${orderId} of ${owner === undefined ? 'a person' : `the ${owner.name}`}`,
    );
  }

  #deletes(id: string, by: Trader): void {
    this.look();
    const createdMs = by.heartbeats.get(id);
    const { begunMs = Infinity } = by.run ?? {};
    if (createdMs !== undefined && createdMs >= begunMs) return;
    const owner = this.#traders.find((each) => each.heartbeats.has(id));
    if (owner !== by && !this.#inherits(by, owner))
      return this.#miss(
        `the ${by.name} deletes a heartbeat of ${owner === undefined ? 'another program' : `the ${owner.name}`}`,
      );
    const armed = this.#armed.get(id);
    if (armed === undefined) return;
    const stoodMs = this.#nowMs() - Math.max(armed.movedMs, begunMs);
    if (by.run?.claim.earlierOwner !== 'dead' && stoodMs < this.#times.refreshMs)
      this.#miss(`the ${by.name} deletes a heartbeat that it has watched for ${seconds(stoodMs)}`);
  }

  /** A process cleans up what its journal holds only when the process that the journal was copied from is gone. */
  #inherits(by: Trader, owner: Trader | undefined): boolean {
    return owner !== undefined && this.#heirs.get(by)?.of === owner && owner.run === null;
  }

  #ownerOf({ requestUuid }: InspectedOrder): Trader | undefined {
    return requestUuid === null ? undefined : this.#owners.get(requestUuid);
  }

  #nowMs(): number {
    return this.#world.clock.monotonicMs();
  }
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
