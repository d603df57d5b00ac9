import { expect, it } from 'vitest';
import { VenueRejection } from '../../src/domain/errors.ts';
import { quote, OrderManagerRig } from '../support/order-manager-rig.ts';

it('stops for good when a retry is refused because of the key', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  const error = new VenueRejection('auth_error', 401, 'refused');
  let sent = 0;
  rig.venue.fault = (method) => {
    if (method !== 'placeOrder') return null;
    return sent++ === 0 ? { kind: 'lost' } : { kind: 'reject', error };
  };
  rig.desire(quote());
  await rig.advance(30_000);
  expect(sent).toBe(2);
  expect(rig.manager.status().latched).toBe('the exchange refuses our key: auth_error');
});
