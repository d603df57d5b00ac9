import { sleep } from '../../../src/ports/clock.ts';
import type { TestDesk } from '../../support/order-desk.ts';

/** Holds each create in flight, numbered from 0. Returns the number requested so far. */
export function slowPlacing(
  desk: TestDesk,
  msOf: (request: number) => number,
): { readonly requests: number } {
  const place = desk.venue.placeOrder.bind(desk.venue);
  const asked = { requests: 0 };
  desk.venue.placeOrder = async (order, options) => {
    const ms = msOf(asked.requests++);
    if (ms > 0) await sleep(desk.clock, ms);
    return place(order, options);
  };
  return asked;
}
