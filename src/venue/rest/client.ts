import { TouchlineError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { KeyInForce, Redact } from '../../domain/secret.ts';
import type { Random } from '../../lib/random.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Counter, type Histogram, knownValues, type Metrics } from '../../ports/metrics.ts';
import type { HttpAnswer, HttpTransport } from '../../ports/transport.ts';
import type { CallOptions, Priority } from '../../ports/venue.ts';
import type { Budgets, LaneName } from '../budgets/budgets.ts';
import type { Lease } from '../budgets/lane.ts';
import { openEnvelope, type RetryAfter } from '../wire/envelope.ts';
import type { Reader } from '../wire/reader.ts';
import type { Survey } from '../wire/survey.ts';
import { type Endpoint, ENDPOINTS, KNOWN_OUTCOMES } from './endpoints.ts';
import { type Repeat, retryDelayMs, type RetryPolicy } from './retry.ts';

type Value = string | number | boolean;

/** Query parameters. An array is a repeated parameter. Null and undefined are left out. */
export type Query = Readonly<Record<string, Value | readonly Value[] | null | undefined>>;

/** A path under `/v2/` with its query. Segments must be encoded already (`segment`). */
export function pathOf(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    valuesOf(value).map((v) => [name, v] as const),
  );
  const encoded = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return encoded.length === 0 ? `/v2/${path}` : `/v2/${path}?${encoded.join('&')}`;
}

