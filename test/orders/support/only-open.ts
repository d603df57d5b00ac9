import { expect } from 'vitest';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import type { OrderManagerRig } from '../../support/order-manager-rig.ts';

/** The only open order on the exchange. */
export function onlyOpen(rig: OrderManagerRig): VenueOrder {
  const open = rig.venue.open();
  expect(open).toHaveLength(1);
  return open[0]!.view;
}
