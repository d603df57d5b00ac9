import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SimResponse } from '../core/api.ts';
import { malformed } from '../host/envelope.ts';
import type { ExchangeHost } from '../host/exchange-host.ts';
import { readBody } from './read-body.ts';

/** Answers one HTTP request with what the exchange says. */
export function answerRest(
  host: ExchangeHost,
  maxBodyBytes: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  readBody(request, maxBodyBytes, (body) => {
    if (body === null) respond(response, closing(malformed('request body too large')));
    else respond(response, host.request(simRequest(request, body)));
  });
}

function simRequest(request: IncomingMessage, body: string) {
  const apiKey = request.headers['x-api-key'];
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    apiKey: typeof apiKey === 'string' ? apiKey : null,
    body,
  };
}

export function respond(response: ServerResponse, answer: SimResponse): void {
  if (answer.release !== undefined) response.once('close', answer.release);
  const bytes = Buffer.from(answer.body, 'utf8');
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
  response.end(bytes);
}

function closing(answer: SimResponse): SimResponse {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** Answers bytes that are not HTTP, and ends the connection. */
export function answerGarbage(socket: Duplex): void {
  if (!socket.writable) return;
  const { status, body } = malformed('malformed HTTP request');
  socket.end(plainHttp(status, 'application/json', body));
}

/** A whole HTTP answer as bytes, for sockets that no longer have a response object. The connection ends after it. */
export function plainHttp(status: number, contentType: string, body: string): string {
  const head = [
    `HTTP/1.1 ${status} ${status < 500 ? 'Refused' : 'Unavailable'}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
