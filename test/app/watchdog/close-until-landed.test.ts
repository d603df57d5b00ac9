import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { closeUntilLanded, type ClosingReport } from '../../../src/app/watchdog/close-until-landed.ts';
import { sleep } from '../../../src/ports/clock.ts';

const LATENCY_MS = 20;
const HEARTBEAT_MS = 30_000;

/** An account with orders of ours, a heartbeat, and a record of what the watchdog did. */
class Account {
  readonly clock = new VirtualClock();
  /** Our orders by the instant at which they land; null once closed. */
  readonly orders: { readonly landsMs: number; closedMs: number | null }[] = [];
  heartbeat: 'kept' | 'deleted' | 'expired' = 'kept';
  isReachable = true;
  /** Closes are acknowledged and do nothing. */
  ignoresCloses = false;
  expiresMs = HEARTBEAT_MS;
  deletedMs: number | null = null;
  lists: number[] = [];

  open(): Account['orders'] {
    const nowMs = this.clock.monotonicMs();
    return this.orders.filter(({ landsMs, closedMs }) => landsMs <= nowMs && closedMs === null);
  }

  #noteExpiry(): void {
    const nowMs = this.clock.monotonicMs();
    if (this.heartbeat !== 'kept' || nowMs < this.expiresMs) return;
    this.heartbeat = 'expired';
    for (const order of this.open()) order.closedMs = nowMs;
  }

  async #answer<T>(ifReachable: () => T, otherwise: T): Promise<T> {
    await sleep(this.clock, LATENCY_MS);
    this.#noteExpiry();
    return this.isReachable ? ifReachable() : otherwise;
  }

  async closeUntilLanded(landedByMs: number, passMs: number): Promise<ClosingReport | null> {
    const exchange = {
      closeOurs: () =>
        this.#answer(() => {
          this.lists.push(this.clock.monotonicMs());
          if (!this.ignoresCloses) for (const order of this.open()) order.closedMs = this.clock.monotonicMs();
          return this.open().length;
        }, null),
      refreshHeartbeat: () =>
        this.#answer(() => {
          if (this.heartbeat === 'kept') this.expiresMs = this.clock.monotonicMs() + HEARTBEAT_MS;
          return this.heartbeat === 'kept';
        }, false),
      deleteHeartbeat: () =>
        this.#answer(() => {
          if (this.heartbeat === 'kept') this.heartbeat = 'deleted';
          this.deletedMs = this.clock.monotonicMs();
          return true;
        }, false),
    };
    let report: ClosingReport | null = null;
    const closed = closeUntilLanded(exchange, this.clock, landedByMs, HEARTBEAT_MS);
    void closed.then((given) => (report = given));
    await this.clock.advance(passMs);
    return report;
  }
}

describe('closing until the last request has landed', () => {
  it('closes what is open at once, and what lands within a second of its landing', async () => {
    const account = new Account();
    const lands = [0, 0, 0, 5_123, 29_900];
    account.orders.push(...lands.map((landsMs) => ({ landsMs, closedMs: null })));
    const report = await account.closeUntilLanded(30_000, 32_000);
    expect(report).toEqual({ openOrders: 0, heartbeatDeleted: true });
    for (const { landsMs, closedMs } of account.orders)
      expect((closedMs ?? Infinity) - landsMs).toBeLessThan(1_000);
  });

  it('keeps the heartbeat until no order can land, then deletes it', async () => {
    const account = new Account();
    account.expiresMs = 22_000;
    expect(await account.closeUntilLanded(60_000, 59_900)).toBeNull();
    expect(account.heartbeat).toBe('kept');
    await account.clock.advance(2_000);
    expect(account.heartbeat).toBe('deleted');
    expect(account.deletedMs).toBeGreaterThanOrEqual(60_000);
  });

  it('lists once more after the last instant of landing', async () => {
    const account = new Account();
    expect(await account.closeUntilLanded(0, 1_000)).toEqual({ openOrders: 0, heartbeatDeleted: true });
    expect(account.lists).toHaveLength(1);
  });

  it('spends no more than a tenth of the requests that refill', async () => {
    const account = new Account();
    await account.closeUntilLanded(30_000, 30_000);
    expect(account.lists.length).toBeLessThanOrEqual(60);
    expect(account.lists.length).toBeGreaterThan(50);
  });

  it('lets the heartbeat expire while orders of ours stay open, and never deletes it then', async () => {
    const account = new Account();
    account.ignoresCloses = true;
    account.orders.push({ landsMs: 0, closedMs: null });
    const report = await account.closeUntilLanded(10_000, 45_000);
    expect(account.heartbeat).toBe('expired');
    expect(account.orders[0]?.closedMs).toBeGreaterThanOrEqual(HEARTBEAT_MS);
    expect(report?.openOrders).toBe(0);
  });

  it('ends without an answer once the heartbeat must have expired, and deletes nothing', async () => {
    const account = new Account();
    account.isReachable = false;
    expect(await account.closeUntilLanded(10_000, 39_000)).toBeNull();
    await account.clock.advance(2_000);
    expect(account.heartbeat).toBe('expired');
    expect(account.deletedMs).toBeNull();
  });
});
