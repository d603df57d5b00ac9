import { OrderBook, type TrackedOrder } from '../../../src/account/orders.ts';
import { orderId, requestUuid } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { liveOrder } from '../../support/orders.ts';

export const uuid = (at: number) => requestUuid(`00000000-0000-4000-8000-${String(at).padStart(12, '0')}`);

export const tracked = (at: number, over: Partial<LiveOrder> = {}): TrackedOrder =>
  ({
    owner: 'own',
    closedMs: null,
    order: { ...liveOrder(), requestUuid: uuid(at), orderId: orderId(at), ...over },
  }) as TrackedOrder;

export const MOST_WAITING = 3;

export function rig() {
  const changes: string[] = [];
  const alarms: string[] = [];
  const clock = {
    nowMs: 1_000,
    monotonicMs: () => clock.nowMs,
  };
  const book = new OrderBook(
    clock,
    ({ order }, before, source) =>
      void changes.push(`${before?.state ?? 'new'} ${order.state} ${order.filledMicros} ${source}`),
    (_, event) => void alarms.push(event),
    MOST_WAITING,
  );
  return { book, changes, alarms, clock };
}

export const shown = (at: number, over: Partial<VenueOrder> = {}): VenueOrder =>
  ({
    orderId: orderId(at),
    orderType: 'normal',
    closed: false,
    bets: [],
    placementTimeMs: 50,
    expiryTimeMs: 650,
    ...over,
  }) as object as VenueOrder;

/** A book with the order 1 of another, shown open. */
export function foreignRig() {
  const given = rig();
  const { book } = given;
  const foreign = book.meet(shown(1));
  const show = (over: Partial<VenueOrder> = {}, askedMs = -Infinity) => {
    const event = book.show(foreign, shown(1, over), askedMs);
    return [event, book.foreignShown().length];
  };
  show();
  return { ...given, foreign, show };
}
