import type { OrderId } from '../../domain/ids.ts';
import type { OrderContext } from './context.ts';

/** So long after its end must an order have been told as over; milliseconds. */
export const OVERDUE_MS = 2_000;
/** So often in a row must an order that is overdue not be known before it is given up. */
export const GIVEN_UP_AFTER = 3;

/** An order that the exchange has shown open, and does not know any more, counts as over from now on. */
export function reportGivenUp({ metrics, log }: Pick<OrderContext, 'metrics' | 'log'>, orderId: OrderId | null): void {
  metrics.alarms.inc({ kind: 'forgotten' });
  log.error('the exchange does not know an order any more that it had shown', { orderId });
}
