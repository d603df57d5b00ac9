import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program that is no daemon, and gives every request the same answer. */
export const answering = (status: number, body: string): Server =>
  createServer((_request, response) => response.writeHead(status).end(body));

/** Runs a server on this machine for as long as the work takes. */
export async function withServer(server: Server, work: (url: string) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
