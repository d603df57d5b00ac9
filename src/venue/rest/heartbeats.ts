import { ProtocolError } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import type { CallOptions } from '../../ports/venue.ts';
import { readHeartbeat, readHeartbeats } from '../wire/account.ts';
import { type Reader, readNothing } from '../wire/reader.ts';
import type { RestClient } from './client.ts';
import { pathOf, segment } from './query.ts';

/** The value of calls that keep a heartbeat alive. A close, of however many orders, has less (`orders.ts`). */
const KEEPS_ALIVE = 1_000;

/**
 * The dead-man's timers (specification, Heartbeats). Several can exist, and the expiry of *each* closes every open order
 * of the account. All calls are urgent. Calls that keep a heartbeat alive go before waiting closes: behind hundreds of
 * closes a refresh would come too late.
 */
export class HeartbeatsApi {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** `GET /v2/heartbeats/` */
  list(options?: CallOptions): Promise<readonly Heartbeat[]> {
    return this.#client.call(
      {
        name: 'GET /v2/heartbeats/',
        method: 'GET',
        path: pathOf('heartbeats/'),
        repeat: 'safe',
        priority: 'urgent',
        read: readHeartbeats,
      },
      options,
    );
  }

  /** `POST /v2/heartbeats/`: `timeoutS` is a whole number from 10 to 300. Retried only when none was made. */
  create(timeoutS: number, options?: CallOptions): Promise<Heartbeat> {
    return this.#client.call(
      {
        name: 'POST /v2/heartbeats/',
        method: 'POST',
        path: pathOf('heartbeats/'),
        body: { timeout: timeoutS },
        repeat: 'unsafe',
        priority: 'urgent',
        value: KEEPS_ALIVE,
        read: readHeartbeat,
      },
      options,
    );
  }

  /** `GET /v2/heartbeats/{heartbeat_id}/`. NotFound when the heartbeat expired or was deleted. */
  get(id: HeartbeatId, options?: CallOptions): Promise<Heartbeat> {
    return this.#client.call(
      {
        name: 'GET /v2/heartbeats/{heartbeat_id}/',
        method: 'GET',
        path: pathOf(`heartbeats/${segment(id)}/`),
        repeat: 'safe',
        priority: 'urgent',
        read: sameHeartbeat(id),
      },
      options,
    );
  }

  /** `POST /v2/heartbeats/{heartbeat_id}/refresh/`. NotFound when it has expired: all orders are then closed. */
  refresh(id: HeartbeatId, options?: CallOptions): Promise<Heartbeat> {
    return this.#client.call(
      {
        name: 'POST /v2/heartbeats/{heartbeat_id}/refresh/',
        method: 'POST',
        path: pathOf(`heartbeats/${segment(id)}/refresh/`),
        repeat: 'safe',
        priority: 'urgent',
        value: KEEPS_ALIVE,
        read: refreshedHeartbeat(id),
      },
      options,
    );
  }

  /** `DELETE /v2/heartbeats/{heartbeat_id}/`: disarms the heartbeat. No order is closed. */
  delete(id: HeartbeatId, options?: CallOptions): Promise<void> {
    return this.#client.call(
      {
        name: 'DELETE /v2/heartbeats/{heartbeat_id}/',
        method: 'DELETE',
        path: pathOf(`heartbeats/${segment(id)}/`),
        repeat: 'safe',
        priority: 'urgent',
        read: readNothing,
      },
      options,
    );
  }
}

const sameHeartbeat =
  (id: HeartbeatId): Reader<Heartbeat> =>
  (raw, survey) => {
    const heartbeat = readHeartbeat(raw, survey);
    if (heartbeat.heartbeatId !== id) throw new ProtocolError('the answer is about another heartbeat');
    return heartbeat;
  };

/** The specification does not define the response. Null means that the refresh worked and its expiry is unknown. */
const refreshedHeartbeat =
  (id: HeartbeatId): Reader<Heartbeat> =>
  (raw, survey) =>
    raw === null ? { heartbeatId: id, expiryMs: null } : sameHeartbeat(id)(raw, survey);
