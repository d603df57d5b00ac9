import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { BY_HAND, OrderManagerRig } from '../../support/order-manager-rig.ts';

const DAY_S = 86_400;
const STAKE = BY_HAND.stakeMicros;
/** How an open manual order is reported. */
const SHOWN = { betType: BY_HAND.betType, source: 'listing' };

/** An order that was filled `agoS` before the first start. */
async function filledBefore(
  rig: OrderManagerRig,
  agoS: number,
  userData: string | null = null,
): Promise<VenueOrder> {
  const place = userData === null ? BY_HAND : { ...BY_HAND, userData };
  const { orderId } = rig.venue.placeByHand(place);
  rig.venue.fill(orderId, STAKE);
  await rig.advance(agoS * 1_000);
  return rig.venue.held.get(orderId)!.view;
}

/** Changes the exchange’s order from now on, without a stream message. */
function now(rig: OrderManagerRig, { orderId }: VenueOrder, change: Partial<VenueOrder>): void {
  const held = rig.venue.held.get(orderId)!;
  held.view = { ...held.view, ...change };
}

/** Counts requests for filled orders from now on, and calls back before each answer. */
function countListings(
  { venue }: OrderManagerRig,
  onEach: (count: number) => void = () => undefined,
): () => number {
  const list = venue.orders.bind(venue);
  let count = 0;
  venue.orders = (query, options) => {
    if (query.statuses?.includes('done') === true) onEach(++count);
    return list(query, options);
  };
  return () => count;
}

const stakes = ({ fills }: OrderManagerRig): readonly number[] => fills.map(({ stakeMicros }) => stakeMicros);

