import { describe, expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { onlyOpen } from '../support/only-open.ts';

describe('recovery', () => {
  it('finds the order of a killed run, and books what it filled meanwhile', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const { orderId } = onlyOpen(rig);
    rig.kill();
    rig.venue.fill(orderId, 3_000_000);
    rig.revive();
    await rig.start();
    expect([...rig.manager.orders()]).toMatchObject([{ orderId, state: 'live', filledMicros: 3_000_000 }]);
    expect(rig.fills.map((fill) => fill.stakeMicros)).toEqual([3_000_000]);
    rig.desire(quote());
    await rig.advance(3_000);
    expect(onlyOpen(rig).orderId).toBe(orderId);
  });

  it('reports no order again that was over before, and suspects nothing', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.venue.fill(onlyOpen(rig).orderId, 4_000_000);
    await rig.advance(500);
    rig.desire();
    await rig.advance(1_000);
    expect(rig.orderEvents.at(-1)).toMatchObject({ state: 'closed', closeReason: 'cancelled' });
    await rig.restart();
    expect(rig.orderEvents).toEqual([]);
    expect(rig.warnings).toEqual([]);
    expect(rig.rememberedFills).toMatchObject([{ stakeMicros: 4_000_000 }]);
    expect(rig.fills).toEqual(rig.rememberedFills);
  });

  it('removes the heartbeat of a killed run before it closes the new orders', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    await rig.restart();
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    rig.desire(quote());
    await rig.advance(2_000);
    const placed = onlyOpen(rig).orderId;
    await rig.advance(40_000);
    expect(rig.venue.held.get(placed)?.view.closed).toBe(false);
  });

  it('resolves an order whose answer the killed run never received', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'answer-lost' } : null);
    rig.venue.connected = false;
    rig.desire(quote());
    rig.venue.connected = true;
    await rig.advance(150);
    rig.venue.connected = false;
    await rig.advance(50);
    rig.kill();
    rig.venue.fault = () => null;
    expect(rig.venue.open()).toHaveLength(1);
    rig.revive();
    await rig.start();
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['live']);
    await rig.advance(11_000);
    expect(rig.venue.open()).toEqual([]);
  });

  it.each([
    ['updates windows', 3],
    ['the order list', 10],
  ])('books fills missed over a long outage from %s', async (_, hours) => {
    const rig = new OrderManagerRig({ options: { durationS: 3_600, heartbeat: { timeoutS: 300 } } });
    await rig.startQuoting(quote());
    const { orderId } = onlyOpen(rig);
    rig.kill();
    await rig.advance(60_000);
    rig.venue.fill(orderId, 10_000_000);
    await rig.advance(hours * 3_600_000);
    rig.revive();
    await rig.start();
    expect(rig.fills.map((fill) => fill.stakeMicros)).toEqual([10_000_000]);
    expect([...rig.manager.orders()]).toEqual([]);
  });

  it('gives the same state when run twice', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.venue.fill(onlyOpen(rig).orderId, 3_000_000);
    await rig.restart();
    const once = { orders: [...rig.manager.orders()], fills: rig.fills };
    await rig.restart();
    expect([...rig.manager.orders()]).toEqual(once.orders);
    expect(rig.fills).toEqual(once.fills);
  });
});
