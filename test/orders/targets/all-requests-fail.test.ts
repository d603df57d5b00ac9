import { expect, it } from 'vitest';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { isClose, type VenueMethod } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

const ORDERS = 40;
const MINUTE_MS = 60_000;
/** Half of the account’s sustained requests in a minute. */
const HALF_A_MINUTE = 600;
const ABOUT_ORDERS: readonly VenueMethod[] = ['closeOrder', 'closeMany', 'order', 'trackedOrder'];

const quotesAt = (tick: number) =>
  Array.from({ length: ORDERS }, (_, level) => quote({ level, tick: tick + level }));

it.each([600, 60])(
  'leaves half of the budget to others while all requests about orders of %i s fail',
  async (durationS) => {
    const prices = (): PriceList => packLevels([{ price: 2, minMicros: null, maxMicros: 500_000_000 }]);
    const desk = new TestDesk({
      options: { durationS },
      market: () => ({ for: prices(), against: prices() }),
      venue: { quote: prices },
    });
    await desk.startQuoting(...quotesAt(110));
    expect(desk.venue.open()).toHaveLength(ORDERS);
    desk.venue.endsNothing = true;
    desk.venue.fault = (method) =>
      method === 'placeOrder' || ABOUT_ORDERS.includes(method) ? { kind: 'lost' } : null;
    desk.desire(...quotesAt(160));
    await desk.advance(2 * MINUTE_MS);
    expect(new Set(desk.states())).toEqual(new Set(['closing', 'unknown']));
    const sinceMs = desk.clock.monotonicMs();
    await desk.advance(MINUTE_MS);
    const asked = desk.venue.calls.filter(
      ({ method, atMs }) => ABOUT_ORDERS.includes(method) && atMs >= sinceMs,
    );
    expect(asked.length).toBeLessThanOrEqual(HALF_A_MINUTE);
  },
);

it('leaves half of the requests to others while orders that a damaged journal has lost fail to close', async () => {
  const desk = new TestDesk();
  desk.loseJournal();
  for (let at = 0; at < ORDERS; at++)
    desk.venue.placeByHand({ ...BY_HAND, durationS: 600, userData: markedBy(OWN, '7', `lost-${at}`) });
  desk.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  await desk.start();
  desk.venue.fault = (method) => (ABOUT_ORDERS.includes(method) ? { kind: 'lost' } : null);
  await desk.advance(MINUTE_MS);
  const sinceMs = desk.clock.monotonicMs();
  await desk.advance(MINUTE_MS);
  const asked = desk.venue.calls.filter(
    ({ method, atMs }) => ABOUT_ORDERS.includes(method) && atMs >= sinceMs,
  );
  expect(asked.length).toBeGreaterThan(HALF_A_MINUTE / 10);
  expect(asked.length).toBeLessThanOrEqual(HALF_A_MINUTE);
});
