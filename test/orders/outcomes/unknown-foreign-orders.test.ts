import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

const LIFE_S = 60;
const MARKED = markedBy(OWN, '7', 'lost-with-the-journal');

const notFound = (): Promise<never> => Promise.reject(new VenueRejection('not_found', 404, 'no such order'));
const reset = (): Promise<never> => Promise.reject(new TransportError('unknown', 'reset'));

/** A manager that has seen an order missing from its journal, which the exchange will no longer know. */
async function deskWithUnknown(userData: string | null): Promise<[desk: TestDesk, orderId: OrderId]> {
  const desk = new TestDesk();
  const mark = userData === null ? {} : { userData };
  const { orderId } = desk.venue.placeByHand({ ...BY_HAND, durationS: LIFE_S, ...mark });
  if (userData !== null) {
    desk.loseJournal();
    desk.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  }
  await desk.start();
  desk.venue.fault = () => null;
  desk.venue.signal = () => undefined;
  desk.venue.orderUpdates = () => Promise.resolve([]);
  desk.venue.held.delete(orderId);
  desk.venue.endsNothing = true;
  return [desk, orderId];
}

/** Lookups fail until the next resync, and do not count. */
function failTillResync({ venue }: TestDesk): void {
  venue.order = reset;
}

/** Reconnects the stream and resyncs. Only lookups during the resync get an answer. */
async function resync(desk: TestDesk, answer: () => Promise<VenueOrder> = notFound): Promise<void> {
  const { manager, venue } = desk;
  venue.order = () => {
    failTillResync(desk);
    return answer();
  };
  venue.signal = (signal) => manager.onSignal(signal);
  venue.disconnect();
  venue.connect();
  await desk.advance(2_000);
}

describe('an order with our mark that a damaged journal has lost and the exchange no longer knows', () => {
  it('counts for as long as it may live, and does not block a stop afterwards', async () => {
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

  it('is given up during the stop when its time is over by then', async () => {
    const [desk] = await deskWithUnknown(MARKED);
    await desk.advance(70_000);
    const drained = desk.manager.drain(20_000);
    await desk.advance(20_000);
    const { clean, tookMs } = await drained;
    expect(clean).toBe(true);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('gets no further close', async () => {
    const [desk] = await deskWithUnknown(MARKED);
    desk.manager.stopQuoting('killed');
    await desk.advance(80_000);
    const calls = desk.venue.calls.filter(({ method }) => isClose(method)).length;
    await desk.advance(30_000);
    expect(desk.venue.calls.filter(({ method }) => isClose(method))).toHaveLength(calls);
  });
});

describe('an order of another user that the exchange no longer knows', () => {
  const foreign = (desk: TestDesk): number => desk.manager.status().foreign.length;

  /** Counts the lookups of single orders. */
  const timesAsked = ({ venue }: TestDesk): number =>
    venue.calls.filter(({ method }) => method === 'order').length;

  it('is looked up every ten seconds once its time is over, and stops counting after the third answer', async () => {
    const [desk] = await deskWithUnknown(null);
    await desk.advance(59_000);
    expect([timesAsked(desk), foreign(desk)]).toEqual([0, 1]);
    for (const times of [1, 2]) {
      await desk.advance(times === 1 ? 5_000 : 10_000);
      expect([timesAsked(desk), foreign(desk)]).toEqual([times, 1]);
    }
    await desk.advance(10_000);
    expect([timesAsked(desk), foreign(desk)]).toEqual([3, 0]);
    await desk.advance(60_000);
    expect(timesAsked(desk)).toBe(3);
  });

  it('is looked up as slowly while it is open or lookups fail, and not once it is over', async () => {
    const [desk, orderId] = await deskWithUnknown(null);
    const [order] = desk.manager.status().foreign as [VenueOrder];
    let asked = 0;
    desk.venue.order = () => (asked++ % 2 === 0 ? reset() : Promise.resolve(order));
    await desk.advance(62_000 + 600_000);
    expect(asked).toBeGreaterThanOrEqual(60);
    expect(asked).toBeLessThanOrEqual(62);
    desk.venue.order = () => Promise.resolve({ ...order, closed: true, status: 'failed' });
    await desk.advance(11_000);
    expect([foreign(desk), desk.foreign.at(-1)?.orderId]).toEqual([0, orderId]);
  });

  it('shares the lookups with the others and with ours, two a second', async () => {
    const desk = new TestDesk();
    for (let n = 0; n < 50; n++) desk.venue.placeByHand({ ...BY_HAND, durationS: LIFE_S });
    desk.venue.endsNothing = true;
    await desk.startQuoting(quote());
    await desk.advance(90_000);
    const before = timesAsked(desk);
    await desk.advance(60_000);
    expect(timesAsked(desk) - before).toBeLessThanOrEqual(125);
    expect(timesAsked(desk) - before).toBeGreaterThanOrEqual(100);
  });

  it('stops counting once the exchange did not know it three times after its time', async () => {
    const [desk] = await deskWithUnknown(null);
    for (let times = 0; times < 5; times++) await resync(desk);
    failTillResync(desk);
    await desk.advance(70_000);
    for (const left of [1, 1, 0]) {
      await resync(desk);
      expect(foreign(desk)).toBe(left);
    }
  });

  it('counts again when the exchange shows it again', async () => {
    const [desk, orderId] = await deskWithUnknown(null);
    failTillResync(desk);
    await desk.advance(70_000);
    const [order] = desk.manager.status().foreign as [VenueOrder];
    for (let times = 0; times < 3; times++) await resync(desk);
    expect(foreign(desk)).toBe(0);
    desk.venue.emit({ tag: 'order', order });
    await desk.advance(100);
    expect(desk.manager.status().foreign.map((shown) => shown.orderId)).toEqual([orderId]);
  });

  it('counts for good when its duration is unknown', async () => {
    const [desk] = await deskWithUnknown(null);
    await resync(desk);
    const [order] = desk.manager.status().foreign as [VenueOrder];
    desk.venue.emit({ tag: 'order', order: { ...order, expiryTimeMs: null } });
    await desk.advance(200_000);
    for (let times = 0; times < 5; times++) await resync(desk);
    expect(foreign(desk)).toBe(1);
  });

  it('is given up after exactly three not-found answers in a row, not counting failed requests', async () => {
    const answers = fc.array(fc.constantFrom('not found' as const, 'failed' as const, 'open' as const), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(answers, async (words) => {
        const [desk, orderId] = await deskWithUnknown(null);
        const [order] = desk.manager.status().foreign as [VenueOrder];
        failTillResync(desk);
        await desk.advance(70_000);
        let inARow = 0;
        for (const word of words) {
          await resync(desk, () =>
            word === 'open' ? Promise.resolve(order) : word === 'failed' ? reset() : notFound(),
          );
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
