import { request } from 'undici';
import type { z } from 'zod';
import { TouchlineError, TransportError } from '../../domain/errors.ts';

/** A request to a daemon. */
export interface Question<T> {
  readonly path: string;
  /** The part of the daemon's answer that is read. */
  readonly shape: z.ZodType<T>;
  /** Whether the request names something that the daemon may not know. Default: no. */
  readonly names?: boolean;
}

/** Sends requests to a running daemon's admin interface and returns whole answers. */
export interface AdminClient {
  get<T>(question: Question<T>): Promise<T>;
  post<T>(question: Question<T>, body: object): Promise<T>;
}

/**
 * A client of the admin interface at `url`. Rejects with TransportError if no daemon answers in full within `timeoutMs`, or if
 * another program answers. Rejects with TouchlineError `not_found` if the daemon does not know the name in the request, and
 * `refused` for any other failure.
 */
export function adminClient(url: string, timeoutMs: number): AdminClient {
  const noDaemon = (): TransportError =>
    new TransportError('unknown', `what answers at ${url} is no daemon`, { url });
  const ask = async <T>({ path, shape, names }: Question<T>, asking: Asking): Promise<T> => {
    const { status, body } = await reach(url, path, asking, AbortSignal.timeout(timeoutMs));
    if (status >= 200 && status < 300) {
      if (isOf(shape, body)) return body;
      throw noDaemon();
    }
    // A daemon serves every path that this client requests.
    if (status === 404 && names !== true) throw noDaemon();
    const answer = JSON.stringify(body);
    throw new TouchlineError(status === 404 ? 'not_found' : 'refused', `the daemon refused: ${answer}`);
  };
  return {
    get: (question) => ask(question, { method: 'GET' }),
    post: (question, body) => {
      const headers = { 'content-type': 'application/json' };
      return ask(question, { method: 'POST', headers, body: JSON.stringify(body) });
    },
  };
}

const isOf = <T>(shape: z.ZodType<T>, body: unknown): body is T => shape.safeParse(body).success;

interface Asking {
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Another program may listen at the address, so an answer that is not JSON does not come from a daemon. An invalid address has no
 * daemon. `fetch` is not used, because it refuses some ports at which a daemon may listen.
 */
async function reach(url: string, path: string, asking: Asking, signal: AbortSignal): Promise<Answer> {
  try {
    const { statusCode, body } = await request(new URL(path, url), { ...asking, signal });
    return { status: statusCode, body: await body.json() };
  } catch (error) {
    throw new TransportError('unknown', `no daemon answers at ${url}`, { url }, error);
  }
}
