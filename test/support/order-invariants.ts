import { expect } from 'vitest';
import { type LiveOrder, unfilledMicros } from '../../src/domain/live-order.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { ACCOUNT, type SimulatedRig } from './simulated-rig.ts';

/** Rules that hold on the exchange's own state at every instant, whatever happens. */
export class OrderInvariants {
  readonly #rig: SimulatedRig;
  readonly #times: { readonly heartbeatS: number; readonly durationS: number };
  /** The kill, while no run is up: its wall-clock instant, and when the heartbeat expires. */
  #down: { readonly sinceMs: number; readonly closedOutMs: number } | null = null;

  constructor(rig: SimulatedRig, times: { readonly heartbeatS: number; readonly durationS: number }) {
    this.#rig = rig;
    this.#times = times;
  }

  /** The process is gone. Its heartbeat and its orders' durations run. */
  died(): void {
    const sinceMs = this.#rig.clock.wallMs();
    this.#down = { sinceMs, closedOutMs: this.#closeOutMs(sinceMs + this.#times.heartbeatS * 1000) };
  }

  revived(): void {
    this.#down = null;
  }

  check(): void {
    const ours = this.#rig.ours();
    this.#journalledFirst(ours);
    this.#oncePerUuid(ours);
    this.#oneGeneration(ours);
    this.#bookedOnce();
    this.#nothingAfterDeath(ours);
    if (this.#rig.report !== null) this.#covered(ours);
    expect(this.#rig.fatals).toEqual([]);
  }

  /** 2, 3: every order of ours follows a durable record of its request. */
  #journalledFirst(ours: readonly InspectedOrder[]): void {
    const intended = new Set(
      this.#rig.store.records.filter(({ kind }) => kind === 'order_intended').map(({ uuid }) => uuid),
    );
    expect(ours.filter(({ requestUuid }) => !intended.has(requestUuid))).toEqual([]);
  }

  /** 1 */
  #oncePerUuid(ours: readonly InspectedOrder[]): void {
    expect(new Set(ours.map(({ requestUuid }) => requestUuid)).size).toBe(ours.length);
  }

  /** 1, 10: one order serves an intent, and at most one older order lapses or is being closed. */
  #oneGeneration(ours: readonly InspectedOrder[]): void {
    const open = new Map<string, number>();
    for (const { betType, eventId, closed } of ours) {
      if (!closed) open.set(`${eventId} ${betType}`, (open.get(`${eventId} ${betType}`) ?? 0) + 1);
    }
    for (const [market, count] of open) expect(count, market).toBeLessThanOrEqual(2);
  }

  /** 8 */
  #bookedOnce(): void {
    const ids = this.#rig.fills.map(({ betId }) => betId);
    expect(new Set(ids).size).toBe(ids.length);
  }

  /** 15: after a kill nothing is open once heartbeat or duration are over, except late landers. */
  #nothingAfterDeath(ours: readonly InspectedOrder[]): void {
    if (this.#down === null) return;
    const { sinceMs } = this.#down;
    const lapsedMs = sinceMs + this.#times.durationS * 1000;
    this.#down = { sinceMs, closedOutMs: this.#closeOutMs(this.#down.closedOutMs) };
    if (this.#rig.clock.wallMs() < Math.min(lapsedMs, this.#down.closedOutMs) + 2_000) return;
    expect(ours.filter(({ closed, createdMs }) => !closed && createdMs <= sinceMs)).toEqual([]);
  }

  /**
   * The expiry is never earlier than the known instant. It is later when a refresh in flight arrives, and never comes
   * when another process has deleted the heartbeat.
   */
  #closeOutMs(knownMs: number): number {
    const account = this.#rig.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
    const expiries = (account?.heartbeats ?? []).map(({ expiryMs }) => expiryMs);
    if (expiries.length === 0 && this.#rig.clock.wallMs() < knownMs) return Infinity;
    return Math.max(knownMs, ...expiries);
  }

  /** 4, 8, 10: everything that the exchange holds of ours counts with us: as filled, or as still open. */
  #covered(ours: readonly InspectedOrder[]): void {
    const known = latestOf(this.#rig.changes);
    const booked = new Map<number, number>();
    for (const fill of this.#rig.fills) {
      booked.set(fill.orderId, (booked.get(fill.orderId) ?? 0) + fill.stakeMicros);
    }
    for (const order of ours) {
      const local = known.get(order.requestUuid as string);
      if (local?.state === 'refused' && this.#areDoubled) continue;
      const open = order.closed ? 0 : order.stakeMicros - order.filledMicros;
      const counted = (booked.get(order.orderId) ?? 0) + (local === undefined ? 0 : unfilledMicros(local));
      expect(counted, `${order.orderId} ${local?.state}`).toBeGreaterThanOrEqual(order.filledMicros + open);
    }
  }

  /**
   * A copy of a create may be refused, which is the received answer, while the other is carried out: that order is a
   * stray.
   */
  get #areDoubled(): boolean {
    return (this.#rig.wires.host.faults.reached().applied_twice ?? 0) > 0;
  }

  /** 8, 12, 22, 30: once faults have stopped, our state equals the exchange's. */
  atRest(wanted: number): void {
    const { manager } = this.#rig;
    const open = this.#rig.openOrders();
    const local = [...(manager?.orders() ?? [])];
    expect(local.map(({ orderId }) => orderId).sort()).toEqual(open.map(({ orderId }) => orderId).sort());
    expect(open.length, JSON.stringify(manager?.status().waiting)).toBe(wanted);
    const filled = this.#rig.ours().reduce((sum, order) => sum + order.filledMicros, 0);
    expect(this.#rig.fills.reduce((sum, fill) => sum + fill.stakeMicros, 0)).toBe(filled);
    const account = this.#rig.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
    expect(account?.heartbeats).toHaveLength(1);
    expect(account?.openBetslips).toBe(manager?.status().betslipsOpen);
  }
}

const latestOf = (changes: readonly LiveOrder[]): Map<string, LiveOrder> =>
  new Map(changes.map((order) => [order.requestUuid, order]));
