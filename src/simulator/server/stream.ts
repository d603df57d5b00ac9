import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../ports/clock.ts';
import type { ExchangeHost } from '../host/exchange-host.ts';
import type { Link, StreamSession } from '../host/stream-session.ts';
import { OutboundQueue } from './outbound-queue.ts';
import { plainHttp } from './rest.ts';

const STREAM_PATH = /^(\/magic-api)?\/v2\/stream\/?$/;

/**
 * A close that the client does not answer in this time becomes a TCP close. The time is long because a slow reader first
 * reads what the kernel holds for it, which may be several megabytes.
 */
export const CLOSE_GRACE_MS = 60_000;

/** WebSocket close code of a client that does not keep up, by the specification. */
const SLOW_READER = 1008;

export interface StreamOptions {
  readonly clock: Clock;
  /** A client for which more bytes wait is a slow reader. */
  readonly maxBufferedBytes: number;
  /** A longer frame of the client is refused unread. */
  readonly maxFrameBytes: number;
}

/** The network side of the stream: upgrades, frames in, frames out. */
export class StreamServer {
  readonly #host: ExchangeHost;
  readonly #sockets: WebSocketServer;
  readonly #options: StreamOptions;

  constructor(host: ExchangeHost, sockets: WebSocketServer, options: StreamOptions) {
    this.#host = host;
    this.#sockets = sockets;
    this.#options = options;
  }

  /** Answers an upgrade request: 101, or a plain HTTP refusal with a short text body. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '', 'ws://exchange');
    if (url === null || !STREAM_PATH.test(url.pathname)) return refuse(socket, 404, 'not_found');
    const opening = this.#host.open(Object.fromEntries(url.searchParams));
    if (opening.kind === 'refused') return refuse(socket, opening.status, opening.body);
    if (opening.kind === 'opened') this.#accept(request, socket, head, opening.session);
    if (opening.kind === 'reset') socket.destroy();
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer, session: StreamSession): void {
    // ws answers a malformed handshake by itself and never calls back, so the session ends with its socket.
    socket.once('close', () => session.end());
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) =>
      this.#serve(webSocket, socket, session),
    );
  }

  #serve(webSocket: WebSocket, socket: Duplex, session: StreamSession): void {
    webSocket.on('message', (data: RawData) => session.receive(this.#textOf(data)));
    webSocket.on('error', () => webSocket.terminate());
    session.attach(this.#link(webSocket, socket, session));
  }

  #link(webSocket: WebSocket, socket: Duplex, session: StreamSession): Link {
    const { clock, maxBufferedBytes } = this.#options;
    const queue = new OutboundQueue(webSocket, socket);
    return {
      send: (text) => {
        queue.push(text);
        if (queue.bufferedBytes <= maxBufferedBytes) return;
        queue.shut();
        session.close(SLOW_READER, 'slow reader');
      },
      cut: (text) => {
        queue.shut();
        socket.end(halfFrame(text), () => socket.destroy());
      },
      close: (code, reason) => {
        if (code === null) return webSocket.terminate();
        queue.end(() => webSocket.close(code, reason));
        const timer = clock.after(CLOSE_GRACE_MS, () => webSocket.terminate());
        webSocket.once('close', () => timer.cancel());
      },
    };
  }

  /** An oversized frame becomes an empty one, which the exchange answers with `bad_json`. */
  #textOf(data: RawData): string {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer);
    return bytes.length > this.#options.maxFrameBytes ? '' : bytes.toString('utf8');
  }
}

/** The first half of a text frame as it travels from a server: unmasked, with a 16-bit length. */
function halfFrame(text: string): Buffer {
  const payload = Buffer.from(text, 'utf8');
  const head = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, payload.subarray(0, payload.length >> 1)]);
}

function refuse(socket: Duplex, status: number, body: string): void {
  socket.end(plainHttp(status, 'text/plain; charset=utf-8', body));
}
