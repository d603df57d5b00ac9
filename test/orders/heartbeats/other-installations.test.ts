import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { AccountClaim, InstallationId } from '../../../src/domain/installation.ts';
import { markedBy, OTHER, OWN, OWN_CLAIM } from '../../support/claims.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

const UNKNOWN_OWNER: AccountClaim = { ...OWN_CLAIM, earlierOwner: 'unknown' };
/** The longer life of an order and a heartbeat, plus a minute. */
const LINGER_MS = 120_000;

const called = (desk: TestDesk, method: string): number =>
  desk.venue.calls.filter((call) => call.method === method).length;

const closes = (desk: TestDesk): number => desk.venue.calls.filter(({ method }) => isClose(method)).length;

/** Places another process’s order. */
const placedBy = (desk: TestDesk, installation: InstallationId, uuid = 'theirs'): OrderId =>
  desk.venue.placeByHand({ ...BY_HAND, durationS: 60, userData: markedBy(installation, '9', uuid) }).orderId;

/** Refreshes another process’s heartbeat every 6 s while time passes. */
async function whileRefreshed(desk: TestDesk, ms: number): Promise<void> {
  const [id] = [...desk.venue.heartbeatsHeld.keys()];
  for (let passedMs = 0; passedMs < ms; passedMs += 6_000) {
    if (id !== undefined && desk.venue.heartbeatsHeld.has(id)) void desk.venue.refreshHeartbeat(id);
    await desk.advance(6_000);
  }
}