function valuesOf(value: Query[string]): readonly string[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** A segment of a path, encoded. */
export const segment = (value: string | number): string => encodeURIComponent(value);

/** A wall-clock instant (milliseconds) in the exchange's format. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

export const isoTimeOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : isoTime(ms);

type Method = 'GET' | 'POST' | 'DELETE';

/** The call of an endpoint. `name` is its method and documented path; logs and metrics name it so. */
export interface Call<T> {
  readonly name: Endpoint;
  /** Absolute path with query. */
  readonly path: string;
  readonly body?: unknown;
  readonly lane?: LaneName;
  readonly repeat: Repeat;
  /** Used when the caller gives no priority. */
  readonly priority?: Priority;
  /** Used when the caller gives no value. */
  readonly value?: number;
  readonly read: Reader<T>;
  /** The call is repeated often, mostly with the same answer. A body equal to the last one is not parsed again. */
  readonly recurs?: boolean;
}

export interface RestSettings {
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

export interface RestParts {
  readonly http: HttpTransport;
  readonly keys: Pick<KeyInForce, 'key'>;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly budgets: Budgets;
  readonly survey: Survey;
  readonly settings: RestSettings;
}

/** The only request that leaves after the exchange has refused the key. One request closes all orders. */
const LAST_ALLOWED: Endpoint = 'POST /v2/orders/close_many/';
/** The most paths of recurring calls to remember. */
const MOST_RECURRING = 500;
const LATENCY_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Sends calls: waits for their budget, sends, opens the envelope, and retries by the rules of `retry.ts`. */
export class RestClient {
  readonly #parts: RestParts;
  readonly #requests: Counter<'endpoint' | 'outcome'>;
  readonly #latency: Histogram<'endpoint'>;
  readonly #closing = new AbortController();
  /** The last answers to recurring calls, by path. */
  readonly #recurring = new Map<string, Recurring>();
  #throttled = 0;
  #keyRefusal: VenueRejection | null = null;

  constructor(parts: RestParts) {
    this.#parts = parts;
    this.#requests = parts.metrics.counter(
      'touchline_venue_requests_total',
      'REST requests by endpoint and outcome',
      ['endpoint', 'outcome'],
      KNOWN_OUTCOMES,
    );
    this.#latency = parts.metrics.histogram(
      'touchline_venue_request_seconds',
      'Time from sending a REST request to its answer',
      LATENCY_BUCKETS_S,
      ['endpoint'],
      knownValues('endpoint', Object.keys(ENDPOINTS)),
    );
  }

  /** The number of 429 answers so far. */
  get throttledCount(): number {
    return this.#throttled;
  }

  /** The answer 401 that ended all requests but one kind of close; null while the key is accepted. */
  get keyRefusal(): VenueRejection | null {
    return this.#keyRefusal;
  }

  /** Sends requests again. The next answer 401 ends them again. */
  retryKey(): void {
    this.#keyRefusal = null;
  }

  /**
   * Rejects with TransportError, ProtocolError or VenueRejection, or with the error that `beforeSend` throws. `retry.ts`
   * decides what is retried.
   */
  async call<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    const { signal, release } = firstAbort(this.#closing.signal, options.signal);
    try {
      return await this.#attempts(call, options, signal);
    } finally {
      release();
    }
  }

  async #attempts<T>(call: Call<T>, options: CallOptions, signal: AbortSignal): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const result = await this.#attempt(call, options, signal);
      if (result.ok) return result.value;
      const { retry } = this.#parts.settings;
      const repeat = options.once === true ? 'once' : call.repeat;
      const delayMs = retryDelayMs(result.error, repeat, attempt, retry, this.#parts.random);
      if (delayMs === null || !result.repeatable || signal.aborted) throw result.error;
      await this.#pause(delayMs, signal, result.error);
    }
  }

  /** Calls an endpoint that only reads. */
  get<T>(name: Endpoint & `GET ${string}`, path: string, read: Reader<T>, options?: CallOptions): Promise<T> {
    return this.call({ name, path, repeat: 'safe', read }, options);
  }

  /** Aborts every call in flight. */
  close(): void {
    this.#closing.abort(new TransportError('unknown', 'the client is closed'));
  }

  /** An abort during the pause throws the error that led to the pause. */
  async #pause(delayMs: number, signal: AbortSignal, error: unknown): Promise<void> {
    try {
      await sleep(this.#parts.clock, delayMs, signal);
    } catch {
      throw error;
    }
  }

  async #attempt<T>(call: Call<T>, options: CallOptions, signal: AbortSignal): Promise<Attempt<T>> {
    const refusal = this.#refusalOf(call);
    if (refusal !== null) return { ok: false, error: refusal, repeatable: false };
    const lane = call.lane ?? 'general';
    const ticket = {
      priority: options.priority ?? call.priority ?? 'normal',
      value: options.value ?? call.value ?? 0,
      signal,
    };
    let lease: Lease;
    try {
      lease = await this.#parts.budgets.enter(lane, ticket);
    } catch (error) {
      return { ok: false, error, repeatable: false };
    }
    return this.#send(call, options, signal, lease);
  }

  async #send<T>(
    call: Call<T>,
    options: CallOptions,
    signal: AbortSignal,
    lease: Lease,
  ): Promise<Attempt<T>> {
    try {
      this.#judgeKey(call);
      options.beforeSend?.();
    } catch (error) {
      lease.giveBack();
      return { ok: false, error, repeatable: false };
    }
    // The request counts from now: a slow disk may have delayed it. Waiting for a connection may delay it further.
    if (this.#parts.http.waitsForConnections !== true) lease.markSent();
    const whenConnected = (): void => {
      this.#judgeKey(call);
      options.whenConnected?.();
      lease.markSent();
    };
    let answer: HttpAnswer;
    try {
      answer = await this.#transmit(call, signal, whenConnected);
    } catch (error) {
      this.#noteUnanswered(call, error, lease);
      return { ok: false, error, repeatable: true };
    }
    lease.release();
    return this.#read(call, answer);
  }

  #read<T>(call: Call<T>, answer: HttpAnswer): Attempt<T> {
    const { survey } = this.#parts;
    const known = call.recurs === true ? this.#recurring.get(call.path) : undefined;
    if (answer.status === 200 && known?.body === answer.body) return { ok: true, value: known.value as T };
    try {
      // Betslips have a limit of the day.
      const bounds: RetryAfter = call.lane === 'betslips' ? 'retry_after.betslips' : 'retry_after';
      const value = call.read(openEnvelope(answer, survey, bounds), survey);
      if (call.recurs === true) this.#remember(call.path, { body: answer.body, value });
      return { ok: true, value };
    } catch (error) {
      if (error instanceof VenueRejection && error.status === 429) this.#noteThrottle(call, error);
      if (error instanceof VenueRejection && error.status === 401) this.#keyRefusal = error;
      this.#logFailure(call, error);
      return { ok: false, error, repeatable: true };
    }
  }

  /** Why the call sends nothing; null when it may. A refused key may close orders, because an open order may cost money. */
  #refusalOf({ name }: Pick<Call<unknown>, 'name'>): VenueRejection | null {
    return name === LAST_ALLOWED ? null : this.#keyRefusal;
  }

  /** Throws the refusal of the key, which may have come while the call waited. */
  #judgeKey(call: Pick<Call<unknown>, 'name'>): void {
    const refusal = this.#refusalOf(call);
    if (refusal !== null) throw refusal;
  }

  #remember(path: string, read: Recurring): void {
    if (this.#recurring.size >= MOST_RECURRING) this.#recurring.clear();
    this.#recurring.set(path, read);
  }

  async #transmit<T>(call: Call<T>, signal: AbortSignal, whenConnected: () => void): Promise<HttpAnswer> {
    const { http, keys, clock, settings, redact } = this.#parts;
    const { key } = keys;
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    const headers: Record<string, string> = { 'x-api-key': key.reveal(), accept: 'application/json' };
    if (body !== null) headers['content-type'] = 'application/json';
    const startedMs = clock.monotonicMs();
    const method = call.name.slice(0, call.name.indexOf(' ')) as Method;
    const { path } = call;
    const { timeoutMs } = settings;
    const answer = await http.send({ method, path, headers, body, timeoutMs, signal, whenConnected });
    this.#latency.observe((clock.monotonicMs() - startedMs) / 1000, { endpoint: call.name });
    this.#requests.inc({ endpoint: call.name, outcome: String(answer.status) });
    // The refusal of a key that was replaced meanwhile says nothing about the present one.
    if (answer.status === 401 && keys.key !== key)
      throw new TransportError('not-sent', 'the API key was replaced while the request was under way');
    // A refusal may repeat the key, which must not get into errors and logs.
    return answer.status < 400 ? answer : { ...answer, body: redact(answer.body) };
  }

  #noteUnanswered<T>(call: Call<T>, error: unknown, lease: Lease): void {
    const outcome = error instanceof TransportError ? error.outcome : 'unknown';
    if (outcome === 'not-sent') lease.giveBack();
    else lease.release();
    this.#requests.inc({ endpoint: call.name, outcome });
    this.#logFailure(call, error);
  }

  #logFailure<T>(call: Call<T>, error: unknown): void {
    if (!(error instanceof TouchlineError)) return;
    this.#parts.logger.debug('a request failed', {
      endpoint: call.name,
      code: error.code,
      error: error.message,
    });
  }

  #noteThrottle<T>(call: Call<T>, error: VenueRejection): void {
    this.#throttled += 1;
    this.#parts.budgets.throttled(call.lane ?? 'general', error.retryAfterS);
    this.#parts.logger.warn('the exchange throttled a request (429)', {
      endpoint: call.name,
      retryAfterS: error.retryAfterS,
    });
  }
}

