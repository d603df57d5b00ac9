import type { IncomingMessage } from 'node:http';
import { TouchlineError, TransportError } from '../../domain/errors.ts';

/** A request to a daemon. */
export interface Question<T> {
  readonly path: string;
  /** Whether an answer has the part that is read. */
  readonly shape: (body: unknown) => body is T;
  /** Whether the request names something that the daemon may not know. Default: no. */
  readonly names?: boolean;
}

/** Sends requests to a running daemon's admin interface and returns whole answers. */
export interface AdminClient {
  get<T>(question: Question<T>): Promise<T>;
  post<T>(question: Question<T>, body: object): Promise<T>;
  remove<T>(question: Question<T>): Promise<T>;
}

export interface AdminClientOptions {
  /** Address of the admin interface. */
  readonly url: string;
  readonly timeoutMs: number;
  /** Tokens to try, in order. May reject with ConfigError. */
  readonly tokens: () => AsyncIterable<string>;
  /** By what the person named the daemon: errors advise only the rest. Default: by nothing. */
  readonly named?: NamedBy;
}

/** What a person gave to name a daemon. */
export interface NamedBy {
  readonly config: boolean;
  readonly url: boolean;
}

const BY_NOTHING: NamedBy = { config: false, url: false };

/**
 * A client of the admin interface at `url`. Rejects with TransportError if no daemon answers in full within `timeoutMs`, or if
 * another program answers. Rejects with TouchlineError `not_found` if the daemon does not know the name in the request, `ambiguous` if
 * several things have it,
 * `unauthorised` if it accepts no token that was found, and `refused` for any other failure.
 */
export function adminClient({ url, timeoutMs, tokens, named = BY_NOTHING }: AdminClientOptions): AdminClient {
  /** The last token that the daemon accepted. */
  let accepted: string | null = null;
  const noDaemon = (): TransportError =>
    new TransportError('unknown', `what answers at ${url} is no daemon`, { url });
  const reachWith = (token: string | null, { headers, ...asking }: Asking, path: string): Promise<Answer> => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const all = { ...headers, ...authorization };
    const signal = AbortSignal.timeout(timeoutMs);
    return reach({ url, named }, path, { ...asking, headers: all }, signal);
  };
  /** Without any token another program may still answer, or none, which the caller has to know. */
  async function* candidates(): AsyncGenerator<string | null> {
    if (accepted !== null) {
      yield accepted;
      return;
    }
    let isFound = false;
    for await (const token of tokens()) {
      isFound = true;
      yield token;
    }
    if (!isFound) yield null;
  }
  const authorised = async (asking: Asking, path: string): Promise<Answer> => {
    let last: string | null = null;
    for await (const token of candidates()) {
      last = token;
      const answer = await reachWith(token, asking, path);
      if (answer.status === UNAUTHORISED) continue;
      accepted = token;
      return answer;
    }
    throw unauthorised({ url, named }, last !== null);
  };
  const ask = async <T>({ path, shape, names }: Question<T>, asking: Asking): Promise<T> => {
    const { status, body } = await authorised(asking, path);
    if (status >= 200 && status < 300) {
      if (shape(body)) return body;
      throw noDaemon();
    }
    // A daemon serves every path that this client requests.
    if (status === 404 && names !== true) throw noDaemon();
    if (status === 409 && names === true) throw new TouchlineError('ambiguous', reasonIn(body));
    throw new TouchlineError(
      status === 404 ? 'not_found' : 'refused',
      `the daemon refused: ${reasonIn(body)}`,
    );
  };
  return {
    get: (question) => ask(question, { method: 'GET' }),
    remove: (question) => ask(question, { method: 'DELETE' }),
    post: (question, body) => {
      const headers = { 'content-type': 'application/json' };
      return ask(question, { method: 'POST', headers, body: JSON.stringify(body) });
    },
  };
}

/** The daemon's own sentence. Daemons of another version may answer otherwise. */
function reasonIn(body: unknown): string {
  const { message, error } = (body ?? {}) as { readonly message?: unknown; readonly error?: unknown };
  return [message, error].find((each) => typeof each === 'string') ?? JSON.stringify(body);
}

const UNAUTHORISED = 401;

/** Where a daemon is looked for. */
interface Place {
  readonly url: string;
  readonly named: NamedBy;
}

function unauthorised({ url, named }: Place, isFound: boolean): TouchlineError {
  const what = isFound ? 'the daemon does not accept the token' : 'no token for the daemon was found';
  const advice = namingBy(named.config ? [] : [CONFIG], [TOKEN]);
  return new TouchlineError('unauthorised', `${what} at ${url}: ${advice}`, { url });
}

const CONFIG = 'its configuration with --config';
const URL_OPTION = 'its address with --url';
const TOKEN = 'a token with --token-file';

/** `name this or that` */
const namingBy = (...ways: readonly (readonly string[])[]): string => `name ${ways.flat().join(' or ')}`;

interface Asking {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Another program may listen at the address, so an answer that is not JSON does not come from a daemon. An invalid address has no
 * daemon. `fetch` is not used, because it refuses some ports at which a daemon may listen. A kill must not wait for an HTTP
 * library to load, so none is used.
 */
async function reach(place: Place, path: string, asking: Asking, signal: AbortSignal): Promise<Answer> {
  const { url } = place;
  try {
    const response = await responseTo(new URL(path, url), asking, signal);
    return { status: response.statusCode ?? 0, body: JSON.parse(await textOf(response)) };
  } catch (error) {
    throw new TransportError('unknown', unanswered(place, error), { url }, error);
  }
}

/** A connection that is open and silent is no sign that there is no daemon. */
function unanswered({ url, named }: Place, error: unknown): string {
  const ways = [...(named.config ? [] : [CONFIG]), ...(named.url ? [] : [URL_OPTION])];
  const others = ways.length === 0 ? '' : `, or ${namingBy(ways)}`;
  return error instanceof Error && error.name === 'AbortError'
    ? `nothing answers at ${url} in time: a daemon there may be busy or hang. Try again${others}`
    : `no daemon answers at ${url}: start one${others}`;
}

async function responseTo(
  url: URL,
  { body, ...asking }: Asking,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { ...asking, signal }, resolve)
      .on('error', reject)
      .end(body);
  });
}

/** The whole body. Rejects if it is cut. */
function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => void (text += chunk));
  return new Promise((resolve, reject) => {
    response.on('end', () => resolve(text));
    response.on('error', reject);
  });
}
