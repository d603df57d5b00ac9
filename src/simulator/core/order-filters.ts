import type { OrderRecord } from './model.ts';
import type { OrderFilters } from './schemas.ts';

/** Whether an order passes the filters of the order list (and of positions). */
export function orderMatches(order: OrderRecord, filters: OrderFilters): boolean {
  const { date_from: fromMs, date_to: toMs } = filters;
  return (
    isAmong(order.status, filters.status) &&
    isAmong(order.event.info.sport, filters.sport) &&
    isAmong(order.event.info.eventId, filters.event_id) &&
    isAmong(order.orderType, filters.order_type) &&
    (fromMs === undefined || order.placedMs >= fromMs) &&
    (toMs === undefined || order.placedMs <= toMs) &&
    mentions(order, filters.search)
  );
}

const isAmong = (value: string, wanted: readonly string[] | undefined): boolean =>
  wanted === undefined || wanted.includes(value);

/** Free text: names of event and competition, the selection in words, the caller's tag, the id. */
function mentions(order: OrderRecord, search: string | undefined): boolean {
  if (search === undefined || search === '') return true;
  const { eventName, competitionName, home, away } = order.event.info;
  const texts = [eventName, competitionName, home, away, order.description, order.terms.userData ?? ''];
  return [...texts, String(order.orderId)].join('\n').toLowerCase().includes(search.toLowerCase());
}
