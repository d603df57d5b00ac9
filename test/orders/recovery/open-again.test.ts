import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { BY_HAND, OrderManagerRig, quote } from '../../support/order-manager-rig.ts';
import { onlyOpen } from '../support/only-open.ts';

const LONG = { durationS: 600 } as const;

/** The stream says that the order is closed. It rests all the same. */
const tellClosed = (rig: OrderManagerRig, order: VenueOrder, closeReason = 'odd'): void =>
  rig.venue.emit({ tag: 'order', order: { ...order, closed: true, status: 'failed', closeReason } });

/** The account is read again. */
function reconnect(rig: OrderManagerRig): void {
  rig.venue.disconnect();
  rig.venue.connect();
}

/** Ids of the orders that count as open. */
const counted = (rig: OrderManagerRig): ReadonlySet<OrderId | null> =>
  new Set([
    ...Array.from(rig.manager.orders(), ({ orderId }) => orderId),
    ...rig.manager.status().foreign.map(({ orderId }) => orderId),
  ]);

const placed = (rig: OrderManagerRig): number =>
  rig.venue.calls.filter(({ method }) => method === 'placeOrder').length;

async function resting(endsNothing = true): Promise<{ rig: OrderManagerRig; order: VenueOrder }> {
  const rig = new OrderManagerRig({ options: LONG });
  await rig.startQuoting(quote());
  rig.venue.endsNothing = endsNothing;
  const order = onlyOpen(rig);
  rig.desire();
  rig.venue.fault = (method) => (method.startsWith('close') ? { kind: 'lost' } : null);
  await rig.advance(100);
  return { rig, order };
}

describe('an order that was reported closed and is listed open', () => {
  it.each([
    [2_999, false],
    [3_000, true],
    [20_000, true],
  ])('%i ms before the request of the list: counts again %s', async (afterMs, counts) => {
    const { rig, order } = await resting();
    tellClosed(rig, order);
    await rig.advance(0);
    expect(counted(rig).size).toBe(0);
    rig.venue.disconnect();
    await rig.advance(afterMs);
    rig.venue.connect();
    await rig.advance(50);
    expect([...counted(rig)]).toEqual(counts ? [order.orderId] : []);
    expect(rig.states()).toEqual(counts ? ['closing'] : []);
  });

  it('stays closed by a list whose request began before the report, however late its answer', async () => {
    const { rig, order } = await resting();
    const list = rig.venue.orders.bind(rig.venue);
    rig.venue.orders = async (...asked) => {
      const listed = await list(...asked);
      await sleep(rig.clock, 9_000);
      return listed;
    };
    reconnect(rig);
    await rig.advance(500);
    rig.venue.endsNothing = false;
    rig.venue.closeByHand(order.orderId);
    await rig.advance(10_000);
    expect(counted(rig).size).toBe(0);
  });

  it('is closed, with an alarm, and gets no companion until it is', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ options: LONG, metrics });
    await rig.startQuoting(quote());
    const order = onlyOpen(rig);
    rig.venue.fault = (method) => (method.startsWith('close') ? { kind: 'lost' } : null);
    tellClosed(rig, order);
    rig.desire();
    await rig.advance(5_000);
    expect([...rig.manager.orders()]).toMatchObject([{ state: 'closing', closeReason: null }]);
    expect((await metrics.expose()).text).toContain('touchline_orders_alarms_total{kind="open_again"} 1\n');
    rig.desire(quote({ level: 1, tick: 120 }));
    await rig.advance(10_000);
    expect(placed(rig)).toBe(1);
    rig.venue.fault = () => null;
    await rig.advance(5_000);
    expect(rig.venue.held.get(order.orderId)?.view.closed).toBe(true);
    expect(placed(rig)).toBe(2);
    expect(rig.fatals).toEqual([]);
  });

  it('is matched meanwhile as an order of ours', async () => {
    const { rig, order } = await resting();
    tellClosed(rig, order);
    await rig.advance(5_000);
    reconnect(rig);
    await rig.advance(100);
    rig.venue.fill(order.orderId, 4_000_000);
    await rig.advance(100);
    expect([...rig.manager.orders()]).toMatchObject([{ state: 'closing', filledMicros: 4_000_000 }]);
    expect(rig.fills).toMatchObject([{ requestUuid: expect.any(String) as string, stakeMicros: 4_000_000 }]);
  });

  it('counts again after a restart, whatever the journal says', async () => {
    const { rig, order } = await resting();
    tellClosed(rig, order);
    await rig.advance(100);
    await rig.restart();
    expect([...counted(rig)]).toEqual([order.orderId]);
    rig.venue.endsNothing = false;
    rig.venue.fault = () => null;
    await rig.advance(10_000);
    expect(rig.venue.open()).toEqual([]);
  });

  it('counts again if it is another’s, and is left alone', async () => {
    const rig = new OrderManagerRig({ options: LONG });
    await rig.start();
    const order = rig.venue.placeByHand(BY_HAND);
    await rig.advance(100);
    tellClosed(rig, order);
    await rig.advance(2_000);
    reconnect(rig);
    await rig.advance(500);
    expect(counted(rig).size).toBe(0);
    await rig.advance(2_000);
    reconnect(rig);
    await rig.advance(500);
    expect([...counted(rig)]).toEqual([order.orderId]);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('is found without a reconnect if it ended before its time, at one list in ten seconds', async () => {
    const rig = new OrderManagerRig({ options: LONG });
    await rig.startQuoting(quote());
    const lists = (): number => rig.venue.calls.filter(({ method }) => method === 'orders').length;
    const before = lists();
    const told = new Set<OrderId>();
    let most = 0;
    for (let at = 0; at < 600; at++) {
      for (const { view } of rig.venue.open()) {
        if (told.has(view.orderId)) continue;
        told.add(view.orderId);
        tellClosed(rig, view);
      }
      await rig.advance(100);
      most = Math.max(most, rig.venue.open().length);
    }
    expect(most).toBeLessThanOrEqual(3);
    expect(lists() - before).toBeLessThanOrEqual(7);
    expect(told.size).toBeLessThan(15);
  });

  it.each([
    ['that we close', async (rig: OrderManagerRig) => rig.desire()],
    [
      'that are filled',
      async (rig: OrderManagerRig) => void rig.venue.fill(onlyOpen(rig).orderId, 10_000_000),
    ],
  ])('is not looked for after ends %s', async (_, end) => {
    const rig = new OrderManagerRig({ options: LONG });
    await rig.startQuoting(quote());
    const before = rig.venue.calls.filter(({ method }) => method === 'orders').length;
    await end(rig);
    rig.desire();
    await rig.advance(20_000);
    expect(rig.venue.calls.filter(({ method }) => method === 'orders')).toHaveLength(before);
  });
});

