import type {
  HttpAnswer,
  HttpRequest,
  Socket,
  SocketHandlers,
  SocketTransport,
} from '../../src/ports/transport.ts';

/** A request of one run, as it left. */
export interface SentRequest {
  readonly what: string;
  readonly path: string;
  readonly body: string | null;
  readonly atMs: number;
}

const CREATE = 'POST /v2/orders/';

/** What one run of the daemon showed at its border: the proof it had in hand each time it sent something. */
export class Witness {
  readonly sent: SentRequest[] = [];
  /** Since when the stream is down, null while it is up. */
  streamDownSinceMs: number | null;
  /** When the latest stream was opened. */
  streamOpenedMs = -Infinity;
  /** When the latest answered listing of open orders was asked for. */
  listedMs = -Infinity;
  /** Until when an acknowledged heartbeat certainly holds. */
  provenUntilMs = -Infinity;
  readonly #nowMs: () => number;
  readonly #open = new Set<object>();
  readonly #heartbeatMs: number;

  constructor(nowMs: () => number, heartbeatS: number) {
    this.#nowMs = nowMs;
    this.streamDownSinceMs = nowMs();
    this.#heartbeatMs = heartbeatS * 1000;
  }

  request({ method, path, body }: HttpRequest): SentRequest {
    const sent = { what: `${method} ${path}`, path, body, atMs: this.#nowMs() };
    this.sent.push(sent);
    return sent;
  }

  answered(sent: SentRequest, { status }: HttpAnswer): void {
    if (status !== 200 && status !== 201) return;
    if (/^GET \/v2\/orders\/(\?|$)/.test(sent.what)) this.listedMs = Math.max(this.listedMs, sent.atMs);
    if (/^POST \/v2\/heartbeats\/(.+\/refresh\/)?$/.test(sent.what))
      this.provenUntilMs = Math.max(this.provenUntilMs, sent.atMs + this.#heartbeatMs);
  }

  sockets(sockets: SocketTransport): SocketTransport {
    return {
      open: (query, handlers): Socket => {
        const connection = {};
        const socket = sockets.open(query, this.#watching(connection, handlers));
        return {
          send: (text) => socket.send(text),
          terminate: () => {
            this.#down(connection);
            socket.terminate();
          },
        };
      },
    };
  }

  #watching(connection: object, handlers: SocketHandlers): SocketHandlers {
    return {
      onOpen: () => {
        this.#open.add(connection);
        this.streamDownSinceMs = null;
        this.streamOpenedMs = this.#nowMs();
        handlers.onOpen();
      },
      onMessage: (data) => handlers.onMessage(data),
      onRefused: (status, body) => {
        this.#down(connection);
        handlers.onRefused(status, body);
      },
      onClose: (code, reason) => {
        this.#down(connection);
        handlers.onClose(code, reason);
      },
    };
  }

  #down(connection: object): void {
    this.#open.delete(connection);
    if (this.#open.size === 0) this.streamDownSinceMs ??= this.#nowMs();
  }
}

/** The orders that a request asks to close by their numbers; none for any other request. */
export function closesOf({ what, body }: Pick<SentRequest, 'what' | 'body'>): readonly number[] {
  const named = /^POST \/v2\/orders\/(\d+)\/close\/$/.exec(what)?.[1];
  if (named !== undefined) return [Number(named)];
  if (what !== 'POST /v2/orders/close_many/') return [];
  const { order_ids: orderIds } = JSON.parse(body ?? '{}') as { order_ids?: readonly number[] };
  return orderIds ?? [];
}

export const isCreate = (sent: Pick<SentRequest, 'what'> | undefined): boolean => sent?.what === CREATE;

/** The request_uuid of a create; empty for one without. */
export function uuidOf({ body }: SentRequest): string {
  const { request_uuid: uuid } = JSON.parse(body ?? '{}') as { request_uuid?: string };
  return uuid ?? '';
}
