import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { reasonOf } from '../lib/reason.ts';
import type { Clock } from '../ports/clock.ts';
import { type AdminControls, LONGEST_NAME, LONGEST_REASON, SOMEBODY } from './admin-controls.ts';

/** The reason of a kill while nobody has given another. */
const UNEXPLAINED = 'POST /kill';
/** A body that has not ended by then is waited for no longer. */
const BODY_WITHIN_MS = 2_000;
/** More than any words that are kept; the rest of a body is thrown away as it comes. */
const LONGEST_BODY_BYTES = 65_536;

/** Why it was killed, and by whom. */
interface Words {
  readonly reason: string;
  readonly by: string;
}

/**
 * Serves `POST /kill`. The kill acts when the request's head is there: its body may be anything, and may never end. Words in a
 * body that can be read complete the record. The answer is 200 in any case, with a `note` where no words were found.
 */
export function addKillRoute(server: FastifyInstance, controls: AdminControls, clock: Clock): void {
  const onRequest = async ({ raw }: { raw: IncomingMessage }, reply: FastifyReply): Promise<FastifyReply> => {
    const kill = controls.kill(UNEXPLAINED, SOMEBODY);
    const body = await bodyOf(raw, clock);
    const words = wordsIn(body);
    if ('note' in words) {
      if (!body.ended) reply.header('connection', 'close');
      return reply.send({ ...kill.answer(), note: `killed; ${words.note}` });
    }
    kill.explain(words.reason, words.by);
    return reply.send(kill.answer());
  };
  // The hook has answered before a handler is asked.
  server.post('/kill', { onRequest }, async () => null);
}

/** What has come of a body. */
interface Body {
  readonly text: string;
  /** Whether all of it came, however much of that is kept. */
  readonly ended: boolean;
  readonly tooLong: boolean;
}

/** Reads a body to its end, to the end of its connection, or until it has taken too long. Never rejects. */
function bodyOf(message: IncomingMessage, clock: Clock): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= LONGEST_BODY_BYTES) chunks.push(chunk);
  });
  return new Promise((resolve) => {
    const settle = (ended: boolean): void => {
      timer.cancel();
      resolve({ text: Buffer.concat(chunks).toString('utf8'), ended, tooLong: bytes > LONGEST_BODY_BYTES });
    };
    const timer = clock.after(BODY_WITHIN_MS, () => settle(false));
    message.once('end', () => settle(true));
    message.once('error', () => settle(false));
    message.once('close', () => settle(false));
  });
}

/** The words of a body, whatever else it says; or why there are none. */
function wordsIn({ text, ended, tooLong }: Body): Words | { readonly note: string } {
  if (!ended) return { note: 'its body did not come to an end' };
  if (tooLong) return { note: `its body is longer than ${LONGEST_BODY_BYTES} bytes` };
  if (text === '') return { note: 'no reason was given' };
  try {
    return wordsOf(JSON.parse(text));
  } catch (error) {
    return { note: `its body cannot be read: ${reasonOf(error)}` };
  }
}

function wordsOf(said: unknown): Words | { readonly note: string } {
  const { reason, by } = (said ?? {}) as { readonly reason?: unknown; readonly by?: unknown };
  if (typeof reason !== 'string' || reason.trim() === '') return { note: 'no reason was given' };
  return { reason: reason.trim().slice(0, LONGEST_REASON), by: nameIn(by) };
}

const nameIn = (by: unknown): string =>
  typeof by === 'string' && by !== '' ? by.slice(0, LONGEST_NAME) : SOMEBODY;
