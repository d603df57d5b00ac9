import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import { OrderManagerRig, quote } from '../../support/order-manager-rig.ts';

it.each([
  [
    'insufficient_balance',
    { validation: { non_field_errors: ['insufficient_balance'] } },
    'insufficient_balance',
  ],
  ['several reasons', { validation: { price: ['odd', 'late'], stake: ['much'] } }, 'odd, late, much'],
  ['no reason but its code', {}, 'validation_error'],
  ['a long reason', { validation: { price: ['r'.repeat(300)] } }, 'r'.repeat(200)],
])('an order that is refused names why, as the exchange said it: %s', async (_, facts, why) => {
  const rig = new OrderManagerRig();
  const error = new VenueRejection('validation_error', 400, 'refused', facts);
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'reject', error } : null);
  await rig.startQuoting(quote());
  const refused = rig.orderEvents.filter(({ state }) => state === 'refused');
  expect(refused.map(({ closeReason }) => closeReason)).toContain(why);
});

it('an order of unknown outcome has no reason', async () => {
  const rig = new OrderManagerRig();
  const error = new VenueRejection('server_error', 500, 'broken');
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'reject', error } : null);
  await rig.startQuoting(quote());
  expect(rig.orderEvents.at(-1)).toMatchObject({ state: 'unknown', closeReason: null });
});
