import { expect } from 'vitest';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import type { TestDesk } from '../../support/order-desk.ts';

/** The only open order on the exchange. */
export function onlyOpen(desk: TestDesk): VenueOrder {
  const open = desk.venue.open();
  expect(open).toHaveLength(1);
  return open[0]!.view;
}
