import type { Heartbeat } from '../domain/orders.ts';
import type { Priority } from '../ports/venue.ts';
import type { Desk } from './desk.ts';

/** Asks for the heartbeats of the account; `told` gets null when they could not be listed, of which the log tells. */
export function listHeartbeats(
  desk: Desk,
  priority: Priority,
  told: (listed: readonly Heartbeat[] | null) => void,
): void {
  desk.queue.call(
    () => desk.deps.venue.heartbeats({ priority }),
    told,
    (error) => {
      desk.log.warn('heartbeats could not be listed', { error });
      told(null);
    },
  );
}
