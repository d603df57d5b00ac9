import { describe, expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { onlyOpen } from '../support/only-open.ts';

describe('recovery', () => {
  it('finds the order of a killed run, and books what it filled meanwhile', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const { orderId } = onlyOpen(desk);
    desk.kill();
    desk.venue.fill(orderId, 3_000_000);
    desk.revive();
    await desk.start();
    expect([...desk.manager.orders()]).toMatchObject([{ orderId, state: 'live', filledMicros: 3_000_000 }]);
    expect(desk.fills.map((fill) => fill.stakeMicros)).toEqual([3_000_000]);
    desk.desire(quote());
    await desk.advance(3_000);
    expect(onlyOpen(desk).orderId).toBe(orderId);
  });

  it('reports no order again that was over before, and suspects nothing', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.venue.fill(onlyOpen(desk).orderId, 4_000_000);
    await desk.advance(500);
    desk.desire();
    await desk.advance(1_000);
    expect(desk.orderEvents.at(-1)).toMatchObject({ state: 'closed', closeReason: 'cancelled' });
    await desk.restart();
    expect(desk.orderEvents).toEqual([]);
    expect(desk.warnings).toEqual([]);
    expect(desk.rememberedFills).toMatchObject([{ stakeMicros: 4_000_000 }]);
    expect(desk.fills).toEqual(desk.rememberedFills);
  });

  it('removes the heartbeat of a killed run before it closes the new orders', async () => {
    const desk = new TestDesk();
    await desk.start();
    await desk.restart();
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    desk.desire(quote());
    await desk.advance(2_000);
    const placed = onlyOpen(desk).orderId;
    await desk.advance(40_000);
    expect(desk.venue.held.get(placed)?.view.closed).toBe(false);
  });

  it('resolves an order whose answer the killed run never received', async () => {
    const desk = new TestDesk();
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'answer-lost' } : null);
    desk.venue.connected = false;
    desk.desire(quote());
    desk.venue.connected = true;
    await desk.advance(150);
    desk.venue.connected = false;
    await desk.advance(50);
    desk.kill();
    desk.venue.fault = () => null;
    expect(desk.venue.open()).toHaveLength(1);
    desk.revive();
    await desk.start();
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['live']);
    await desk.advance(11_000);
    expect(desk.venue.open()).toEqual([]);
  });

  it.each([
    ['updates windows', 3],
    ['the order list', 10],
  ])('books fills missed over a long outage from %s', async (_, hours) => {
    const desk = new TestDesk({ options: { durationS: 3_600, heartbeat: { timeoutS: 300 } } });
    await desk.startQuoting(quote());
    const { orderId } = onlyOpen(desk);
    desk.kill();
    await desk.advance(60_000);
    desk.venue.fill(orderId, 10_000_000);
    await desk.advance(hours * 3_600_000);
    desk.revive();
    await desk.start();
    expect(desk.fills.map((fill) => fill.stakeMicros)).toEqual([10_000_000]);
    expect([...desk.manager.orders()]).toEqual([]);
  });

  it('gives the same state when run twice', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.venue.fill(onlyOpen(desk).orderId, 3_000_000);
    await desk.restart();
    const once = { orders: [...desk.manager.orders()], fills: desk.fills };
    await desk.restart();
    expect([...desk.manager.orders()]).toEqual(once.orders);
    expect(desk.fills).toEqual(once.fills);
  });
});
