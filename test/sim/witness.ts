import type { HttpAnswer } from '../../src/ports/transport.ts';
import type { RequestRecord, StreamRecord } from '../../src/ports/transport/record.ts';

/** A request of one run, as it left. */
export interface SentRequest {
  readonly what: string;
  readonly path: string;
  readonly body: string | null;
  readonly atMs: number;
}

/** A recorded request, as the judges name it. */
export const sentOf = ({ method, path, body, monotonicMs }: RequestRecord): SentRequest => ({
  what: `${method} ${path}`,
  path,
  body,
  atMs: monotonicMs,
});

const CREATE = 'POST /v2/orders/';
/** Steps with which a connection of the stream ends. */
const DOWN: ReadonlySet<StreamRecord['kind']> = new Set(['terminated', 'refused', 'closed']);

/** Everything that one run of the daemon showed at its border: its proof at the instant of each send. */
export class Witness {
  readonly sent: SentRequest[] = [];
  /** Since when the stream is down; null while it is up. */
  streamDownSinceMs: number | null;
  /** When the latest stream was opened. */
  streamOpenedMs = -Infinity;
  /** When the latest answered listing of open orders was requested. */
  listedMs = -Infinity;
  /** Until when an acknowledged heartbeat certainly holds. */
  provenUntilMs = -Infinity;
  readonly #nowMs: () => number;
  readonly #open = new Set<number>();
  readonly #heartbeatMs: number;

  constructor(nowMs: () => number, heartbeatS: number) {
    this.#nowMs = nowMs;
    this.streamDownSinceMs = nowMs();
    this.#heartbeatMs = heartbeatS * 1000;
  }

  request(sent: SentRequest): void {
    this.sent.push(sent);
  }

  answered(sent: SentRequest, { status }: HttpAnswer): void {
    if (status !== 200 && status !== 201) return;
    if (/^GET \/v2\/orders\/(\?|$)/.test(sent.what)) this.listedMs = Math.max(this.listedMs, sent.atMs);
    if (/^POST \/v2\/heartbeats\/(.+\/refresh\/)?$/.test(sent.what))
      this.provenUntilMs = Math.max(this.provenUntilMs, sent.atMs + this.#heartbeatMs);
  }

  stream(record: StreamRecord): void {
    if (record.kind === 'open') this.#up(record);
    if (DOWN.has(record.kind)) this.#down(record.connection);
  }

  #up({ connection, monotonicMs }: StreamRecord): void {
    this.#open.add(connection);
    this.streamDownSinceMs = null;
    this.streamOpenedMs = monotonicMs;
  }

  #down(connection: number): void {
    this.#open.delete(connection);
    if (this.#open.size === 0) this.streamDownSinceMs ??= this.#nowMs();
  }
}

/** The orders that a request closes by their numbers; none for any other request. */
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
