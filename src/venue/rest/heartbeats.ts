import { ProtocolError } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import type { CallOptions } from '../../ports/venue.ts';
import { readHeartbeat, readHeartbeats } from '../wire/account.ts';
import { type Reader, readNothing } from '../wire/reader.ts';
import { type Call, pathOf, type RestClient, segment } from './client.ts';

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
    const name = 'GET /v2/heartbeats/';
    return this.#call({ name, path: pathOf('heartbeats/'), repeat: 'safe', read: readHeartbeats }, options);
  }

  /** `POST /v2/heartbeats/`: `timeoutS` is a whole number from 10 to 300. Retried only when none was made. */
  create(timeoutS: number, options?: CallOptions): Promise<Heartbeat> {
    return this.#call(
      {
        name: 'POST /v2/heartbeats/',
        path: pathOf('heartbeats/'),
        body: { timeout: timeoutS },
        repeat: 'unsafe',
        value: KEEPS_ALIVE,
        read: readHeartbeat,
      },
      options,
    );
  }

  /** `GET /v2/heartbeats/{heartbeat_id}/`. NotFound when the heartbeat expired or was deleted. */
  get(id: HeartbeatId, options?: CallOptions): Promise<Heartbeat> {
    const name = 'GET /v2/heartbeats/{heartbeat_id}/';
    const path = pathOf(`heartbeats/${segment(id)}/`);
    return this.#call({ name, path, repeat: 'safe', read: sameHeartbeat(id) }, options);
  }

  /** `POST /v2/heartbeats/{heartbeat_id}/refresh/`. NotFound when it has expired: all orders are then closed. */
  refresh(id: HeartbeatId, options?: CallOptions): Promise<Heartbeat> {
    const name = 'POST /v2/heartbeats/{heartbeat_id}/refresh/';
    const path = pathOf(`heartbeats/${segment(id)}/refresh/`);
    const read = refreshedHeartbeat(id);
    return this.#call({ name, path, repeat: 'safe', value: KEEPS_ALIVE, read }, options);
  }

  /** `DELETE /v2/heartbeats/{heartbeat_id}/`: disarms the heartbeat. No order is closed. */
  delete(id: HeartbeatId, options?: CallOptions): Promise<void> {
    const name = 'DELETE /v2/heartbeats/{heartbeat_id}/';
    const path = pathOf(`heartbeats/${segment(id)}/`);
    return this.#call({ name, path, repeat: 'safe', read: readNothing }, options);
  }

  #call<T>(call: Call<T>, options: CallOptions | undefined): Promise<T> {
    return this.#client.call({ ...call, priority: 'urgent' }, options);
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
