import { expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const reset = () => new TransportError('unknown', 'reset');
const notFound = () => new VenueRejection('not_found', 404, 'no such order');

/** Counts the not-found answers until an expired order is given up. Earlier lookups fail as given. */
async function unknownTimes(failures: readonly (() => Error)[]): Promise<number> {
  const rig = new OrderManagerRig({ options: { durationS: 30 } });
  await rig.startQuoting(quote());
  const held = rig.venue.open()[0] as HeldByVenue;
  // Half-open: the order is filled, and the stream does not report it.
  rig.venue.signal = () => undefined;
  rig.venue.fill(held.view.orderId as OrderId, held.view.wantStakeMicros);
  rig.venue.orderUpdates = () => Promise.reject(reset());
  const coming = [...failures];
  let times = 0;
  rig.venue.order = () => {
    const error = (coming.shift() ?? notFound)();
    if (error instanceof VenueRejection) times++;
    return Promise.reject(error);
  };
  const isOver = () => rig.orderEvents.at(-1)?.state === 'closed';
  for (let ms = 0; ms < 120_000 && !isOver(); ms += 100) await rig.advance(100);
  expect(isOver()).toBe(true);
  return times;
}

it.each([
  ['at once', []],
  ['after failed lookups', [reset, reset, reset, reset]],
])('gives an order up only after three not-found answers in a row, %s', async (_, failures) => {
  expect(await unknownTimes(failures)).toBe(3);
});
