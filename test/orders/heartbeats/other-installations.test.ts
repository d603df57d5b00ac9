import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { AccountClaim, InstallationId } from '../../../src/domain/installation.ts';
import { markedBy, OTHER, OWN, OWN_CLAIM } from '../../support/claims.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const UNKNOWN_OWNER: AccountClaim = { ...OWN_CLAIM, earlierOwner: 'unknown' };
/** The longer life of an order and a heartbeat, plus a minute. */
const LINGER_MS = 120_000;

const called = (rig: OrderManagerRig, method: string): number =>
  rig.venue.calls.filter((call) => call.method === method).length;

const closes = (rig: OrderManagerRig): number =>
  rig.venue.calls.filter(({ method }) => isClose(method)).length;

/** Places another process’s order. */
const placedBy = (rig: OrderManagerRig, installation: InstallationId, uuid = 'theirs'): OrderId =>
  rig.venue.placeByHand({ ...BY_HAND, durationS: 60, userData: markedBy(installation, '9', uuid) }).orderId;

/** Refreshes another process’s heartbeat every 6 s while time passes. */
async function whileRefreshed(rig: OrderManagerRig, ms: number): Promise<void> {
  const [id] = [...rig.venue.heartbeatsHeld.keys()];
  for (let passedMs = 0; passedMs < ms; passedMs += 6_000) {
    if (id !== undefined && rig.venue.heartbeatsHeld.has(id)) void rig.venue.refreshHeartbeat(id);
    await rig.advance(6_000);
  }
}

