import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * The treatment of a connection through the proxy. Instants and sizes refer to the bytes that the exchange sends back.
 */
export interface Mischief {
  /** Milliseconds before anything is passed on, in either direction. */
  readonly delayMs?: number;
  /** Milliseconds more before the exchange's bytes are passed on. */
  readonly answerDelayMs?: number;
  /** The connection is cut after this many bytes of the exchange's. */
  readonly cutAfter?: number;
  /** The connection is reset (RST) instead of closed. */
  readonly reset?: boolean;
  /** Nothing more is passed on after this many bytes of the exchange's. The connection stays open. */
  readonly stallAfter?: number;
  /** The exchange's bytes come in pieces of this size, or of these sizes in turn, a turn of the loop apart. */
  readonly slice?: number | readonly number[];
  /** The request is not passed on. The connection ends at once. */
  readonly refuse?: boolean;
}

export interface Proxy {
  readonly port: number;
  /** Applies to connections from now on, and to the rest of present ones. */
  mischief: Mischief;
  /** Applies to the next connections, one each, before `mischief` applies. */
  readonly next: Mischief[];
  /** The number of accepted connections so far. */
  readonly taken: number;
  close(): void;
}

/** A TCP proxy in front of an exchange that does its worst. */
export async function startProxy(target: number): Promise<Proxy> {
  const open = new Set<Socket>();
  const state: { mischief: Mischief; taken: number } = { mischief: {}, taken: 0 };
  const next: Mischief[] = [];
  const server = createServer((client) => {
    state.taken += 1;
    const own = next.shift();
    const mischief = (): Mischief => own ?? state.mischief;
    const exchange = connect(target, '127.0.0.1');
    for (const socket of [client, exchange]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        exchange.destroy();
      });
    }
    if (mischief().refuse === true) return end(client, mischief());
    client.on('data', (chunk) => void pause(mischief().delayMs).then(() => exchange.write(chunk)));
    hand(exchange, client, mischief);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    next,
    get mischief() {
      return state.mischief;
    },
    set mischief(mischief) {
      state.mischief = mischief;
    },
    get taken() {
      return state.taken;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The exchange's bytes on their way to the client. */
function hand(exchange: Socket, client: Socket, mischief: () => Mischief): void {
  let count = 0;
  let turn = Promise.resolve();
  exchange.on('data', (chunk) => {
    turn = turn.then(async () => {
      const { cutAfter = Infinity, stallAfter = Infinity, slice = chunk.length } = mischief();
      const { delayMs = 0, answerDelayMs = 0 } = mischief();
      await pause(delayMs + answerDelayMs);
      const room = Math.min(cutAfter, stallAfter) - count;
      const passed = chunk.subarray(0, Math.max(0, room));
      count += passed.length;
      await write(client, passed, typeof slice === 'number' ? [slice] : slice);
      if (count >= cutAfter) end(client, mischief());
    });
  });
}

async function write(client: Socket, bytes: Buffer, sizes: readonly number[]): Promise<void> {
  for (let [at, piece] = [0, 0]; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] as number;
    if (!client.destroyed) client.write(bytes.subarray(at, at + size));
    at += size;
    if (at < bytes.length) await new Promise((resolve) => void setImmediate(resolve));
  }
}

function end(client: Socket, { reset }: Mischief): void {
  if (reset === true) client.resetAndDestroy();
  else client.destroy();
}

async function pause(ms = 0): Promise<void> {
  if (ms > 0) await new Promise((resolve) => void setTimeout(resolve, ms));
}