describe('a run that begins a journal', () => {
  it.each([2 * 3_600, 90 * DAY_S])('finds a bet that was matched %d s before', async (agoS) => {
    const rig = new OrderManagerRig();
    const { orderId } = await filledBefore(rig, agoS);
    await rig.start();
    expect(rig.fills).toMatchObject([{ orderId, requestUuid: null, stakeMicros: STAKE }]);
    expect(rig.foreign.map((order) => order.orderId)).toEqual([orderId]);
    await rig.restart();
    expect(rig.fills).toEqual(rig.rememberedFills);
    expect(stakes(rig)).toEqual([STAKE]);
  });

  it('finds it also where the exchange refuses the filter by time', async () => {
    const rig = new OrderManagerRig();
    const { orderId } = await filledBefore(rig, 2 * 3_600);
    const list = rig.venue.orders.bind(rig.venue);
    rig.venue.orders = (query, options) =>
      query.fromMs === undefined
        ? list(query, options)
        : Promise.reject(new VenueRejection('validation_error', 400, 'date_from: not a date'));
    await rig.start();
    expect(rig.fills).toMatchObject([{ orderId, stakeMicros: STAKE }]);
  });

  it('reads them once, and the next run does not', async () => {
    const rig = new OrderManagerRig();
    const listings = countListings(rig);
    await rig.start();
    expect(listings()).toBe(1);
    await rig.restart();
    expect(listings()).toBe(1);
  });

  it.each([
    ['settled', { status: 'reconciled', profitLossMicros: 2e6 }],
    ['paid', { profitLossMicros: 2e6, result: { halfTime: null, fullTime: [1, 0] as const } }],
  ])('books no bet that was %s before', async (_, change) => {
    const rig = new OrderManagerRig();
    const order = await filledBefore(rig, 2 * 3_600);
    const bets = order.bets.map((bet) => ({ ...bet, reconciled: true, profitLossMicros: 2e6 }));
    now(rig, order, { ...change, bets });
    await rig.start();
    expect([rig.fills, rig.foreign]).toEqual([[], []]);
  });

  it('reports all of them in one line, and how many have our mark though no journal holds them', async () => {
    const rig = new OrderManagerRig();
    for (const userData of [null, 'touchline/1/another', null]) await filledBefore(rig, 600, userData);
    await rig.start();
    expect(stakes(rig)).toEqual([STAKE, STAKE, STAKE]);
    expect(rig.warnings).toEqual(['bets from before the journal are at stake']);
    expect(rig.warned).toEqual([{ orders: 3, withOurMark: 1, stakeMicros: 3 * STAKE }]);
  });

  it('reports nothing where there are none', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    expect(rig.warnings).toEqual([]);
  });

  it('keeps reporting each that is open', async () => {
    const rig = new OrderManagerRig();
    const { orderId } = rig.venue.placeByHand(BY_HAND);
    await rig.start();
    expect([rig.warnings, rig.warned]).toEqual([['an order that is not ours'], [{ ...SHOWN, orderId }]]);
  });

  it('dates a bet by its order’s placement, in later runs, too', async () => {
    const rig = new OrderManagerRig();
    const { placementTimeMs } = await filledBefore(rig, 2 * 3_600);
    await rig.start();
    expect(rig.fills).toMatchObject([{ atMs: placementTimeMs }]);
    await rig.restart();
    expect(rig.rememberedFills).toMatchObject([{ atMs: placementTimeMs }]);
  });

  it.each([
    ['is not reported', () => null],
    ['is later than our clock shows', ({ clock }: OrderManagerRig) => clock.wallMs() + 60_000],
  ])('dates a bet by the present where the placement %s', async (_, placement) => {
    const rig = new OrderManagerRig();
    const order = await filledBefore(rig, 7_200);
    const list = rig.venue.orders.bind(rig.venue);
    rig.venue.orders = async (query, options) => {
      const page = await list(query, options);
      return { ...page, orders: page.orders.map((each) => ({ ...each, placementTimeMs: placement(rig) })) };
    };
    const startMs = rig.clock.wallMs();
    await rig.start();
    expect(rig.fills.map(({ orderId }) => orderId)).toEqual([order.orderId]);
    expect(rig.fills[0]?.atMs).toBeGreaterThanOrEqual(startMs);
    expect(rig.fills[0]?.atMs).toBeLessThanOrEqual(rig.clock.wallMs());
  });

  it.each(['orders', 'orderUpdates'] as const)('reads again when %s could not be read', async (method) => {
    const rig = new OrderManagerRig();
    await filledBefore(rig, 2 * 3_600);
    const listings = countListings(rig);
    rig.venue.fault = (called) => (called === method ? { kind: 'not-sent' } : null);
    const failed = expect(rig.manager.start()).rejects.toThrow('refused');
    await rig.advance(500);
    await failed;
    rig.venue.fault = () => null;
    await rig.restart();
    expect(stakes(rig)).toEqual([STAKE]);
    expect(listings()).toBe(2);
  });

  it('misses none where the exchange lists fewer at once than requested', async () => {
    const rig = new OrderManagerRig();
    for (let at = 0; at < 60; at++) await filledBefore(rig, 0);
    await rig.advance(2 * 3_600_000);
    const list = rig.venue.orders.bind(rig.venue);
    rig.venue.orders = (query, options) => list({ ...query, pageSize: 25 }, options);
    await rig.start();
    expect(new Set(rig.fills.map(({ orderId }) => orderId)).size).toBe(60);
  });

  it('misses none when one is settled between two pages', async () => {
    const rig = new OrderManagerRig();
    const orders: VenueOrder[] = [];
    for (let at = 0; at < 1_001; at++) orders.push(await filledBefore(rig, 0));
    await rig.advance(2 * 3_600_000);
    countListings(rig, (count) => {
      if (count === 2) now(rig, orders.at(-1)!, { status: 'reconciled' });
    });
    await rig.start();
    expect(new Set(rig.fills.map(({ orderId }) => orderId)).size).toBe(orders.length);
  });

  it('finds every bet at stake, among any number of other orders', async () => {
    const orders = fc.array(
      fc.record({ agoS: fc.integer({ min: 0, max: 3 * DAY_S }), isSettled: fc.boolean() }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(orders, async (had) => {
        const rig = new OrderManagerRig();
        const atStake: number[] = [];
        for (const { agoS, isSettled } of had) {
          const order = await filledBefore(rig, agoS);
          if (isSettled) now(rig, order, { status: 'reconciled', profitLossMicros: 0 });
          else atStake.push(order.orderId);
        }
        await rig.advance(70_000);
        await rig.start();
        const booked = rig.fills.map(({ orderId }) => orderId);
        expect(booked).toEqual(expect.arrayContaining(atStake));
        expect(new Set(booked).size).toBe(booked.length);
        await rig.restart();
        expect(rig.fills.map(({ orderId }) => orderId)).toEqual(booked);
      }),
      { numRuns: 20 },
    );
  });
});