describe('a start beside another installation', () => {
  it.each([
    ['another installation', OTHER, 'installation installation-other'],
    ['a copy of its journal', OWN, 'a copy of this journal'],
  ])('waits for %s, names it and creates no heartbeat', async (_, installation, name) => {
    const rig = new OrderManagerRig();
    const orderId = placedBy(rig, installation);
    await rig.start();
    rig.desire(quote());
    await rig.advance(50_000);
    const { blocked } = rig.manager.status();
    expect(blocked).toMatch(
      new RegExp(`^another_installation: ${name}.*order ${orderId} is open; seen since `),
    );
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
    expect([called(rig, 'placeOrder'), closes(rig)]).toEqual([0, 0]);
  });

  it('trades once the other has placed nothing for its longest possible life and a minute', async () => {
    const rig = new OrderManagerRig();
    const orderId = placedBy(rig, OTHER);
    await rig.start();
    rig.desire(quote());
    await rig.advance(20_000);
    rig.venue.closeByHand(orderId);
    await rig.advance(LINGER_MS - 20_000 - 2_000);
    expect(called(rig, 'placeOrder')).toBe(0);
    await rig.advance(20_000);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('waits for another installation whose last order was closed a moment before', async () => {
    const rig = new OrderManagerRig();
    rig.venue.closeByHand(placedBy(rig, OTHER));
    await rig.advance(10_000);
    await rig.start();
    rig.desire(quote());
    await rig.advance(LINGER_MS - 12_000);
    expect(rig.manager.status().blocked).toMatch(/placed order \d+ a short time ago/);
    expect(called(rig, 'placeOrder')).toBe(0);
    await rig.advance(15_000);
    expect(called(rig, 'placeOrder')).toBe(1);
  });

  it('trades as soon as the other has nothing open when a person takes over', async () => {
    const rig = new OrderManagerRig({ claim: { ...UNKNOWN_OWNER, takesOver: true } });
    const orderId = placedBy(rig, OTHER);
    await rig.start();
    rig.desire(quote());
    await rig.advance(20_000);
    expect(called(rig, 'placeOrder')).toBe(0);
    rig.venue.closeByHand(orderId);
    await rig.advance(10_000);
    expect(called(rig, 'placeOrder')).toBe(1);
  });

  it('counts an order placed while it waits as a sign of the other', async () => {
    const rig = new OrderManagerRig({ claim: UNKNOWN_OWNER });
    await rig.start();
    rig.desire(quote());
    await rig.advance(2_000);
    placedBy(rig, OTHER);
    await rig.advance(20_000);
    expect(rig.manager.status().blocked).toMatch(/^another_installation: /);
    expect(called(rig, 'createHeartbeat')).toBe(0);
  });
});

describe('a start without information from the lock', () => {
  /** A daemon that quoted was killed, and restarts beside its old heartbeat. */
  async function startedAnew() {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    await rig.advance(5_000);
    const [old] = [...rig.venue.heartbeatsHeld.keys()];
    rig.kill();
    rig.revive({ claim: UNKNOWN_OWNER });
    await rig.start();
    rig.desire(quote());
    return { rig, old };
  }

  it('watches the account for one refresh interval before it creates a heartbeat', async () => {
    const rig = new OrderManagerRig({ claim: UNKNOWN_OWNER });
    await rig.start();
    rig.desire(quote());
    await rig.advance(6_000);
    expect(rig.manager.status().blocked).toBe('watching_the_account');
    expect(called(rig, 'createHeartbeat')).toBe(0);
    await rig.advance(9_000);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('does not watch an account that no other process can have', async () => {
    const rig = new OrderManagerRig({ claim: { ...UNKNOWN_OWNER, isSoleUser: true } });
    await rig.startQuoting(quote());
    await rig.advance(2_000);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('deletes a heartbeat of its journal only after it went unrefreshed', async () => {
    const { rig, old } = await startedAnew();
    await rig.advance(6_000);
    expect([...rig.venue.heartbeatsHeld.keys()]).toEqual([old]);
    await rig.advance(9_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    expect(rig.venue.heartbeatsHeld.has(old as never)).toBe(false);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('does not wait for a heartbeat of its journal that runs out while its own is created', async () => {
    const { rig, old } = await startedAnew();
    rig.venue.fault = (method) => {
      if (method === 'createHeartbeat') rig.venue.heartbeatsHeld.delete(old as never);
      return null;
    };
    await rig.advance(20_000);
    expect(rig.venue.heartbeatsHeld.has(old as never)).toBe(false);
    expect(rig.manager.status().blocked).toBeNull();
    expect(rig.venue.open()).toHaveLength(1);
  });
});

describe('a copy of a journal beside its original', () => {
  /** The original has one order and a heartbeat, both known to the copy, which now starts. */
  async function copied(): Promise<OrderManagerRig> {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    await rig.advance(5_000);
    expect(rig.venue.open()).toHaveLength(1);
    // The original goes on elsewhere, so the exchange keeps its order and heartbeat.
    rig.kill();
    rig.revive({ claim: UNKNOWN_OWNER });
    await rig.start();
    return rig;
  }

  it('neither closes nor deletes what the original has, and reports that it is a copy', async () => {
    const rig = await copied();
    rig.desire(quote({ tick: 130 }));
    await whileRefreshed(rig, 30_000);
    expect(rig.manager.status().blocked).toMatch(/^another_installation: a copy of this journal .*heartbeat/);
    expect([closes(rig), called(rig, 'deleteHeartbeat')]).toEqual([0, 0]);
    expect(rig.venue.open()).toHaveLength(1);
    expect(rig.manager.openOrders()).toBe(0);
  });

  it('leaves the original’s orders and heartbeat alone when killed or stopped, before and after it knows', async () => {
    for (const beforeMs of [0, 30_000]) {
      const rig = await copied();
      await whileRefreshed(rig, beforeMs);
      rig.manager.stopQuoting('killed');
      await whileRefreshed(rig, 6_000);
      const drained = rig.manager.drain(3_000);
      await whileRefreshed(rig, 6_000);
      expect(await drained).toMatchObject({ clean: true });
      expect([closes(rig), called(rig, 'deleteHeartbeat')]).toEqual([0, 0]);
      rig.manager.stop();
    }
  });
});

describe('two processes that start at the same time', () => {
  it('never both keep a heartbeat: a process that sees another after creating its own deletes its own', async () => {
    const rig = new OrderManagerRig({ claim: UNKNOWN_OWNER });
    await rig.start();
    rig.desire(quote());
    const create = rig.venue.createHeartbeat.bind(rig.venue);
    let rivals = 0;
    rig.venue.createHeartbeat = async (...args: Parameters<typeof create>) => {
      if (rivals++ === 0) void create(30);
      return create(...args);
    };
    await rig.advance(12_000);
    expect(rivals).toBe(1);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    expect(called(rig, 'placeOrder')).toBe(0);
    expect(rig.manager.status().blocked).not.toBeNull();
    // The rival’s heartbeat runs out unrefreshed. This process retries only afterwards.
    await rig.advance(80_000);
    expect(rig.venue.open()).toHaveLength(1);
  });
});

describe('a process that trades', () => {
  it('closes its own orders, and not the other’s, when another installation places an order', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    await rig.advance(2_000);
    const theirs = placedBy(rig, OTHER);
    await rig.advance(5_000);
    expect(rig.venue.open().map(({ view }) => view.orderId)).toEqual([theirs]);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
    expect(rig.manager.status().blocked).toMatch(/^another_installation: /);
  });

  it('goes on beside an unrefreshed heartbeat, and stops once that is refreshed', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    await rig.advance(2_000);
    void rig.venue.createHeartbeat(300);
    await rig.advance(40_000);
    expect(rig.manager.status().blocked).toBeNull();
    const theirs = [...rig.venue.heartbeatsHeld.keys()].at(-1);
    void rig.venue.refreshHeartbeat(theirs as never);
    await rig.advance(20_000);
    expect(rig.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
    expect(rig.venue.open()).toEqual([]);
  });
});
