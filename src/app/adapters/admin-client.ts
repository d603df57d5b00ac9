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
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    const limited = { ...init, signal: AbortSignal.timeout(timeoutMs) };
    const { ok, status, body } = await reach(url, path, limited);
    if (ok) return body;
    const told = JSON.stringify(body);
    throw new TouchlineError(status === 404 ? 'not_found' : 'refused', `the daemon refused: ${told}`);
  };
  return {
    get: (path) => ask(path, {}),
    post: (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    },
  };
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: unknown;
}

/** Another program may sit at the address: what is no JSON is no daemon's answer. What is no address has no daemon. */
async function reach(url: string, path: string, init: RequestInit): Promise<Answer> {
  try {
    const answer = await fetch(new URL(path, url), init);
    return { ok: answer.ok, status: answer.status, body: await answer.json() };
  } catch (error) {
    throw new TransportError('unknown', `no daemon answers at ${url}`, { url }, error);
  }
}
