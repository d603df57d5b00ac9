import { request } from 'undici';
import type { z } from 'zod';
import { TouchlineError, TransportError } from '../../domain/errors.ts';

/** What is asked of a daemon. */
export interface Question<T> {
  readonly path: string;
  /** What is read of a daemon's answer. */
  readonly shape: z.ZodType<T>;
  /** Whether it names something that the daemon may not know. Default: no. */
  readonly names?: boolean;
}

/** Asks a running daemon's admin interface. Answers are handed on whole. */
export interface AdminClient {
  get<T>(question: Question<T>): Promise<T>;
  post<T>(question: Question<T>, body: object): Promise<T>;
}

/**
 * A client of the admin interface at `url`. Rejects with TransportError when no daemon answers, in full, within
 * `timeoutMs`, or another program does; with TouchlineError `not_found` when the daemon does not know what the question
 * names, `refused` when it answers anything else but success.
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
    // A daemon serves every path that is asked for.
    if (status === 404 && names !== true) throw noDaemon();
    const told = JSON.stringify(body);
    throw new TouchlineError(status === 404 ? 'not_found' : 'refused', `the daemon refused: ${told}`);
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
 * Another program may sit at the address: what is no JSON is no daemon's answer. What is no address has no daemon. Not by
 * `fetch`, which refuses the ports that browsers refuse: a daemon may serve at any.
 */
async function reach(url: string, path: string, asking: Asking, signal: AbortSignal): Promise<Answer> {
  try {
    const { statusCode, body } = await request(new URL(path, url), { ...asking, signal });
    return { status: statusCode, body: await body.json() };
  } catch (error) {
    throw new TransportError('unknown', `no daemon answers at ${url}`, { url }, error);
  }
}
