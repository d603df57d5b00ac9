import { defer, finalize, from, map, Observable, throwError, timeout } from 'rxjs';
import { clockScheduler } from '../../engine/clock-scheduler.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpAnswer, HttpTransport } from '../../ports/transport.ts';
import type { HttpQuery, SocketOptions, SourceInputs } from '../../strategy/price-source.ts';
import { undiciTransport, wsTransport } from '../../venue/index.ts';
import { addedLines } from './added-lines.ts';

/** A larger answer or message would hold up the daemon while it is read. */
const LONGEST_BYTES = 8 * 1024 * 1024;
const HTTP_TIMEOUT_MS = 10_000;
const SILENT_MS = 60_000;
/** A source that makes up addresses without end would fill the memory. */
const MOST_REMEMBERED = 100;

/** The real network and the real disk, for price sources. */
export const sourceInputs = (clock: Clock): SourceInputs => {
  const getter = new Getter(clock);
  return {
    http(url, query = {}) {
      return getter.get(url, query);
    },
    socket(url, options = {}) {
      return messages(url, options, clock);
    },
    lines(path) {
      return addedLines(path, clockScheduler(clock));
    },
  } satisfies SourceInputs;
};

/** An answer that the server may tell us to use again. */
interface Remembered {
  readonly etag: string;
  readonly body: string;
}

/** GETs JSON over kept-alive connections, two for each origin. */
class Getter {
  readonly #clock: Clock;
  readonly #transports = new Map<string, HttpTransport>();
  /** By address; the oldest first. */
  readonly #remembered = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(address: string, { headers = {}, timeoutMs = HTTP_TIMEOUT_MS }: HttpQuery): Observable<unknown> {
    return defer(() => {
      const url = addressOf(address, ['http:', 'https:']);
      const known = this.#remembered.get(url.href);
      const abort = new AbortController();
      const answer = this.#transportTo(url.origin).send({
        method: 'GET',
        path: `${url.pathname}${url.search}`,
        body: null,
        timeoutMs,
        signal: abort.signal,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(known === undefined ? {} : { 'if-none-match': known.etag }),
        },
      });
      return from(answer).pipe(
        map((given) => JSON.parse(this.#bodyOf(url, given)) as unknown),
        finalize(() => abort.abort()),
      );
    });
  }

  #transportTo(origin: string): HttpTransport {
    const known = this.#transports.get(origin);
    if (known !== undefined) return known;
    const made = undiciTransport({
      baseUrl: origin,
      clock: this.#clock,
      connections: 2,
      longestBodyBytes: LONGEST_BYTES,
    });
    this.#transports.set(origin, made);
    return made;
  }

  #bodyOf(url: URL, { status, headers, body }: HttpAnswer): string {
    const known = this.#remembered.get(url.href);
    if (status === 304 && known !== undefined) return known.body;
    if (status !== 200) throw new Error(`GET ${shown(url)} answered ${status}`);
    this.#remembered.delete(url.href);
    const { etag } = headers;
    if (etag === undefined) return body;
    this.#remembered.set(url.href, { etag, body });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    return body;
  }
}

/** The messages of a connection. Fails when the connection ends or is silent for too long. */
function messages(
  address: string,
  { hello = [], silentMs = SILENT_MS }: SocketOptions,
  clock: Clock,
): Observable<unknown> {
  return defer(() => {
    const url = addressOf(address, ['ws:', 'wss:']);
    return new Observable<string>((subscriber) => {
      const socket = wsTransport({ url: url.href, longestMessageBytes: LONGEST_BYTES }).open(
        {},
        {
          onOpen: () =>
            hello.forEach((each) => socket.send(typeof each === 'string' ? each : JSON.stringify(each))),
          onMessage: (data) => subscriber.next(Buffer.from(data).toString('utf8')),
          onRefused: (status) =>
            subscriber.error(new Error(`${shown(url)} refused the connection with ${status}`)),
          onClose: (code, reason) =>
            subscriber.error(
              new Error(
                `${shown(url)} closed the connection (${[code, reason].filter(Boolean).join(' ') || 'no reason given'})`,
              ),
            ),
        },
      );
      return () => socket.terminate();
    }).pipe(
      timeout({
        each: silentMs,
        scheduler: clockScheduler(clock),
        with: () => throwError(() => new Error(`${shown(url)} sent nothing for ${silentMs / 1000} s`)),
      }),
      map(jsonOrText),
    );
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function addressOf(address: string, protocols: readonly string[]): URL {
  if (URL.canParse(address)) {
    const url = new URL(address);
    if (protocols.includes(url.protocol)) return url;
  }
  throw new Error(
    `"${address.split('?', 1)[0] ?? ''}" is no address that starts with ${protocols.join('// or ')}//`,
  );
}

/** An address for the log. Its query may hold a key. */
const shown = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;
