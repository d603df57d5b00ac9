/**
 * Decorators that record the wire: every request, answer and stream message, in both directions and in order, with the
 * monotonic instant at which it passed here. They change nothing that passes.
 *
 * The API key never reaches the sink. The header and the stream's query that carry the key are recorded without it. The
 * key is also removed from every text that repeats it.
 */
import { TransportError, type TransportOutcome } from '../../domain/errors.ts';
import { inForce, type KeyInForce, type Redact, type Secret, SHOWN_SECRET } from '../../domain/secret.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../clock.ts';
import type {
  HttpAnswer,
  HttpRequest,
  HttpTransport,
  Socket,
  SocketHandlers,
  SocketTransport,
} from '../transport.ts';

export interface RequestRecord {
  readonly kind: 'request';
  readonly monotonicMs: number;
  /** Counts from 1 in each recorder. */
  readonly id: number;
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface AnswerRecord extends HttpAnswer {
  readonly kind: 'answer';
  readonly monotonicMs: number;
  readonly request: RequestRecord;
}

/** A request without an answer. */
export interface FailureRecord {
  readonly kind: 'failure';
  readonly monotonicMs: number;
  readonly request: RequestRecord;
  readonly outcome: TransportOutcome;
  readonly reason: string;
}

export type HttpRecord = RequestRecord | AnswerRecord | FailureRecord;

/** A step in the life of a connection of the stream. */
type StreamStep =
  | { readonly kind: 'opening'; readonly query: Readonly<Record<string, string>> }
  | { readonly kind: 'open' }
  /** The receiver shares these bytes, so a sink must not change them. */
  | { readonly kind: 'received'; readonly data: Uint8Array }
  | { readonly kind: 'sent'; readonly text: string }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | { readonly kind: 'closed'; readonly code: number | null; readonly reason: string }
  | { readonly kind: 'terminated' };

/** `connection` counts from 1 in each recorder. */
export type StreamRecord = StreamStep & { readonly monotonicMs: number; readonly connection: number };

/** Takes each record before the recorded step continues. Must not throw. */
export type Sink<R> = (record: R) => void;

/** The fields whose whole value is the key. */
const KEY_HEADER = 'x-api-key';
const KEY_PARAMETER = 'api_key';

/** Records requests and how they end. */
export function recordHttp(
  http: HttpTransport,
  sink: Sink<HttpRecord>,
  clock: Pick<Clock, 'monotonicMs'>,
  apiKey: Secret | KeyInForce,
): HttpTransport {
  const { redact } = inForce(apiKey);
  let requests = 0;
  return {
    ...(http.waitsForConnections === true ? { waitsForConnections: true } : {}),
    async send(sent) {
      const request: RequestRecord = {
        kind: 'request',
        monotonicMs: clock.monotonicMs(),
        id: ++requests,
        method: sent.method,
        path: redact(sent.path),
        headers: withoutKey(sent.headers, KEY_HEADER, redact),
        body: sent.body === null ? null : redact(sent.body),
      };
      sink(request);
      let answer: HttpAnswer;
      try {
        answer = await http.send(sent);
      } catch (error) {
        sink({ kind: 'failure', monotonicMs: clock.monotonicMs(), request, ...failureOf(error, redact) });
        throw error;
      }
      const { status, headers, body } = answer;
      const clean = { status, headers: withoutKey(headers, KEY_HEADER, redact), body: redact(body) };
      sink({ kind: 'answer', monotonicMs: clock.monotonicMs(), request, ...clean });
      return answer;
    },
    close: () => http.close(),
  };
}

function failureOf(error: unknown, redact: Redact): { outcome: TransportOutcome; reason: string } {
  const outcome = error instanceof TransportError ? error.outcome : 'unknown';
  return { outcome, reason: redact(reasonOf(error)) };
}

/** Records the connections of the stream and every message on them. */
export function recordSockets(
  sockets: SocketTransport,
  sink: Sink<StreamRecord>,
  clock: Pick<Clock, 'monotonicMs'>,
  apiKey: Secret | KeyInForce,
): SocketTransport {
  const keys = inForce(apiKey);
  let connections = 0;
  return {
    open(query, handlers) {
      const connection = ++connections;
      const record: RecordStep = (step) => sink({ monotonicMs: clock.monotonicMs(), connection, ...step });
      record({ kind: 'opening', query: withoutKey(query, KEY_PARAMETER, keys.redact) });
      return new RecordedConnection(record, keys, handlers).open(sockets, query);
    },
  };
}

type RecordStep = (step: StreamStep) => void;

/** Sits between a socket and its user. A message on a connection that is not open is not sent, so it is not recorded. */
class RecordedConnection {
  readonly #record: RecordStep;
  readonly #keys: KeyInForce;
  readonly #handlers: SocketHandlers;
  #state: 'opening' | 'open' | 'ended' = 'opening';

  constructor(record: RecordStep, keys: KeyInForce, handlers: SocketHandlers) {
    this.#record = record;
    this.#keys = keys;
    this.#handlers = handlers;
  }

  open(sockets: SocketTransport, query: Readonly<Record<string, string>>): Socket {
    const socket = sockets.open(query, this.#recordingHandlers());
    return {
      send: (text) => {
        if (this.#state === 'open') this.#record({ kind: 'sent', text: this.#keys.redact(text) });
        socket.send(text);
      },
      terminate: () => {
        if (this.#state !== 'ended') this.#record({ kind: 'terminated' });
        this.#state = 'ended';
        socket.terminate();
      },
    };
  }

  #recordingHandlers(): SocketHandlers {
    const { redact } = this.#keys;
    const handlers = this.#handlers;
    return {
      onOpen: () => {
        this.#state = 'open';
        this.#record({ kind: 'open' });
        handlers.onOpen();
      },
      onMessage: (data) => {
        this.#record({ kind: 'received', data: this.#keys.redactBytes(data) });
        handlers.onMessage(data);
      },
      onBytes: () => handlers.onBytes?.(),
      onRefused: (status, body) => {
        this.#state = 'ended';
        this.#record({ kind: 'refused', status, body: redact(body) });
        handlers.onRefused(status, body);
      },
      onClose: (code, reason) => {
        this.#state = 'ended';
        this.#record({ kind: 'closed', code, reason: redact(reason) });
        handlers.onClose(code, reason);
      },
    };
  }
}

/** Replaces the key in its own field even when the key is too short to be searched for in texts. */
function withoutKey(
  fields: Readonly<Record<string, string>>,
  keyField: string,
  redact: Redact,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      name.toLowerCase() === keyField ? SHOWN_SECRET : redact(value),
    ]),
  );
}
