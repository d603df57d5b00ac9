import { request } from 'undici';
import { TouchlineError, TransportError } from '../../domain/errors.ts';

/** Asks a running daemon's admin interface. */
export interface AdminClient {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
}

/**
 * A client of the admin interface at `url`. Rejects with TransportError when no daemon answers, in full, within
 * `timeoutMs`; with TouchlineError `refused` when it answers anything but success.
 */
export function adminClient(url: string, timeoutMs: number): AdminClient {
  const ask = async (path: string, asking: Asking): Promise<unknown> => {
    const { status, body } = await reach(url, path, asking, AbortSignal.timeout(timeoutMs));
    if (status >= 200 && status < 300) return body;
    const told = JSON.stringify(body);
    throw new TouchlineError(status === 404 ? 'not_found' : 'refused', `the daemon refused: ${told}`);
  };
  return {
    get: (path) => ask(path, { method: 'GET' }),
    post: (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    },
  };
}

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
