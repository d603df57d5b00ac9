import { createServer, type IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Logger } from '../../ports/logger.ts';
import { ExchangeHost, type HostOptions } from '../host/exchange-host.ts';
import { Control } from './control.ts';
import { listen, type Listener, LOOPBACK } from './listener.ts';
import { answerControl, answerGarbage, answerRest } from './rest.ts';
import { CLOSE_GRACE_MS, StreamServer } from './stream.ts';

export interface SimulatorOptions extends HostOptions {
  readonly logger: Logger;
  /** 0 takes any free port. */
  readonly port: number;
  /** Port of the control interface; separate, so that refused connections do not stop it. Default: any free port. */
  readonly controlPort?: number;
  /** A longer request body is refused. Default 256 KiB. */
  readonly maxBodyBytes?: number;
  /** A longer stream frame of a client is refused. Default 1 MiB. */
  readonly maxFrameBytes?: number;
  /** A stream client for which more bytes wait is closed with 1008. Default 16 MiB. */
  readonly maxBufferedBytes?: number;
}

/** A simulated exchange that clients can reach on loopback addresses. */
export interface RunningSimulator {
  /** Base address of the REST API, ending in `/v2/`. */
  readonly rest: string;
  /** Address of the stream. */
  readonly stream: string;
  /** Base address of the control interface, ending in `/sim/`. */
  readonly control: string;
  readonly port: number;
  readonly host: ExchangeHost;
  /** Ends every connection and timer at once and frees the port. Idempotent. */
  close(): Promise<void>;
}

const KIB = 1024;
/** A client's frame above this size is not received: the connection ends. */
const HARD_FRAME_BYTES = 16 * KIB * KIB;
/** The library's timeout of a close handshake must be longer than ours, which runs on the exchange's clock. */
const WEB_SOCKETS = {
  noServer: true,
  perMessageDeflate: false,
  maxPayload: HARD_FRAME_BYTES,
  closeTimeout: 2 * CLOSE_GRACE_MS,
};
/** Longer than clients keep idle connections, so that no connection closes while a client reuses it. */
const KEEP_ALIVE_MS = 75_000;

/** Serves an exchange core over HTTP and WebSocket. Throws TouchlineError `port_in_use` or `cannot_listen`. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const host = new ExchangeHost(options);
  const listeners: Listener[] = [];
  try {
    const exchange = await serveExchange(host, options);
    listeners.push(exchange);
    const verbs = new Control(host);
    const server = createServer((request, response) => answerControl(verbs, request, response));
    const control = await listen(server, options.controlPort ?? 0);
    listeners.push(control);
    followNetwork(host, exchange, options.logger);
    return running(host, exchange, control);
  } catch (error) {
    await closeAll(host, listeners);
    throw error;
  }
}

async function serveExchange(host: ExchangeHost, options: SimulatorOptions): Promise<Listener> {
  const maxBodyBytes = options.maxBodyBytes ?? 256 * KIB;
  const stream = new StreamServer(host, new WebSocketServer(WEB_SOCKETS), {
    clock: options.clock,
    maxBufferedBytes: options.maxBufferedBytes ?? 16 * KIB * KIB,
    maxFrameBytes: options.maxFrameBytes ?? KIB * KIB,
  });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, shouldUpgradeCallback: wantsWebSocket });
  server.on('request', (request, response) => answerRest(host, maxBodyBytes, request, response));
  server.on('upgrade', (request, socket, head) => stream.upgrade(request, socket, head));
  server.on('clientError', (_error, socket) => answerGarbage(socket));
  return listen(server, options.port);
}

/** Other upgrades may be ignored, such as HTTP/2, which some clients offer with every request. */
const wantsWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** Closes the port while a fault refuses connections. */
function followNetwork(host: ExchangeHost, listener: Listener, logger: Logger): void {
  let settled: Promise<void> = Promise.resolve();
  host.onNetwork((isDown) => {
    settled = settled
      .then(() => (isDown ? listener.close() : listener.reopen()))
      .catch((error: unknown) =>
        logger.error('the simulator cannot listen on its port again: clients cannot connect', { error }),
      );
  });
}

async function closeAll(host: ExchangeHost, listeners: readonly Listener[]): Promise<void> {
  host.close();
  await Promise.all(listeners.map((listener) => listener.close()));
}

function running(host: ExchangeHost, exchange: Listener, control: Listener): RunningSimulator {
  let closed: Promise<void> | null = null;
  return {
    rest: `http://${LOOPBACK}:${exchange.port}/v2/`,
    stream: `ws://${LOOPBACK}:${exchange.port}/v2/stream`,
    control: `http://${LOOPBACK}:${control.port}/sim/`,
    port: exchange.port,
    host,
    close: () => (closed ??= closeAll(host, [exchange, control])),
  };
}
