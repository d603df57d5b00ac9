import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { TouchlineError } from '../../domain/errors.ts';

/** The only address that the simulator ever listens on. */
export const LOOPBACK = '127.0.0.1';

/** A listening HTTP server and every socket it accepted, upgraded ones included. */
export interface Listener {
  readonly port: number;
  /** Destroys every accepted connection at once, without a close frame. */
  destroySockets(): void;
  /** Stops accepting, ends every connection, and resolves when the port is free. */
  close(): Promise<void>;
  /** Accepts again on the same port after `close`. Throws as `listen` does. */
  reopen(): Promise<void>;
}

/**
 * Listens on loopback. Throws TouchlineError `port_in_use`, or `cannot_listen` for any other failure; the message
 * names the port.
 */
export async function listen(server: Server, port: number): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const bound = await bind(server, port);
  const destroySockets = (): void => sockets.forEach((socket) => socket.destroy());
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      destroySockets();
    });
  return { port: bound, destroySockets, close, reopen: async () => void (await bind(server, bound)) };
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(listenError(error, port));
    server.once('error', failed);
    server.listen(port, LOOPBACK, () => {
      server.off('error', failed);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number): TouchlineError {
  const inUse = error.code === 'EADDRINUSE';
  const message = inUse
    ? `port ${port} on ${LOOPBACK} is in use; choose another`
    : `cannot listen on ${LOOPBACK}:${port}: ${error.message}`;
  return new TouchlineError(inUse ? 'port_in_use' : 'cannot_listen', message, { port }, error);
}
