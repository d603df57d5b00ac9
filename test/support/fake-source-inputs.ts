import { defer, from, Observable, Subject, throwError, timeout } from 'rxjs';
import { clockScheduler } from '../../src/engine/clock-scheduler.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { HttpQuery, SourceInputs } from '../../src/strategy/price-source.ts';

/** What a server answers at a path. */
export interface Page {
  readonly status?: number;
  readonly etag?: string;
  readonly body: string;
  /** It never answers. */
  readonly stalls?: boolean;
}

/** An open connection of a source, from the side of the server. */
export interface FakeSocket {
  readonly url: string;
  /** Messages of the source. */
  readonly received: string[];
  send(text: string): void;
  close(): void;
}

/** The network and the disk of price sources, in memory. */
export interface FakeInputs {
  readonly inputs: SourceInputs;
  /** By address; an address without a page refuses the connection. */
  readonly pages: Map<string, Page>;
  readonly requests: { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
  readonly sockets: FakeSocket[];
  /** Adds text to a file. */
  readonly append: (path: string, text: string) => void;
}

export function fakeInputs(clock: Clock): FakeInputs {
  const pages = new Map<string, Page>();
  const requests: FakeInputs['requests'] = [];
  const sockets: FakeSocket[] = [];
  const files = new Map<string, Subject<string>>();
  const remembered = new Map<string, Page>();
  const scheduler = clockScheduler(clock);

  const get = (url: string, headers: HttpQuery['headers'] = {}): Promise<unknown> => {
    const [page, known] = [pages.get(url), remembered.get(url)];
    requests.push({ url, headers });
    if (page === undefined) throw new Error('nothing listens');
    if (page.stalls === true) return new Promise(() => undefined);
    const { status = 200, etag, body } = page;
    if (status === 304 && known !== undefined) return Promise.resolve(JSON.parse(known.body));
    if (status !== 200) throw new Error(`GET ${url} answered ${status}`);
    if (etag !== undefined) remembered.set(url, page);
    return Promise.resolve(JSON.parse(body));
  };

  const inputs: SourceInputs = {
    http: (url, { headers, timeoutMs = 10_000 } = {}) =>
      defer(() => from(get(url, headers))).pipe(timeout({ first: timeoutMs, scheduler })),
    socket: (url, { hello = [], silentMs = 60_000 } = {}) =>
      new Observable<unknown>((subscriber) => {
        const received = hello.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
        const close = (): void => subscriber.error(new Error('closed the connection'));
        sockets.push({ url, received, close, send: (text) => subscriber.next(readable(text)) });
      }).pipe(
        timeout({
          each: silentMs,
          scheduler,
          with: () => throwError(() => new Error(`sent nothing for ${silentMs / 1000} s`)),
        }),
      ),
    lines: (path) => lines(files, path),
  };
  const append = (path: string, text: string): void =>
    text.split('\n').forEach((line) => line !== '' && files.get(path)?.next(line));
  return { inputs, pages, requests, sockets, append };
}

function lines(files: Map<string, Subject<string>>, path: string): Observable<string> {
  const added$ = files.get(path) ?? new Subject<string>();
  files.set(path, added$);
  return added$;
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
