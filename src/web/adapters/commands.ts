import { browserTime } from './browser-time.ts';
import type { Session } from './session.ts';

/** The answer to a command: what happened, or why nothing did. */
export type Answer =
  | { readonly done: true; readonly body: unknown }
  | { readonly done: false; readonly why: string };

const BY = 'dashboard';
const ANSWER_WITHIN_MS = 5_000;

/** Sends a command of a person. Never rejects. */
export const command = (session: Session, path: string, reason: string): Promise<Answer> =>
  post(session, path, { reason, by: BY });

/** Posts a body. Never rejects. */
export const post = (session: Session, path: string, body: object): Promise<Answer> =>
  send(session, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Asks a question. Never rejects. */
export const ask = (session: Session, path: string): Promise<Answer> => send(session, path, {});

async function send({ token }: Session, path: string, init: RequestInit): Promise<Answer> {
  const aborter = new AbortController();
  const cancel = browserTime.after(ANSWER_WITHIN_MS, () => aborter.abort());
  try {
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const response = await fetch(path, { ...init, headers, signal: aborter.signal });
    const body: unknown = await response.json();
    return response.ok ? { done: true, body } : { done: false, why: errorIn(body) };
  } catch (error) {
    return { done: false, why: `no answer: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    cancel();
  }
}

function errorIn(body: unknown): string {
  const { error, message } = body as { readonly error?: string; readonly message?: string };
  return message ?? error ?? 'the daemon refused';
}
