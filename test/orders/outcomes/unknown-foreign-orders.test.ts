import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, OrderManagerRig, type RigOptions } from '../../support/order-manager-rig.ts';

const LIFE_S = 60;
const MARKED = markedBy(OWN, '7', 'lost-with-the-journal');

const notFound = (): Promise<never> => Promise.reject(new VenueRejection('not_found', 404, 'no such order'));
const reset = (): Promise<never> => Promise.reject(new TransportError('unknown', 'reset'));

/** A manager that has seen an order missing from its journal, which the exchange will no longer know. */
async function rigWithUnknown(
  userData: string | null,
  options: RigOptions = {},
): Promise<[rig: OrderManagerRig, orderId: OrderId]> {
  const rig = new OrderManagerRig(options);
  const mark = userData === null ? {} : { userData };
  const { orderId } = rig.venue.placeByHand({ ...BY_HAND, durationS: LIFE_S, ...mark });
  if (userData !== null) {
    rig.loseJournal();
    rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  }
  await rig.start();
  rig.venue.fault = () => null;
  rig.venue.signal = () => undefined;
  rig.venue.orderUpdates = () => Promise.resolve({ orders: [], unread: [] });
  rig.venue.held.delete(orderId);
  rig.venue.endsNothing = true;
  return [rig, orderId];
}

/** Lookups fail until the next resync, and do not count. */
function failTillResync({ venue }: OrderManagerRig): void {
  venue.order = reset;
}

/** Reconnects the stream and resyncs. Only lookups during the resync get an answer. */
async function resync(rig: OrderManagerRig, answer: () => Promise<VenueOrder> = notFound): Promise<void> {
  const { manager, venue } = rig;
  venue.order = () => {
    failTillResync(rig);
    return answer();
  };
  venue.signal = (signal) => manager.onSignal(signal);
  venue.disconnect();
  venue.connect();
  await rig.advance(2_000);
}

