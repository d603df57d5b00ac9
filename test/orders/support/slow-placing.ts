import { sleep } from '../../../src/ports/clock.ts';
import type { TestDesk } from '../../support/order-desk.ts';

/** Holds creates back on their way, each by its number, from 0; tells how many were asked for so far. */
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
