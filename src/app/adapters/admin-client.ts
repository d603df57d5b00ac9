import { TouchlineError, TransportError } from '../../domain/errors.ts';

/** Asks a running daemon's admin interface. */
export interface AdminClient {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
}

/**
 * A client of the admin interface at `url`. Rejects with TransportError when the daemon does not answer within
 * `timeoutMs`, with TouchlineError `refused` when it answers anything but success.
 */
export function adminClient(url: string, timeoutMs: number): AdminClient {
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    const answer = await reach(new URL(path, url), { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const body: unknown = await answer.json();
    if (answer.ok) return body;
    const told = JSON.stringify(body);
    throw new TouchlineError(answer.status === 404 ? 'not_found' : 'refused', `the daemon refused: ${told}`);
  };
  return {
    get: (path) => ask(path, {}),
    post: (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    },
  };
}

async function reach(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new TransportError('unknown', `no daemon answers at ${url.origin}`, { url: url.origin }, error);
  }
}
