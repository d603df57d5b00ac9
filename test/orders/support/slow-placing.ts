import { sleep } from '../../../src/ports/clock.ts';
import type { OrderManagerRig } from '../../support/order-manager-rig.ts';

/** Holds each create in flight, numbered from 0. Returns the number requested so far. */
export function slowPlacing(
  rig: OrderManagerRig,
  msOf: (request: number) => number,
): { readonly requests: number } {
  const place = rig.venue.placeOrder.bind(rig.venue);
  const asked = { requests: 0 };
  rig.venue.placeOrder = async (order, options) => {
    const ms = msOf(asked.requests++);
    if (ms > 0) await sleep(rig.clock, ms);
    return place(order, options);
  };
  return asked;
}
