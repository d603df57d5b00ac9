import { seldom } from '../lib/line-limit.ts';
import { type Clock, repeat } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { HttpTransport } from '../ports/transport.ts';
import { deliveryOf } from './channel.ts';
import { ATTEMPT_TIMEOUT_MS, failedAttempt } from './channels/webhook.ts';

export interface DeadManParts {
  readonly http: HttpTransport;
  /** Path and query of the address. */
  readonly path: string;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the daemon works. */
  readonly isHealthy: () => boolean;
}

/**
 * Asks the address at each interval while the daemon is healthy. A service outside calls people when the requests stay away, because a
 * dead process cannot notify. Returns a function that ends it.
 */
export function startDeadMan({
  http,
  path,
  intervalMs,
  clock,
  logger,
  isHealthy,
}: DeadManParts): () => Promise<void> {
  const isDue = seldom(clock);
  let isAsking = false;
  const ping = async (): Promise<void> => {
    if (isAsking || !isHealthy()) return;
    isAsking = true;
    const request = { method: 'GET', path, headers: {}, body: null, timeoutMs: ATTEMPT_TIMEOUT_MS } as const;
    const delivery = await http.send(request).then(deliveryOf, failedAttempt);
    isAsking = false;
    if (delivery.kind !== 'sent' && isDue('ping'))
      logger.warn('the dead-man ping failed', { reason: delivery.why });
  };
  const stop = repeat(clock, intervalMs, () => void ping());
  return () => {
    stop();
    return http.close();
  };
}
