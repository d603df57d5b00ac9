import type { IncomingMessage } from 'node:http';
import { type RawData, WebSocket } from 'ws';
import { faultCode } from '../../lib/reason.ts';
import type { Socket, SocketHandlers, SocketTransport } from '../../ports/transport.ts';

export interface WsOptions {
  /** `{ws_url}` of the specification. */
  readonly url: string;
  readonly handshakeTimeoutMs?: number;
  /** The largest accepted message. A larger one ends the connection. */
  readonly longestMessageBytes?: number;
}

const DEFAULTS = { handshakeTimeoutMs: 10_000, longestMessageBytes: 64 * 1024 * 1024 };

/** WebSocket connections without compression. Frames are large, and inflating them costs ten times the bytes. */
export function wsTransport(options: WsOptions): SocketTransport {
  const settings = { ...DEFAULTS, ...options };
  return {
    open(query, handlers) {
      const url = new URL(settings.url);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const ws = new WebSocket(url, {
        perMessageDeflate: false,
        handshakeTimeout: settings.handshakeTimeoutMs,
        maxPayload: settings.longestMessageBytes,
      });
      return attach(ws, handlers);
    },
  };
}

function attach(ws: WebSocket, handlers: SocketHandlers): Socket {
  let hasEnded = false;
  let fault = '';
  const once = (run: () => void): void => {
    if (!hasEnded) run();
    hasEnded = true;
  };
  ws.on('open', () => handlers.onOpen());
  // Added only once it is open: otherwise bytes that came with the upgrade would go to this listener only.
  ws.on('upgrade', ({ socket }) => ws.once('open', () => socket.on('data', () => handlers.onBytes?.())));
  ws.on('message', (data) => handlers.onMessage(bytesOf(data)));
  ws.on('unexpected-response', (request, response) => {
    void readShort(response).then((body) => {
      request.destroy();
      once(() => handlers.onRefused(response.statusCode ?? 0, body));
    });
  });
  ws.on('error', (error) => {
    fault = faultCode(error);
  });
  ws.on('close', (code, reason) =>
    once(() => handlers.onClose(frameCode(code), fault || reason.toString('utf8'))),
  );
  return {
    send: (text) => {
      if (ws.readyState === WebSocket.OPEN) ws.send(text);
    },
    terminate: () => ws.terminate(),
  };
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

/** The library reports 1006 when no close frame came. */
const frameCode = (code: number): number | null => (code === 1006 ? null : code);

const LONGEST_REFUSAL_BYTES = 1024;

/** The beginning of a refusal's body. If the body breaks off, the part that was read. */
function readShort(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    const done = (): void => resolve(body.slice(0, LONGEST_REFUSAL_BYTES));
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      body += chunk;
      if (body.length >= LONGEST_REFUSAL_BYTES) done();
    });
    for (const end of ['end', 'error', 'close']) response.on(end, done);
  });
}