describe('an order with our mark that a damaged journal has lost and the exchange no longer knows', () => {
  it('counts for as long as it may live, and does not block a stop afterwards', async () => {
    const [rig] = await rigWithUnknown(MARKED);
    rig.manager.stopQuoting('killed');
    await rig.advance(50_000);
    expect(rig.manager.openOrders()).toBe(1);
    await rig.advance(25_000);
    expect(rig.manager.openOrders()).toBe(0);
    expect(rig.foreign.at(-1)).toMatchObject({ closed: true, closeReason: 'not_found' });
    const drained = rig.manager.drain(20_000);
    await rig.advance(20_000);
    expect(await drained).toMatchObject({ clean: true, straysOpen: [], heartbeatRemoved: true });
  });

  it('is given up during the stop when its time is over by then', async () => {
    const [rig] = await rigWithUnknown(MARKED);
    await rig.advance(70_000);
    const drained = rig.manager.drain(20_000);
    await rig.advance(20_000);
    const { clean, tookMs } = await drained;
    expect(clean).toBe(true);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('gets no further close', async () => {
    const [rig] = await rigWithUnknown(MARKED);
    rig.manager.stopQuoting('killed');
    await rig.advance(80_000);
    const calls = rig.venue.calls.filter(({ method }) => isClose(method)).length;
    await rig.advance(30_000);
    expect(rig.venue.calls.filter(({ method }) => isClose(method))).toHaveLength(calls);
  });
});

describe('an order of another user that the exchange no longer knows', () => {
  const foreign = (rig: OrderManagerRig): number => rig.manager.status().foreign.length;

  /** Counts the lookups of single orders. */
  const timesAsked = ({ venue }: OrderManagerRig): number =>
    venue.calls.filter(({ method }) => method === 'order').length;

  it('is looked up every ten seconds once its time is over, and stops counting after the third answer', async () => {
    const [rig] = await rigWithUnknown(null);
    await rig.advance(59_000);
    expect([timesAsked(rig), foreign(rig)]).toEqual([0, 1]);
    for (const times of [1, 2]) {
      await rig.advance(times === 1 ? 5_000 : 10_000);
      expect([timesAsked(rig), foreign(rig)]).toEqual([times, 1]);
    }
    await rig.advance(10_000);
    expect([timesAsked(rig), foreign(rig)]).toEqual([3, 0]);
    await rig.advance(60_000);
    expect(timesAsked(rig)).toBe(3);
  });

  it('is looked up as slowly while it is open or lookups fail, and not once it is over', async () => {
    const [rig, orderId] = await rigWithUnknown(null);
    const [order] = rig.manager.status().foreign as [VenueOrder];
    let asked = 0;
    rig.venue.order = () => (asked++ % 2 === 0 ? reset() : Promise.resolve(order));
    await rig.advance(62_000 + 600_000);
    expect(asked).toBeGreaterThanOrEqual(60);
    expect(asked).toBeLessThanOrEqual(62);
    rig.venue.order = () => Promise.resolve({ ...order, closed: true, status: 'failed' });
    await rig.advance(11_000);
    expect([foreign(rig), rig.foreign.at(-1)?.orderId]).toEqual([0, orderId]);
  });

  it('shares the lookups with the others and with ours, two a second', async () => {
    const rig = new OrderManagerRig();
    for (let n = 0; n < 50; n++) rig.venue.placeByHand({ ...BY_HAND, durationS: LIFE_S });
    rig.venue.endsNothing = true;
    await rig.startQuoting(quote());
    await rig.advance(90_000);
    const before = timesAsked(rig);
    await rig.advance(60_000);
    expect(timesAsked(rig) - before).toBeLessThanOrEqual(125);
    expect(timesAsked(rig) - before).toBeGreaterThanOrEqual(100);
  });

  it('stops counting once the exchange did not know it three times after its time', async () => {
    const [rig] = await rigWithUnknown(null);
    for (let times = 0; times < 5; times++) await resync(rig);
    failTillResync(rig);
    await rig.advance(70_000);
    for (const left of [1, 1, 0]) {
      await resync(rig);
      expect(foreign(rig)).toBe(left);
    }
  });

  it('counts again when the exchange shows it again, which contradicts no report', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const [rig, orderId] = await rigWithUnknown(null, { metrics });
    failTillResync(rig);
    await rig.advance(70_000);
    const [order] = rig.manager.status().foreign as [VenueOrder];
    for (let times = 0; times < 3; times++) await resync(rig);
    expect(foreign(rig)).toBe(0);
    rig.venue.emit({ tag: 'order', order });
    await rig.advance(100);
    expect(rig.manager.status().foreign.map((shown) => shown.orderId)).toEqual([orderId]);
    const { text } = await metrics.expose();
    expect(text).toContain('touchline_orders_alarms_total{kind="forgotten"} 1\n');
    expect(text).toContain('touchline_orders_alarms_total{kind="open_again"} 0\n');
  });

  it('counts for good when its duration is unknown', async () => {
    const [rig] = await rigWithUnknown(null);
    await resync(rig);
    const [order] = rig.manager.status().foreign as [VenueOrder];
    rig.venue.emit({ tag: 'order', order: { ...order, expiryTimeMs: null } });
    await rig.advance(200_000);
    for (let times = 0; times < 5; times++) await resync(rig);
    expect(foreign(rig)).toBe(1);
  });

  it('is given up after exactly three not-found answers in a row, not counting failed requests', async () => {
    const answers = fc.array(fc.constantFrom('not found' as const, 'failed' as const, 'open' as const), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(answers, async (words) => {
        const [rig, orderId] = await rigWithUnknown(null);
        const [order] = rig.manager.status().foreign as [VenueOrder];
        failTillResync(rig);
        await rig.advance(70_000);
        let inARow = 0;
        for (const word of words) {
          await resync(rig, () =>
            word === 'open' ? Promise.resolve(order) : word === 'failed' ? reset() : notFound(),
          );
          inARow = word === 'open' ? 0 : inARow + (word === 'not found' ? 1 : 0);
          expect(rig.manager.status().foreign.map((shown) => shown.orderId)).toEqual(
            inARow < 3 ? [orderId] : [],
          );
          if (inARow === 3) return;
        }
      }),
      { numRuns: 40 },
    );
  });
});