describe('a start beside another installation', () => {
  it.each([
    ['another installation', OTHER, 'installation installation-other'],
    ['a copy of its journal', OWN, 'a copy of this journal'],
  ])('waits for %s, names it and creates no heartbeat', async (_, installation, name) => {
    const desk = new TestDesk();
    const orderId = placedBy(desk, installation);
    await desk.start();
    desk.desire(quote());
    await desk.advance(50_000);
    const { blocked } = desk.manager.status();
    expect(blocked).toMatch(
      new RegExp(`^another_installation: ${name}.*order ${orderId} is open; seen since `),
    );
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
    expect([called(desk, 'placeOrder'), closes(desk)]).toEqual([0, 0]);
  });

  it('trades once the other has placed nothing for its longest possible life and a minute', async () => {
    const desk = new TestDesk();
    const orderId = placedBy(desk, OTHER);
    await desk.start();
    desk.desire(quote());
    await desk.advance(20_000);
    desk.venue.closeByHand(orderId);
    await desk.advance(LINGER_MS - 20_000 - 2_000);
    expect(called(desk, 'placeOrder')).toBe(0);
    await desk.advance(20_000);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('waits for another installation whose last order was closed a moment before', async () => {
    const desk = new TestDesk();
    desk.venue.closeByHand(placedBy(desk, OTHER));
    await desk.advance(10_000);
    await desk.start();
    desk.desire(quote());
    await desk.advance(LINGER_MS - 12_000);
    expect(desk.manager.status().blocked).toMatch(/placed order \d+ a short time ago/);
    expect(called(desk, 'placeOrder')).toBe(0);
    await desk.advance(15_000);
    expect(called(desk, 'placeOrder')).toBe(1);
  });

  it('trades as soon as the other has nothing open when a person takes over', async () => {
    const desk = new TestDesk({ claim: { ...UNKNOWN_OWNER, takesOver: true } });
    const orderId = placedBy(desk, OTHER);
    await desk.start();
    desk.desire(quote());
    await desk.advance(20_000);
    expect(called(desk, 'placeOrder')).toBe(0);
    desk.venue.closeByHand(orderId);
    await desk.advance(10_000);
    expect(called(desk, 'placeOrder')).toBe(1);
  });

  it('counts an order placed while it waits as a sign of the other', async () => {
    const desk = new TestDesk({ claim: UNKNOWN_OWNER });
    await desk.start();
    desk.desire(quote());
    await desk.advance(2_000);
    placedBy(desk, OTHER);
    await desk.advance(20_000);
    expect(desk.manager.status().blocked).toMatch(/^another_installation: /);
    expect(called(desk, 'createHeartbeat')).toBe(0);
  });
});

describe('a start without information from the lock', () => {
  /** A daemon that quoted was killed, and restarts beside its old heartbeat. */
  async function startedAnew() {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    await desk.advance(5_000);
    const [old] = [...desk.venue.heartbeatsHeld.keys()];
    desk.kill();
    desk.revive({ claim: UNKNOWN_OWNER });
    await desk.start();
    desk.desire(quote());
    return { desk, old };
  }

  it('watches the account for one refresh interval before it creates a heartbeat', async () => {
    const desk = new TestDesk({ claim: UNKNOWN_OWNER });
    await desk.start();
    desk.desire(quote());
    await desk.advance(6_000);
    expect(desk.manager.status().blocked).toBe('watching_the_account');
    expect(called(desk, 'createHeartbeat')).toBe(0);
    await desk.advance(9_000);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('does not watch an account that no other process can have', async () => {
    const desk = new TestDesk({ claim: { ...UNKNOWN_OWNER, isSoleUser: true } });
    await desk.startQuoting(quote());
    await desk.advance(2_000);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('deletes a heartbeat of its journal only after it went unrefreshed', async () => {
    const { desk, old } = await startedAnew();
    await desk.advance(6_000);
    expect([...desk.venue.heartbeatsHeld.keys()]).toEqual([old]);
    await desk.advance(9_000);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    expect(desk.venue.heartbeatsHeld.has(old as never)).toBe(false);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('does not wait for a heartbeat of its journal that runs out while its own is created', async () => {
    const { desk, old } = await startedAnew();
    desk.venue.fault = (method) => {
      if (method === 'createHeartbeat') desk.venue.heartbeatsHeld.delete(old as never);
      return null;
    };
    await desk.advance(20_000);
    expect(desk.venue.heartbeatsHeld.has(old as never)).toBe(false);
    expect(desk.manager.status().blocked).toBeNull();
    expect(desk.venue.open()).toHaveLength(1);
  });
});

describe('a copy of a journal beside its original', () => {
  /** The original has one order and a heartbeat, both known to the copy, which now starts. */
  async function copied(): Promise<TestDesk> {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    await desk.advance(5_000);
    expect(desk.venue.open()).toHaveLength(1);
    // The original goes on elsewhere, so the exchange keeps its order and heartbeat.
    desk.kill();
    desk.revive({ claim: UNKNOWN_OWNER });
    await desk.start();
    return desk;
  }

  it('neither closes nor deletes what the original has, and reports that it is a copy', async () => {
    const desk = await copied();
    desk.desire(quote({ tick: 130 }));
    await whileRefreshed(desk, 30_000);
    expect(desk.manager.status().blocked).toMatch(
      /^another_installation: a copy of this journal .*heartbeat/,
    );
    expect([closes(desk), called(desk, 'deleteHeartbeat')]).toEqual([0, 0]);
    expect(desk.venue.open()).toHaveLength(1);
    expect(desk.manager.openOrders()).toBe(0);
  });

  it('leaves the original’s orders and heartbeat alone when killed or stopped, before and after it knows', async () => {
    for (const beforeMs of [0, 30_000]) {
      const desk = await copied();
      await whileRefreshed(desk, beforeMs);
      desk.manager.stopQuoting('killed');
      await whileRefreshed(desk, 6_000);
      const drained = desk.manager.drain(3_000);
      await whileRefreshed(desk, 6_000);
      expect(await drained).toMatchObject({ clean: true });
      expect([closes(desk), called(desk, 'deleteHeartbeat')]).toEqual([0, 0]);
      desk.manager.stop();
    }
  });
});

describe('two processes that start at the same time', () => {
  it('never both keep a heartbeat: a process that sees another after creating its own deletes its own', async () => {
    const desk = new TestDesk({ claim: UNKNOWN_OWNER });
    await desk.start();
    desk.desire(quote());
    const create = desk.venue.createHeartbeat.bind(desk.venue);
    let rivals = 0;
    desk.venue.createHeartbeat = async (...args: Parameters<typeof create>) => {
      if (rivals++ === 0) void create(30);
      return create(...args);
    };
    await desk.advance(12_000);
    expect(rivals).toBe(1);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    expect(called(desk, 'placeOrder')).toBe(0);
    expect(desk.manager.status().blocked).not.toBeNull();
    // The rival’s heartbeat runs out unrefreshed. This process retries only afterwards.
    await desk.advance(80_000);
    expect(desk.venue.open()).toHaveLength(1);
  });
});

describe('a process that trades', () => {
  it('closes its own orders, and not the other’s, when another installation places an order', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    await desk.advance(2_000);
    const theirs = placedBy(desk, OTHER);
    await desk.advance(5_000);
    expect(desk.venue.open().map(({ view }) => view.orderId)).toEqual([theirs]);
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
    expect(desk.manager.status().blocked).toMatch(/^another_installation: /);
  });

  it('goes on beside an unrefreshed heartbeat, and stops once that is refreshed', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    await desk.advance(2_000);
    void desk.venue.createHeartbeat(300);
    await desk.advance(40_000);
    expect(desk.manager.status().blocked).toBeNull();
    const theirs = [...desk.venue.heartbeatsHeld.keys()].at(-1);
    void desk.venue.refreshHeartbeat(theirs as never);
    await desk.advance(20_000);
    expect(desk.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
    expect(desk.venue.open()).toEqual([]);
  });
});
