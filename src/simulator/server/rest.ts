import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SimResponse } from '../core/api.ts';
import { forbidden, invalidTogether } from '../core/replies.ts';
import type { Carriage } from '../faults/request-plan.ts';
import type { ExchangeHost } from '../host/exchange-host.ts';
import type { Delivery } from '../host/faulty-requests.ts';
import type { Control } from './control.ts';

/** Answers one HTTP request with the exchange's response. */
export function answerRest(
  host: ExchangeHost,
  maxBodyBytes: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  readBody(request, maxBodyBytes, (body) => {
    if (body === null) respond(response, closing(invalidTogether('request body too large')));
    else host.submit(simRequest(request, body), (delivery) => deliver(response, delivery));
  });
}

/** The largest body of the control interface is a list of faults. */
const MAX_CONTROL_BYTES = 1024 * 1024;

/** Answers one request of the control interface. Requests of a browser page (those with an origin) are forbidden. */
export function answerControl(control: Control, request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.origin !== undefined) return respond(response, closing(forbidden()));
  readBody(request, MAX_CONTROL_BYTES, (body) => {
    if (body === null) return respond(response, closing(invalidTogether('request body too large')));
    respond(response, control.answer(request.method ?? 'GET', request.url ?? '/', body));
  });
}

function deliver(response: ServerResponse, delivery: Delivery): void {
  if ('response' in delivery) return respondBy(delivery.carriage, response, delivery.response);
  if (delivery.carriage === 'reset') response.socket?.resetAndDestroy();
}

/** A cut or stalled answer sends half of its body. Then the connection ends (cut) or stays silent (stalled). */
function respondBy(carriage: Carriage, response: ServerResponse, answer: SimResponse): void {
  if (carriage === 'whole') return respond(response, answer);
  const bytes = writeHead(response, answer);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    if (carriage === 'cut') response.socket?.destroy();
  });
}

function simRequest(request: IncomingMessage, body: string) {
  const apiKey = request.headers['x-api-key'];
  return {
    method: request.method ?? 'GET',
    // A client that is configured for a proxy sends the whole address.
    target: (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, ''),
    apiKey: typeof apiKey === 'string' ? apiKey : null,
    body,
  };
}

export function respond(response: ServerResponse, answer: SimResponse): void {
  response.end(writeHead(response, answer));
}

/** Writes the head and returns the body as bytes. A closed response emits no `close`: `release` runs at once. */
function writeHead(response: ServerResponse, { status, headers, body, release }: SimResponse): Buffer {
  if (response.closed) release?.();
  else if (release !== undefined) response.once('close', release);
  const bytes = Buffer.from(body, 'utf8');
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  return bytes;
}

function closing(answer: SimResponse): SimResponse {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** Answers bytes that are not HTTP, and ends the connection. */
export function answerGarbage(socket: Duplex): void {
  if (!socket.writable) return;
  const { status, body } = invalidTogether('malformed HTTP request');
  socket.end(plainHttp(status, 'application/json', body));
}

/** A whole HTTP answer as text, for sockets without a response object. The connection ends after it. */
export function plainHttp(status: number, contentType: string, body: string): string {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Bytes of an oversized body that are read and discarded, so that the client sees the refusal. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/** Replaces a body that is not UTF-8. The JSON parser then refuses it. */
const NO_TEXT = '\uFFFD';

/** Calls back with the body as text, or with null as soon as it exceeds `maxBytes`; never after a disconnect. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: string | null) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    const before = bytes;
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (before <= maxBytes) done(null);
    if (bytes > DISCARDED_BYTES) request.destroy();
  });
  request.on('end', () => {
    if (bytes > maxBytes) return;
    const body = Buffer.concat(chunks);
    done(isUtf8(body) ? body.toString('utf8') : NO_TEXT);
  });
}
