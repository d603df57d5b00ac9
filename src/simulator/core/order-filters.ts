import { isAmong, isWithin } from './filters.ts';
import type { OrderRecord } from './model.ts';
import type { OrderFilters } from './schemas.ts';

/** Whether an order passes the filters of the order list (and of positions). */
export function orderMatches(order: OrderRecord, filters: OrderFilters): boolean {
  return (
    isAmong(order.status, filters.status) &&
    isAmong(order.event.info.sport, filters.sport) &&
    isAmong(order.event.info.eventId, filters.event_id) &&
    isAmong(order.orderType, filters.order_type) &&
    isWithin(order.placedMs, filters.date_from, filters.date_to) &&
    mentions(order, filters.search)
  );
}

/** Free text: names of event and competition, the selection in words, the caller's tag, the id. */
function mentions(order: OrderRecord, search: string | undefined): boolean {
  if (search === undefined || search === '') return true;
  const { eventName, competitionName, home, away } = order.event.info;
  const texts = [eventName, competitionName, home, away, order.description, order.terms.userData ?? ''];
  return [...texts, String(order.orderId)].join('\n').toLowerCase().includes(search.toLowerCase());
}
