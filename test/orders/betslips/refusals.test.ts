import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { VenueMethod } from '../../support/faulty-calls.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** Counts the betslips that are open on the exchange. */
const kept = (desk: TestDesk): number =>
  [...desk.venue.betslips.values()].filter(({ expiryMs }) => expiryMs > desk.clock.wallMs()).length;

/** Counts the calls of a method. */
const asked = (desk: TestDesk, method: VenueMethod): number =>
  desk.venue.calls.filter((call) => call.method === method).length;

/** Refuses the next calls of `method`. */
function refuse(desk: TestDesk, method: VenueMethod, times: number, status = 400): void {
  const error = new VenueRejection('validation_error', status, 'refused', {
    validation: { betslip_id: ['not_usable'] },
  });
  let left = times;
  desk.venue.fault = (called) => (called === method && left-- > 0 ? { kind: 'reject', error } : null);
}

it('leaves no betslip on the exchange after its refresh was refused', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  refuse(desk, 'refreshBetslip', 1);
  while (asked(desk, 'refreshBetslip') === 0) await desk.advance(50);
  await desk.advance(200);
  expect(kept(desk)).toBe(desk.manager.status().betslipsOpen);
});

it('leaves no betslip on the exchange after an order on it was refused', async () => {
  const desk = new TestDesk();
  await desk.start();
  refuse(desk, 'placeOrder', 1);
  desk.desire(quote());
  await desk.advance(5_000);
  expect(desk.venue.open()).toHaveLength(1);
  expect(kept(desk)).toBe(1);
});

it.each<{ readonly method: VenueMethod; readonly status: number }>([
  { method: 'refreshBetslip', status: 500 },
  { method: 'deleteBetslip', status: 403 },
])('does not rush retries of $method when it fails', async ({ method, status }) => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  refuse(desk, method, Infinity, status);
  if (method === 'deleteBetslip') desk.desire();
  while (asked(desk, method) === 0) await desk.advance(50);
  await desk.advance(5_000);
  expect(asked(desk, method)).toBeLessThan(8);
});

it('keeps a betslip whose quotes are unusable for a moment', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  await desk.advance(15_000);
  const [slip] = [...desk.venue.betslips.values()];
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
  desk.venue.emit({ tag: 'pmm', quote: unusable as never });
  await desk.advance(3_000);
  desk.desire(quote({ tick: 120 }));
  await desk.advance(2_000);
  expect(asked(desk, 'createBetslip')).toBe(1);
  expect(desk.venue.open()).toHaveLength(1);
  expect(asked(desk, 'placeOrder')).toBe(2);
});
