import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { BY_HAND, TestDesk } from '../../support/order-desk.ts';

const DAY_S = 86_400;
const STAKE = BY_HAND.stakeMicros;
/** How an open manual order is reported. */
const SHOWN = { betType: BY_HAND.betType, source: 'listing' };

/** An order that was filled `agoS` before the first start. */
async function filledBefore(
  desk: TestDesk,
  agoS: number,
  userData: string | null = null,
): Promise<VenueOrder> {
  const place = userData === null ? BY_HAND : { ...BY_HAND, userData };
  const { orderId } = desk.venue.placeByHand(place);
  desk.venue.fill(orderId, STAKE);
  await desk.advance(agoS * 1_000);
  return desk.venue.held.get(orderId)!.view;
}

/** Changes the exchange’s order from now on, without a stream message. */
function now(desk: TestDesk, { orderId }: VenueOrder, change: Partial<VenueOrder>): void {
  const held = desk.venue.held.get(orderId)!;
  held.view = { ...held.view, ...change };
}

/** Counts requests for filled orders from now on, and calls back before each answer. */
function countListings({ venue }: TestDesk, onEach: (count: number) => void = () => undefined): () => number {
  const list = venue.orders.bind(venue);
  let count = 0;
  venue.orders = (query, options) => {
    if (query.statuses?.includes('done') === true) onEach(++count);
    return list(query, options);
  };
  return () => count;
}

const stakes = ({ fills }: TestDesk): readonly number[] => fills.map(({ stakeMicros }) => stakeMicros);

