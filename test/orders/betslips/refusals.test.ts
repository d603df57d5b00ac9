import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { VenueMethod } from '../../support/faulty-calls.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** Counts the betslips that are open on the exchange. */
const kept = (rig: OrderManagerRig): number =>
  [...rig.venue.betslips.values()].filter(({ expiryMs }) => expiryMs > rig.clock.wallMs()).length;

/** Counts the calls of a method. */
const asked = (rig: OrderManagerRig, method: VenueMethod): number =>
  rig.venue.calls.filter((call) => call.method === method).length;

/** Refuses the next calls of `method`. */
function refuse(rig: OrderManagerRig, method: VenueMethod, times: number, status = 400): void {
  const error = new VenueRejection('validation_error', status, 'refused', {
    validation: { betslip_id: ['not_usable'] },
  });
  let left = times;
  rig.venue.fault = (called) => (called === method && left-- > 0 ? { kind: 'reject', error } : null);
}

it('leaves no betslip on the exchange after its refresh was refused', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  refuse(rig, 'refreshBetslip', 1);
  while (asked(rig, 'refreshBetslip') === 0) await rig.advance(50);
  await rig.advance(200);
  expect(kept(rig)).toBe(rig.manager.status().betslipsOpen);
});

it('leaves no betslip on the exchange after an order on it was refused', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  refuse(rig, 'placeOrder', 1);
  rig.desire(quote());
  await rig.advance(5_000);
  expect(rig.venue.open()).toHaveLength(1);
  expect(kept(rig)).toBe(1);
});

it.each<{ readonly method: VenueMethod; readonly status: number }>([
  { method: 'refreshBetslip', status: 500 },
  { method: 'deleteBetslip', status: 403 },
])('does not rush retries of $method when it fails', async ({ method, status }) => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  refuse(rig, method, Infinity, status);
  if (method === 'deleteBetslip') rig.desire();
  while (asked(rig, method) === 0) await rig.advance(50);
  await rig.advance(5_000);
  expect(asked(rig, method)).toBeLessThan(8);
});

it('keeps a betslip whose quotes are unusable for a moment', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  await rig.advance(15_000);
  const [slip] = [...rig.venue.betslips.values()];
  const { id: betslipId, sport, eventId, betType } = slip as NonNullable<typeof slip>;
  const unusable = {
    betslipId,
    sport,
    eventId,
    betType,
    statusCode: 'suspended',
    priceList: [],
    totalMicros: null,
  };
  rig.venue.emit({ tag: 'pmm', quote: unusable as never });
  await rig.advance(3_000);
  rig.desire(quote({ tick: 120 }));
  await rig.advance(2_000);
  expect(asked(rig, 'createBetslip')).toBe(1);
  expect(rig.venue.open()).toHaveLength(1);
  expect(asked(rig, 'placeOrder')).toBe(2);
});
