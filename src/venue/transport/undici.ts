import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { TransportError, type TransportOutcome } from '../../domain/errors.ts';
import { faultCode, reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpAnswer, HttpRequest, HttpTransport } from '../../ports/transport.ts';

export interface UndiciOptions {
  /** `{base_url}` of the specification, ending in `/v2/`, with or without a prefix. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly connections?: number;
  readonly connectTimeoutMs?: number;
  /** The largest answer that is read. A larger one fails the request. */
  readonly longestBodyBytes?: number;
}

const DEFAULTS = {
  // More than the budgets allow in flight. This layer does not know which request is urgent, and an urgent one must not
  // wait behind slow answers. The pool opens only as many as are needed at once.
  connections: 500,
  connectTimeoutMs: 5_000,
  longestBodyBytes: 64 * 1024 * 1024,
};

/**
 * HTTP/1.1 over a pool of kept-alive connections, one request at a time on each. The outcome of a failure is `not-sent`
 * until the request is handed to a connected socket (after DNS, TCP and TLS), and `unknown` from then on.
 */
export function undiciTransport(options: UndiciOptions): HttpTransport {
  const settings = { ...DEFAULTS, ...options };
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/?(v2\/?)?$/, '');
  const pool = new Pool(base.origin, {
    connections: settings.connections,
    pipelining: 1,
    // HTTP/2 would put all requests on one connection, stay on it when it is silent, and repeat refused requests.
    allowH2: false,
    connect: { timeout: settings.connectTimeoutMs, lookup: sharedLookup() },
    // Each request has its own timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  });
  return {
    waitsForConnections: true,
    send: (request) =>
      new Promise((resolve, reject) => {
        const inFlight = new RequestInFlight(request, settings, resolve, reject);
        inFlight.start(pool, prefix + request.path);
      }),
    close: () => pool.destroy(),
  };
}

/** Answers are not inflated here. Without this header a server may compress them. */
const PLAIN = { 'accept-encoding': 'identity' };

/** A request and its answer. Settles once; later data is dropped. */
class RequestInFlight implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #settings: { readonly clock: Clock; readonly longestBodyBytes: number };
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: TransportError) => void;
  readonly #chunks: Buffer[] = [];
  readonly #abort = (): void => this.#giveUp('cancelled');
  #timer: { cancel(): void } | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #outcome: TransportOutcome = 'not-sent';
  #settled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #bytes = 0;

  constructor(
    request: HttpRequest,
    settings: { readonly clock: Clock; readonly longestBodyBytes: number },
    resolve: (answer: HttpAnswer) => void,
    reject: (error: TransportError) => void,
  ) {
    this.#request = request;
    this.#settings = settings;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(pool: Pool, path: string): void {
    const { signal, timeoutMs, method, headers, body } = this.#request;
    if (signal?.aborted === true) return this.#abort();
    signal?.addEventListener('abort', this.#abort, { once: true });
    this.#timer = this.#settings.clock.after(timeoutMs, () => this.#giveUp('no answer in time'));
    try {
      pool.dispatch({ path, method, headers: { ...headers, ...PLAIN }, body }, this);
    } catch (error) {
      this.onResponseError(null, error);
    }
  }

  /** The socket is connected, and the request is written next. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) return controller.abort(new Error('given up before it was sent'));
    try {
      this.#request.whenConnected?.();
    } catch (error) {
      return this.#giveUp(reasonOf(error));
    }
    this.#outcome = 'unknown';
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#settings.longestBodyBytes) return this.#giveUp('the answer is too long');
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const body = Buffer.concat(this.#chunks).toString('utf8');
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    if (this.#settle()) this.#reject(this.#error(faultCode(error)));
  }

  #giveUp(why: string): void {
    if (!this.#settle()) return;
    this.#reject(this.#error(why));
    this.#controller?.abort(new Error(why));
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#timer?.cancel();
    this.#request.signal?.removeEventListener('abort', this.#abort);
    return true;
  }

  /** The library's error is not the cause, because it may hold the request, and with it the key. */
  #error(why: string): TransportError {
    const { method, path } = this.#request;
    const endpoint = `${method} ${path.split('?')[0] ?? ''}`;
    return new TransportError(this.#outcome, `${endpoint} failed: ${why}`, { endpoint, why });
  }
}

type Callback = Parameters<LookupFunction>[2];

/**
 * Resolves names with the system's resolver, but has only one look-up of a name in flight: other callers wait for the
 * same answer. The system looks up two names at a time, and a look-up cannot be cancelled. While no name server answers,
 * the look-ups of every attempt to connect would queue up, and would all be asked first when a server answers again.
 */
export function sharedLookup(): LookupFunction {
  const inFlight = new Map<string, Callback[]>();
  return (name, options, callback) => {
    const key = JSON.stringify([name, options]);
    const waiting = inFlight.get(key);
    if (waiting !== undefined) {
      waiting.push(callback);
      return;
    }
    const callbacks = [callback];
    inFlight.set(key, callbacks);
    lookup(name, options, (...answer) => {
      inFlight.delete(key);
      for (const each of callbacks) each(...answer);
    });
  };
}
