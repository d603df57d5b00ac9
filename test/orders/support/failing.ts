import type { Fault, VenueMethod } from '../../support/faulty-calls.ts';
import type { OrderManagerRig } from '../../support/order-manager-rig.ts';

/** Fails the next `times` calls of `method`, then lets it work. */
export function failing(rig: OrderManagerRig, method: VenueMethod, times: number, fault: Fault): void {
  let left = times;
  rig.venue.fault = (called) => (called === method && left-- > 0 ? fault : null);
}
