/** Filters of lists and positions. Everything passes an absent filter. */
import type { OrderRecord } from './model.ts';
import type { OrderFilters } from './schemas.ts';

export const isAmong = <T>(value: T, wanted: readonly T[] | undefined): boolean =>
  wanted === undefined || wanted.includes(value);

/** Both bounds are included; everything passes an absent bound. */
export const isWithin = (value: number, from = -Infinity, to = Infinity): boolean =>
  value >= from && value <= to;

/** Whether an order passes the filters of the order list (and of positions). */
export function orderMatches(order: OrderRecord, filters: OrderFilters): boolean {
  return (
    isAmong(order.status, filters.status) &&
    isAmong(order.sport, filters.sport) &&
    isAmong(order.eventId, filters.event_id) &&
    isAmong(order.orderType, filters.order_type) &&
    isWithin(order.placedMs, filters.date_from, filters.date_to) &&
    mentions(order, filters.search)
  );
}

/** Searches, ignoring case: names of events and competitions, the description, the caller's `user_data`, the order id. */
function mentions(order: OrderRecord, search: string | undefined): boolean {
  if (search === undefined || search === '') return true;
  const names = order.events.flatMap(({ info }) => [
    info.eventName,
    info.competitionName,
    info.home,
    info.away,
  ]);
  const texts = [...names, order.description, order.terms.userData ?? '', String(order.orderId)];
  return texts.join('\n').toLowerCase().includes(search.toLowerCase());
}
