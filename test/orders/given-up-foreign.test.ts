import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../src/domain/errors.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { VenueOrder } from '../../src/domain/orders.ts';
import { BY_HAND, TestDesk } from '../support/order-desk.ts';

const LIFE_S = 60;
const MARKED = 'touchline/7/of-another-journal';

const notFound = (): Promise<never> => Promise.reject(new VenueRejection('not_found', 404, 'no such order'));
const reset = (): Promise<never> => Promise.reject(new TransportError('unknown', 'reset'));

/** A manager that has seen an order that its journal does not tell of, and which the exchange will not know any more. */
async function deskWithUnknown(userData: string | null): Promise<[desk: TestDesk, orderId: OrderId]> {
  const desk = new TestDesk();
  const mark = userData === null ? {} : { userData };
  const { orderId } = desk.venue.placeByHand({ ...BY_HAND, durationS: LIFE_S, ...mark });
  await desk.start();
  desk.venue.signal = () => undefined;
  desk.venue.orderUpdates = () => Promise.resolve([]);
  desk.venue.held.delete(orderId);
  desk.venue.endsNothing = true;
  return [desk, orderId];
}

/** The stream is lost and comes back: the account is looked at anew. */
async function resync(desk: TestDesk): Promise<void> {
  const { manager, venue } = desk;
  venue.signal = (signal) => manager.onSignal(signal);
  venue.disconnect();
  venue.connect();
  await desk.advance(2_000);
}

describe('an order with our mark that the journal does not tell of and the exchange does not know any more', () => {
  it('counts for as long as it may live, and keeps no stop from its end afterwards', async () => {
    const [desk] = await deskWithUnknown(MARKED);
    desk.manager.stopQuoting('killed');
    await desk.advance(50_000);
    expect(desk.manager.openOrders()).toBe(1);
    await desk.advance(25_000);
    expect(desk.manager.openOrders()).toBe(0);
    expect(desk.foreign.at(-1)).toMatchObject({ closed: true, closeReason: 'not_found' });
    const drained = desk.manager.drain(20_000);
    await desk.advance(20_000);
    expect(await drained).toMatchObject({ clean: true, straysOpen: [], heartbeatRemoved: true });
  });

  it('is given up within the stop itself when its time is over by then', async () => {
    const [desk] = await deskWithUnknown(MARKED);
    await desk.advance(70_000);
    const drained = desk.manager.drain(20_000);
    await desk.advance(20_000);
    const { clean, tookMs } = await drained;
    expect(clean).toBe(true);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('is closed no more', async () => {
    const [desk] = await deskWithUnknown(MARKED);
    desk.manager.stopQuoting('killed');
    await desk.advance(80_000);
    const calls = desk.venue.calls.filter(({ method }) => method === 'closeOrder').length;
    await desk.advance(30_000);
    expect(desk.venue.calls.filter(({ method }) => method === 'closeOrder')).toHaveLength(calls);
  });
});

describe("an order of somebody else's that the exchange does not know any more", () => {
  const foreign = (desk: TestDesk): number => desk.manager.status().foreign.length;

  it('counts no more once it was not known three times after its time', async () => {
    const [desk] = await deskWithUnknown(null);
    for (let times = 0; times < 5; times++) await resync(desk);
    await desk.advance(70_000);
    for (const left of [1, 1, 0]) {
      await resync(desk);
      expect(foreign(desk)).toBe(left);
    }
  });

  it('counts again when it is shown all the same', async () => {
    const [desk, orderId] = await deskWithUnknown(null);
    await desk.advance(70_000);
    const [order] = desk.manager.status().foreign as [VenueOrder];
    for (let times = 0; times < 3; times++) await resync(desk);
    expect(foreign(desk)).toBe(0);
    desk.venue.emit({ tag: 'order', order });
    await desk.advance(100);
    expect(desk.manager.status().foreign.map((shown) => shown.orderId)).toEqual([orderId]);
  });

  it('counts for good where nobody has told how long it lives', async () => {
    const [desk] = await deskWithUnknown(null);
    await resync(desk);
    const [order] = desk.manager.status().foreign as [VenueOrder];
    desk.venue.emit({ tag: 'order', order: { ...order, expiryTimeMs: null } });
    await desk.advance(200_000);
    for (let times = 0; times < 5; times++) await resync(desk);
    expect(foreign(desk)).toBe(1);
  });

  it('is given up after three answers in a row that it is not known, whatever failed between, and not after others', async () => {
    const answers = fc.array(fc.constantFrom('not found' as const, 'failed' as const, 'open' as const), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(answers, async (words) => {
        const [desk, orderId] = await deskWithUnknown(null);
        const [order] = desk.manager.status().foreign as [VenueOrder];
        await desk.advance(70_000);
        let inARow = 0;
        for (const word of words) {
          desk.venue.order = () =>
            word === 'open' ? Promise.resolve(order) : word === 'failed' ? reset() : notFound();
          await resync(desk);
          inARow = word === 'open' ? 0 : inARow + (word === 'not found' ? 1 : 0);
          expect(desk.manager.status().foreign.map((shown) => shown.orderId)).toEqual(
            inARow < 3 ? [orderId] : [],
          );
          if (inARow === 3) return;
        }
      }),
      { numRuns: 40 },
    );
  });
});
