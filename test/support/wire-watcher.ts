import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A proxy before an exchange, which notes everything that a client sends. */
export interface WireWatcher {
  readonly rest: string;
  readonly stream: string;
  /** `METHOD path` of each request without its query, and `STREAM text` of each command. */
  readonly seen: readonly string[];
  /** Bodies that were not empty, with their request. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export async function watchWire(exchange: { rest: string; stream: string }): Promise<WireWatcher> {
  const seen: string[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const name = `${request.method ?? ''} ${pathOf(request)}`;
    seen.push(name);
    request.on('data', (chunk: Buffer) => bodies.push(`${name}: ${chunk.toString()}`));
    const onward = httpRequest(
      new URL(request.url ?? '/', exchange.rest),
      { method: request.method ?? 'GET', headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    seen.push(`UPGRADE ${pathOf(request)}`);
    const onward = new WebSocket(exchange.stream + (request.url ?? '').replace(/^[^?]*/, ''), {
      perMessageDeflate: false,
    });
    onward.on('error', () => socket.destroy());
    onward.on('open', () =>
      sockets.handleUpgrade(request, socket, head, (client) => join(client, onward, seen)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    rest: `http://127.0.0.1:${port}/v2/`,
    stream: `ws://127.0.0.1:${port}/v2/stream`,
    seen,
    bodies,
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/\?.*/, '');

function join(client: WebSocket, onward: WebSocket, seen: string[]): void {
  client.on('message', (data: Buffer) => {
    seen.push(`STREAM ${data.toString()}`);
    if (onward.readyState === WebSocket.OPEN) onward.send(data.toString());
  });
  onward.on('message', (data: Buffer) => client.send(data.toString()));
  client.on('close', () => onward.terminate());
  onward.on('close', (code) => (code === 1006 ? client.terminate() : client.close(code)));
  for (const end of [client, onward]) end.on('error', () => end.terminate());
}