describe('a run that begins a journal', () => {
  it.each([2 * 3_600, 90 * DAY_S])('finds a bet that was matched %d s before', async (agoS) => {
    const desk = new TestDesk();
    const { orderId } = await filledBefore(desk, agoS);
    await desk.start();
    expect(desk.fills).toMatchObject([{ orderId, requestUuid: null, stakeMicros: STAKE }]);
    expect(desk.foreign.map((order) => order.orderId)).toEqual([orderId]);
    await desk.restart();
    expect(desk.fills).toEqual(desk.rememberedFills);
    expect(stakes(desk)).toEqual([STAKE]);
  });

  it('finds it also where the exchange refuses the filter by time', async () => {
    const desk = new TestDesk();
    const { orderId } = await filledBefore(desk, 2 * 3_600);
    const list = desk.venue.orders.bind(desk.venue);
    desk.venue.orders = (query, options) =>
      query.fromMs === undefined
        ? list(query, options)
        : Promise.reject(new VenueRejection('validation_error', 400, 'date_from: not a date'));
    await desk.start();
    expect(desk.fills).toMatchObject([{ orderId, stakeMicros: STAKE }]);
  });

  it('reads them once, and the next run does not', async () => {
    const desk = new TestDesk();
    const listings = countListings(desk);
    await desk.start();
    expect(listings()).toBe(1);
    await desk.restart();
    expect(listings()).toBe(1);
  });

  it.each([
    ['settled', { status: 'reconciled', profitLossMicros: 2e6 }],
    ['paid', { profitLossMicros: 2e6, result: { halfTime: null, fullTime: [1, 0] as const } }],
  ])('books no bet that was %s before', async (_, change) => {
    const desk = new TestDesk();
    const order = await filledBefore(desk, 2 * 3_600);
    const bets = order.bets.map((bet) => ({ ...bet, reconciled: true, profitLossMicros: 2e6 }));
    now(desk, order, { ...change, bets });
    await desk.start();
    expect([desk.fills, desk.foreign]).toEqual([[], []]);
  });

  it('reports all of them in one line, and how many have our mark though no journal holds them', async () => {
    const desk = new TestDesk();
    for (const userData of [null, 'touchline/1/another', null]) await filledBefore(desk, 600, userData);
    await desk.start();
    expect(stakes(desk)).toEqual([STAKE, STAKE, STAKE]);
    expect(desk.warnings).toEqual(['bets from before the journal are at stake']);
    expect(desk.warned).toEqual([{ orders: 3, withOurMark: 1, stakeMicros: 3 * STAKE }]);
  });

  it('reports nothing where there are none', async () => {
    const desk = new TestDesk();
    await desk.start();
    expect(desk.warnings).toEqual([]);
  });

  it('keeps reporting each that is open', async () => {
    const desk = new TestDesk();
    const { orderId } = desk.venue.placeByHand(BY_HAND);
    await desk.start();
    expect([desk.warnings, desk.warned]).toEqual([['an order that is not ours'], [{ ...SHOWN, orderId }]]);
  });

  it('dates a bet by its order’s placement, in later runs, too', async () => {
    const desk = new TestDesk();
    const { placementTimeMs } = await filledBefore(desk, 2 * 3_600);
    await desk.start();
    expect(desk.fills).toMatchObject([{ atMs: placementTimeMs }]);
    await desk.restart();
    expect(desk.rememberedFills).toMatchObject([{ atMs: placementTimeMs }]);
  });

  it.each([
    ['is not reported', () => null],
    ['is later than our clock shows', ({ clock }: TestDesk) => clock.wallMs() + 60_000],
  ])('dates a bet by the present where the placement %s', async (_, placement) => {
    const desk = new TestDesk();
    const order = await filledBefore(desk, 7_200);
    const list = desk.venue.orders.bind(desk.venue);
    desk.venue.orders = async (query, options) =>
      (await list(query, options)).map((each) => ({ ...each, placementTimeMs: placement(desk) }));
    const startMs = desk.clock.wallMs();
    await desk.start();
    expect(desk.fills.map(({ orderId }) => orderId)).toEqual([order.orderId]);
    expect(desk.fills[0]?.atMs).toBeGreaterThanOrEqual(startMs);
    expect(desk.fills[0]?.atMs).toBeLessThanOrEqual(desk.clock.wallMs());
  });

  it.each(['orders', 'orderUpdates'] as const)('reads again when %s could not be read', async (method) => {
    const desk = new TestDesk();
    await filledBefore(desk, 2 * 3_600);
    const listings = countListings(desk);
    desk.venue.fault = (called) => (called === method ? { kind: 'not-sent' } : null);
    const failed = expect(desk.manager.start()).rejects.toThrow('refused');
    await desk.advance(500);
    await failed;
    desk.venue.fault = () => null;
    await desk.restart();
    expect(stakes(desk)).toEqual([STAKE]);
    expect(listings()).toBe(2);
  });

  it('misses none where the exchange lists fewer at once than requested', async () => {
    const desk = new TestDesk();
    for (let at = 0; at < 60; at++) await filledBefore(desk, 0);
    await desk.advance(2 * 3_600_000);
    const list = desk.venue.orders.bind(desk.venue);
    desk.venue.orders = (query, options) => list({ ...query, pageSize: 25 }, options);
    await desk.start();
    expect(new Set(desk.fills.map(({ orderId }) => orderId)).size).toBe(60);
  });

  it('misses none when one is settled between two pages', async () => {
    const desk = new TestDesk();
    const orders: VenueOrder[] = [];
    for (let at = 0; at < 1_001; at++) orders.push(await filledBefore(desk, 0));
    await desk.advance(2 * 3_600_000);
    countListings(desk, (count) => {
      if (count === 2) now(desk, orders.at(-1)!, { status: 'reconciled' });
    });
    await desk.start();
    expect(new Set(desk.fills.map(({ orderId }) => orderId)).size).toBe(orders.length);
  });

  it('finds every bet at stake, among any number of other orders', async () => {
    const orders = fc.array(
      fc.record({ agoS: fc.integer({ min: 0, max: 3 * DAY_S }), isSettled: fc.boolean() }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(orders, async (had) => {
        const desk = new TestDesk();
        const atStake: number[] = [];
        for (const { agoS, isSettled } of had) {
          const order = await filledBefore(desk, agoS);
          if (isSettled) now(desk, order, { status: 'reconciled', profitLossMicros: 0 });
          else atStake.push(order.orderId);
        }
        await desk.advance(70_000);
        await desk.start();
        const booked = desk.fills.map(({ orderId }) => orderId);
        expect(booked).toEqual(expect.arrayContaining(atStake));
        expect(new Set(booked).size).toBe(booked.length);
        await desk.restart();
        expect(desk.fills.map(({ orderId }) => orderId)).toEqual(booked);
      }),
      { numRuns: 20 },
    );
  });
});
