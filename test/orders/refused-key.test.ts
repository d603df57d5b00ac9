import { expect, it } from 'vitest';
import { VenueRejection } from '../../src/domain/errors.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

it('stops for good when a retry is refused because of the key', async () => {
  const desk = new TestDesk();
  await desk.start();
  const error = new VenueRejection('auth_error', 401, 'refused');
  let sent = 0;
  desk.venue.fault = (method) => {
    if (method !== 'placeOrder') return null;
    return sent++ === 0 ? { kind: 'lost' } : { kind: 'reject', error };
  };
  desk.desire(quote());
  await desk.advance(30_000);
  expect(sent).toBe(2);
  expect(desk.manager.status().latched).toBe('the exchange refuses our key: auth_error');
});
