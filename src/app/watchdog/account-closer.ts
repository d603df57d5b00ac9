import { isNotFound } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { InstallationId } from '../../domain/installation.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ExchangeClient, RequestPattern } from '../exchange/connect.ts';
import { closeOurOrders } from '../operate/close-orders.ts';
import type { ClosingExchange } from './close-until-landed.ts';

/** The only requests that the watchdog may send. */
export const WATCHDOG_REQUESTS: readonly RequestPattern[] = [
  'GET /v2/orders/',
  'POST /v2/orders/close_many/',
  'POST /v2/orders/{order_id}/close/',
  'POST /v2/heartbeats/{heartbeat_id}/refresh/',
  'DELETE /v2/heartbeats/{heartbeat_id}/',
];

/**
 * The watchdog's requests on the account. Only orders with the mark of the installation are closed. `heartbeatId` is our heartbeat;
 * null if this run has none. Failures are logged and asked again in the next round.
 */
export function accountCloser(
  exchange: ExchangeClient,
  installation: InstallationId,
  heartbeatId: HeartbeatId | null,
  clock: Clock,
  logger: Logger,
): ClosingExchange {
  const onHeartbeat = async (what: string, ask: (id: HeartbeatId) => Promise<unknown>): Promise<boolean> => {
    if (heartbeatId === null) return false;
    try {
      await ask(heartbeatId);
      return true;
    } catch (error) {
      logger.warn(`the heartbeat could not be ${what}`, { error });
      return isNotFound(error);
    }
  };
  return {
    closeOurs: async () => {
      try {
        const results = await closeOurOrders(exchange, { installation, clock });
        const closed = results.filter(({ result }) => result === 'closed').length;
        if (closed > 0) logger.warn('closed orders', { orders: closed });
        if (results.some(({ result }) => result === 'not known')) return null;
        return results.filter(({ result }) => result === 'still open').length;
      } catch (error) {
        logger.warn('the open orders could not be closed', { error });
        return null;
      }
    },
    refreshHeartbeat: () => onHeartbeat('refreshed', (id) => exchange.heartbeats.refresh(id)),
    deleteHeartbeat: () => onHeartbeat('deleted', (id) => exchange.heartbeats.delete(id)),
  };
}
