import { codeIn, COMMAND_ID } from '../../ops/dashboard/links.ts';
import type { AccessScope } from '../../ops/scopes.ts';
import { answerTo, type HttpAnswer, nextId } from './requests.ts';

/** What this tab may do. The token stays in the tab: a cookie would reach every port of this host. */
export interface Session {
  readonly token: string;
  readonly scope: AccessScope;
}

const KEY = 'touchline-token';

/**
 * The session of this tab: from the code in the address, which is then removed from it, or else the one that the tab has. Null if it has
 * none, or none that the daemon knows. Asks until a daemon answers.
 */
export async function openSession(): Promise<Session | null> {
  const code = codeIn(location.hash);
  if (code !== null) {
    history.replaceState(null, '', location.pathname);
    const response = await answerTo('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [COMMAND_ID]: nextId() },
      body: JSON.stringify({ code }),
    });
    if (response.ok) {
      const { token, scope } = response.body as Session;
      sessionStorage.setItem(KEY, token);
      return { token, scope };
    }
  }
  const token = sessionStorage.getItem(KEY);
  if (token === null) return null;
  const response = await askFor(token);
  if (!response.ok) return null;
  const { scope } = response.body as Pick<Session, 'scope'>;
  return { token, scope };
}

/** Whether the daemon says that the session is over. Never rejects: without an answer it may go on. */
export const isOver = ({ token }: Session): Promise<boolean> =>
  askFor(token, CHECK_WITHIN_MS).then(
    ({ status }) => status === UNAUTHORIZED,
    () => false,
  );

const UNAUTHORIZED = 401;
/** A connection that is dead must not be kept: a browser has few, and a kill needs one. */
const CHECK_WITHIN_MS = 2_500;

const askFor = (token: string, giveUpMs?: number): Promise<HttpAnswer> =>
  answerTo('/session', { headers: { authorization: `Bearer ${token}` } }, { giveUpMs });