/** The last answer to a recurring call, and the value read from it. */
interface Recurring {
  readonly body: string;
  readonly value: unknown;
}

type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown; readonly repeatable: boolean };

/**
 * `AbortSignal.any` without its cost: as long as one source lives, Node keeps a record of every signal made from it. A client
 * makes one for each request from a signal that lives as long as itself, and would grow without end.
 */
export interface FirstAbort {
  /** Aborts with the reason of the source that aborts first. */
  readonly signal: AbortSignal;
  /** Lets go of the sources. Afterwards their aborts no longer reach `signal`. */
  readonly release: () => void;
}

/** Joins two sources; absent ones never abort. The caller releases the result. */
export function firstAbort(one: AbortSignal, other?: AbortSignal): FirstAbort {
  if (other === undefined) return { signal: one, release: () => undefined };
  const sources = [one, other];
  const joined = new AbortController();
  const onAbort = (event: Event): void => joined.abort((event.target as AbortSignal).reason);
  const release = (): void => {
    for (const source of sources) source.removeEventListener('abort', onAbort);
  };
  const aborted = sources.find((source) => source.aborted);
  if (aborted === undefined) for (const source of sources) source.addEventListener('abort', onAbort);
  else joined.abort(aborted.reason);
  return { signal: joined.signal, release };
}
