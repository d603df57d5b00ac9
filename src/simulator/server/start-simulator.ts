import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ExchangeCore } from '../core/api.ts';
import { ExchangeHost } from '../host/exchange-host.ts';
import { listen, LOOPBACK } from './listener.ts';
import type { Listener } from './listener.ts';
import { answerGarbage, answerRest } from './rest.ts';
import { StreamServer } from './stream.ts';

export interface SimulatorOptions {
  readonly core: ExchangeCore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 0 takes any free port. */
  readonly port: number;
  /** A longer request body is refused. Default 256 KiB. */
  readonly maxBodyBytes?: number;
  /** A longer stream frame of a client is refused. Default 64 KiB. */
  readonly maxFrameBytes?: number;
  /** Unsent bytes of a stream connection before the client is closed with 1008. Default 16 MiB. */
  readonly maxBufferedBytes?: number;
}

/** A simulated exchange that clients can reach. Addresses are loopback ones. */
export interface RunningSimulator {
  /** Base address of the REST API, ending in `/v2/`. */
  readonly rest: string;
  /** Address of the stream. */
  readonly stream: string;
  readonly port: number;
  readonly host: ExchangeHost;
  /** Ends every connection and timer at once and frees the port. Idempotent. */
  close(): Promise<void>;
}

const KIB = 1024;
/** Above this a client's frame is not even received: the connection ends. */
const HARD_FRAME_BYTES = 16 * KIB * KIB;
/** Longer than clients keep idle connections, so that none is cut in their hands. */
const KEEP_ALIVE_MS = 75_000;

/** Serves an exchange core over HTTP and WebSocket. Throws TouchlineError `port_in_use` or `cannot_listen`. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const host = new ExchangeHost(options);
  try {
    const listener = await serve(host, options);
    return running(host, listener);
  } catch (error) {
    host.close();
    throw error;
  }
}

async function serve(host: ExchangeHost, options: SimulatorOptions): Promise<Listener> {
  const maxBodyBytes = options.maxBodyBytes ?? 256 * KIB;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: HARD_FRAME_BYTES,
  });
  const stream = new StreamServer(host, sockets, {
    clock: options.clock,
    maxBufferedBytes: options.maxBufferedBytes ?? 16 * KIB * KIB,
    maxFrameBytes: options.maxFrameBytes ?? 64 * KIB,
  });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  server.on('request', (request, response) => answerRest(host, maxBodyBytes, request, response));
  server.on('upgrade', (request, socket, head) => stream.upgrade(request, socket, head));
  server.on('clientError', (_error, socket) => answerGarbage(socket));
  return listen(server, options.port);
}

function running(host: ExchangeHost, listener: Listener): RunningSimulator {
  const { port } = listener;
  const closeAll = (): Promise<void> => {
    host.close();
    return listener.close();
  };
  let closed: Promise<void> | null = null;
  return {
    rest: `http://${LOOPBACK}:${port}/v2/`,
    stream: `ws://${LOOPBACK}:${port}/v2/stream`,
    port,
    host,
    close: () => (closed ??= closeAll()),
  };
}
