import type { Fault, VenueMethod } from '../../support/fated-calls.ts';
import type { TestDesk } from '../../support/order-desk.ts';

/** Lets `method` fail so often, then work. */
export function failing(desk: TestDesk, method: VenueMethod, times: number, fault: Fault): void {
  let left = times;
  desk.venue.fault = (called) => (called === method && left-- > 0 ? fault : null);
}
