/**
 * Where each request of a paper run goes. The table names every endpoint of the specification; a request that it does not name is
 * refused. Only requests that read what everybody may read reach the real exchange.
 */
import type { HttpRequest } from '../ports/transport.ts';
import { matcherOf, type RequestPattern } from '../ports/transport/allow.ts';

/** `real`: to the real exchange, which only reads. `embedded`: to the exchange in this process, which has the account. */
export type Way = 'real' | 'embedded';

export const WAYS: Readonly<Record<RequestPattern, Way>> = {
  'GET /v2/events/': 'real',
  'GET /v2/offers/': 'real',
  'GET /v2/sports/{sport}/bet_types/{bet_type}/': 'real',
  'GET /v2/xrates/': 'real',

  'GET /v2/balance/': 'embedded',
  'GET /v2/betslips/': 'embedded',
  'POST /v2/betslips/': 'embedded',
  'GET /v2/betslips/{betslip_id}/': 'embedded',
  'DELETE /v2/betslips/{betslip_id}/': 'embedded',
  'POST /v2/betslips/{betslip_id}/refresh/': 'embedded',
  'GET /v2/orders/': 'embedded',
  'POST /v2/orders/': 'embedded',
  'GET /v2/orders/{order_id}/': 'embedded',
  'GET /v2/orders/updates/': 'embedded',
  'GET /v2/orders/position/': 'embedded',
  'POST /v2/orders/position/': 'embedded',
  'GET /v2/orders/tracked/{uuid}/': 'embedded',
  'POST /v2/orders/{order_id}/close/': 'embedded',
  'POST /v2/orders/close_many/': 'embedded',
  'POST /v2/orders/close_all/': 'embedded',
  'GET /v2/heartbeats/': 'embedded',
  'POST /v2/heartbeats/': 'embedded',
  'GET /v2/heartbeats/{heartbeat_id}/': 'embedded',
  'DELETE /v2/heartbeats/{heartbeat_id}/': 'embedded',
  'POST /v2/heartbeats/{heartbeat_id}/refresh/': 'embedded',
};

/** The requests that go one way. */
const requestsOf = (way: Way): readonly RequestPattern[] =>
  (Object.keys(WAYS) as RequestPattern[]).filter((pattern) => WAYS[pattern] === way);

const readsMarket = matcherOf(requestsOf('real'));

/** Whether the embedded exchange answers a request. */
export const isEmbedded = matcherOf(requestsOf('embedded'));

/**
 * A request that the real exchange may get: a GET of market data. Only `readRequestOf` makes one, and it holds nothing but the path:
 * no method and no body could be sent with it.
 */
export class ReadRequest {
  /** Path with query. */
  readonly path: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The class is compared by this, not by its shape. */
  readonly #isRead = true;

  private constructor({ path, timeoutMs, signal }: HttpRequest) {
    [this.path, this.timeoutMs, this.signal] = [path, timeoutMs, signal];
  }

  /** Null for any other request. */
  static of(request: HttpRequest): ReadRequest | null {
    const mayPass = request.method === 'GET' && request.body === null && readsMarket(request);
    return mayPass ? new ReadRequest(request) : null;
  }

  /** Whether a value was made by `of`. */
  static is(value: ReadRequest): boolean {
    return #isRead in value;
  }
}
