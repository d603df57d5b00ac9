import type { Fault, VenueMethod } from '../../support/faulty-calls.ts';
import type { TestDesk } from '../../support/order-desk.ts';

/** Fails the next `times` calls of `method`, then lets it work. */
export function failing(desk: TestDesk, method: VenueMethod, times: number, fault: Fault): void {
  let left = times;
  desk.venue.fault = (called) => (called === method && left-- > 0 ? fault : null);
}