describe('the stop', () => {
  it('closes what was reported closed and is listed open, before the heartbeat goes', async () => {
    const rig = new OrderManagerRig({ options: LONG });
    await rig.startQuoting(quote());
    const order = onlyOpen(rig);
    tellClosed(rig, order);
    await rig.advance(10);
    const drained = rig.manager.drain(20_000);
    await rig.advance(1_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    await rig.advance(19_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
    expect(rig.venue.open()).toEqual([]);
  });

  it('keeps the heartbeat while the list shows an order that cannot be closed', async () => {
    const { rig, order } = await resting();
    tellClosed(rig, order);
    await rig.advance(10);
    const drained = rig.manager.drain(10_000);
    await rig.advance(11_000);
    expect(await drained).toMatchObject({ clean: false, heartbeatRemoved: false });
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
  });
});

it('counts whatever the last fresh list shows open, whatever was reported before', async () => {
  const step = fc.oneof(
    fc.constant('told closed' as const),
    fc.constant('reconnect' as const),
    fc.constant('repeated' as const),
    fc.constant('filled' as const),
    fc.integer({ min: 10, max: 6_000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const rig = new OrderManagerRig({ options: LONG });
      await rig.startQuoting(quote(), quote({ direction: 'against', tick: 90 }));
      rig.venue.endsNothing = true;
      const byHand = rig.venue.placeByHand(BY_HAND);
      rig.venue.fault = (method) => (method.startsWith('close') ? { kind: 'lost' } : null);
      rig.desire();
      for (const each of steps) {
        if (typeof each === 'number') await rig.advance(each);
        else if (each === 'reconnect') reconnect(rig);
        else if (each === 'told closed') for (const { view } of rig.venue.open()) tellClosed(rig, view);
        else if (each === 'repeated')
          for (const { view } of rig.venue.open()) rig.venue.emit({ tag: 'order', order: view });
        else for (const { view } of rig.venue.open()) rig.venue.fill(view.orderId, 100_000);
      }
      await rig.advance(3_000);
      reconnect(rig);
      await rig.advance(500);
      const open = rig.venue.open().map(({ view }) => view.orderId);
      expect(open).toContain(byHand.orderId);
      expect([...counted(rig)].sort()).toEqual(open.sort());
      expect(rig.fatals).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
