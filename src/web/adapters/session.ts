import { codeIn } from '../../ops/dashboard/links.ts';
import type { AccessScope } from '../../ops/scopes.ts';

/** What this tab may do. The token stays in the tab: a cookie would reach every port of this host. */
export interface Session {
  readonly token: string;
  readonly scope: AccessScope;
}

const KEY = 'touchline-token';

/**
 * The session of this tab: from the code in the address, which is then removed from it, or else the one that the tab has. Null if it has
 * none, or none that the daemon knows. Rejects with the browser's error if no daemon answers.
 */
export async function openSession(): Promise<Session | null> {
  const code = codeIn(location.hash);
  if (code !== null) {
    history.replaceState(null, '', location.pathname);
    const response = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    if (response.ok) {
      const { token, scope } = (await response.json()) as Session;
      sessionStorage.setItem(KEY, token);
      return { token, scope };
    }
  }
  const token = sessionStorage.getItem(KEY);
  if (token === null) return null;
  const response = await askFor(token);
  if (!response.ok) return null;
  const { scope } = (await response.json()) as Pick<Session, 'scope'>;
  return { token, scope };
}

/** Whether the daemon says that the session is over. Never rejects: without an answer it may go on. */
export const isOver = ({ token }: Session): Promise<boolean> =>
  askFor(token).then(
    ({ status }) => status === UNAUTHORIZED,
    () => false,
  );

const UNAUTHORIZED = 401;

const askFor = (token: string): Promise<Response> =>
  fetch('/session', { headers: { authorization: `Bearer ${token}` } });
