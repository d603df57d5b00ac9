import { COMMAND_ID } from '../../ops/dashboard/links.ts';
import { answerTo, nextId, type Patience } from './requests.ts';
import type { Session } from './session.ts';

/** The answer to a command: what happened, or why nothing did. */
export type Answer =
  | { readonly done: true; readonly body: unknown }
  | { readonly done: false; readonly why: string };

const BY = 'dashboard';
/** A question, or a command that lets the daemon trade more, is not sent for longer: the person may look elsewhere by then. */
export const GIVEN_UP_MS = 10_000;

/** Sends a command of a person. Never rejects. */
export const command = (
  session: Session,
  path: string,
  reason: string,
  patience: Patience,
): Promise<Answer> => post(session, path, { reason, by: BY }, patience);

/** Posts a body. It has effect once, however often it is sent. Never rejects. */
export const post = (
  session: Session,
  path: string,
  body: object,
  patience: Patience = { giveUpMs: GIVEN_UP_MS },
): Promise<Answer> => {
  const headers = { 'content-type': 'application/json', [COMMAND_ID]: nextId() };
  return send(session, path, { method: 'POST', headers, body: JSON.stringify(body) }, patience);
};

/** Asks a question. Never rejects. */
export const ask = (session: Session, path: string): Promise<Answer> =>
  send(session, path, {}, { giveUpMs: GIVEN_UP_MS });

async function send(
  { token }: Session,
  path: string,
  init: RequestInit,
  patience: Patience,
): Promise<Answer> {
  try {
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const { ok, body } = await answerTo(path, { ...init, headers }, patience);
    return ok ? { done: true, body } : { done: false, why: errorIn(body) };
  } catch (error) {
    return { done: false, why: `no answer: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const errorIn = (body: unknown): string =>
  (body as { readonly error?: string }).error ?? 'the daemon refused';
