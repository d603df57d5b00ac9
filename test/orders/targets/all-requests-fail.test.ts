import { expect, it } from 'vitest';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { isClose, type VenueMethod } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

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
    const rig = new OrderManagerRig({
      options: { durationS },
      market: () => ({ for: prices(), against: prices() }),
      venue: { quote: prices },
    });
    await rig.startQuoting(...quotesAt(110));
    expect(rig.venue.open()).toHaveLength(ORDERS);
    rig.venue.endsNothing = true;
    rig.venue.fault = (method) =>
      method === 'placeOrder' || ABOUT_ORDERS.includes(method) ? { kind: 'lost' } : null;
    rig.desire(...quotesAt(160));
    await rig.advance(2 * MINUTE_MS);
    expect(new Set(rig.states())).toEqual(new Set(['closing', 'unknown']));
    const sinceMs = rig.clock.monotonicMs();
    await rig.advance(MINUTE_MS);
    const asked = rig.venue.calls.filter(
      ({ method, atMs }) => ABOUT_ORDERS.includes(method) && atMs >= sinceMs,
    );
    expect(asked.length).toBeLessThanOrEqual(HALF_A_MINUTE);
  },
);

it('leaves half of the requests to others while orders that a damaged journal has lost fail to close', async () => {
  const rig = new OrderManagerRig();
  rig.loseJournal();
  for (let at = 0; at < ORDERS; at++)
    rig.venue.placeByHand({ ...BY_HAND, durationS: 600, userData: markedBy(OWN, '7', `lost-${at}`) });
  rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  await rig.start();
  rig.venue.fault = (method) => (ABOUT_ORDERS.includes(method) ? { kind: 'lost' } : null);
  await rig.advance(MINUTE_MS);
  const sinceMs = rig.clock.monotonicMs();
  await rig.advance(MINUTE_MS);
  const asked = rig.venue.calls.filter(
    ({ method, atMs }) => ABOUT_ORDERS.includes(method) && atMs >= sinceMs,
  );
  expect(asked.length).toBeGreaterThan(HALF_A_MINUTE / 10);
  expect(asked.length).toBeLessThanOrEqual(HALF_A_MINUTE);
});
