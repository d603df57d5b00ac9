import { type KeyInForce, Secret } from '../../domain/secret.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { type Metrics, noMetrics } from '../../ports/metrics.ts';
import { allowRequests, type RequestPattern } from '../../ports/transport/allow.ts';
import {
  type HttpRecord,
  recordHttp,
  recordSockets,
  type StreamRecord,
} from '../../ports/transport/record.ts';
import { createClient, type ExchangeClient, type VenueOptions } from '../../venue/index.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { actingWires, type Wires } from './wires.ts';

export interface ConnectOptions extends Pick<
  VenueOptions,
  'requestTimeoutMs' | 'limits' | 'earlierBudgets' | 'retry' | 'reconnect' | 'stream'
> {
  /** Base address of the REST API, ending in `/v2/`. */
  readonly baseUrl: string;
  /** Address of the stream. Default: `stream` under the base address, with the matching protocol. */
  readonly streamUrl?: string;
  readonly apiKey: Secret | string;
  /** The only requests that may be sent; any other rejects with TransportError `not-sent`. Default: all. */
  readonly requests?: readonly RequestPattern[];
  /** Receives the wire as it is, without the key. */
  readonly onWire?: (record: HttpRecord | StreamRecord) => void;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/**
 * Connects to an exchange over the network. Nothing is sent until the first call.
 *
 *     await using exchange = connect({ baseUrl: 'https://exchange.example/v2/', apiKey });
 *     console.log(await exchange.account.balance());
 *     for await (const order of exchange.allOrders({ statuses: ['open'] })) await exchange.orders.close(order.orderId);
 */
export function connect(options: ConnectOptions): ExchangeClient {
  const { baseUrl, streamUrl, clock = systemClock } = options;
  const addresses = { restUrl: baseUrl, streamUrl: streamUrl ?? defaultStreamUrl(baseUrl) };
  return connectOver(actingWires(addresses, clock), options);
}

/** The same over wires that are there already. */
export function connectOver(
  wires: Wires,
  options: Omit<ConnectOptions, 'baseUrl' | 'streamUrl'>,
): ExchangeClient {
  const { clock = systemClock, logger = silentLogger, metrics = noMetrics } = options;
  const apiKey = typeof options.apiKey === 'string' ? new Secret(options.apiKey) : options.apiKey;
  return createClient({
    ...options,
    clock,
    logger,
    metrics,
    apiKey,
    // Used only for jitter; the start instant makes two processes differ.
    random: seededRandom(clock.wallMs(), 'jitter'),
    ...observedWires(wires, options, clock, apiKey),
  });
}

function observedWires(
  { http, sockets }: Wires,
  { requests, onWire }: Pick<ConnectOptions, 'requests' | 'onWire'>,
  clock: Clock,
  apiKey: Secret | KeyInForce,
): Wires {
  const seen = onWire === undefined ? http : recordHttp(http, onWire, clock, apiKey);
  return {
    http: requests === undefined ? seen : allowRequests(seen, requests),
    sockets: onWire === undefined ? sockets : recordSockets(sockets, onWire, clock, apiKey),
  };
}

function defaultStreamUrl(baseUrl: string): string {
  const url = new URL('stream', baseUrl.replace(/\/?$/, '/'));
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

export type { RequestPattern } from '../../ports/transport/allow.ts';
export * from '../../venue/index.ts';
export { Secret } from '../../domain/secret.ts';
export { ProtocolError, TouchlineError, TransportError, VenueRejection } from '../../domain/errors.ts';
export * as ids from '../../domain/ids.ts';
