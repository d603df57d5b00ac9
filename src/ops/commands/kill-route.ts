import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import { answeredAgain, type AnsweredCommands } from './answered-commands.ts';
import { authorOf, described, LONGEST_NAME, LONGEST_REASON } from './command-schema.ts';
import type { AdminControls } from './controls.ts';

/** The reason of a kill until a person gives another. */
const UNEXPLAINED = 'POST /kill';
/** The route waits no longer than this for the end of a body. */
const BODY_WITHIN_MS = 2_000;
/** More than any reason that is kept. The rest of a body is discarded as it arrives. */
const LONGEST_BODY_BYTES = 65_536;

/** The reason of a kill, and its author. */
interface Words {
  readonly reason: string;
  /** Undefined if the body names nobody. */
  readonly by: string | undefined;
}

/**
 * Serves `POST /kill`. The kill takes effect when the request's head has arrived with a token, because its body may be anything and may never end.
 * A repetition of a kill that has an id kills once. A readable body then adds reason and author. The answer is always 200, with a `note` if the body named no reason.
 */
export function addKillRoute(
  server: FastifyInstance,
  controls: AdminControls,
  clock: Clock,
  commands: AnsweredCommands,
): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (await answeredAgain(commands.admit(request), reply)) return reply;
    const kill = controls.kill(UNEXPLAINED, authorOf(request, undefined));
    const body = await bodyOf(request.raw, clock);
    const words = wordsIn(body);
    if ('note' in words) {
      if (!body.ended) reply.header('connection', 'close');
      return reply.send({ ...kill.answer(), note: `killed; ${words.note}` });
    }
    kill.explain(words.reason, authorOf(request, words.by));
    return reply.send(kill.answer());
  };
  // This handler never runs: the hook has already answered.
  const options = described(
    'reduce',
    'Kills, whatever its body is. A readable body adds a reason and an author.',
    {},
  );
  server.post('/kill', { ...options, onRequest }, async () => null);
}

/** The received part of a body. */
interface Body {
  readonly text: string;
  /** Whether the whole body arrived, even if only part of it is kept. */
  readonly ended: boolean;
  readonly tooLong: boolean;
}

/** Reads a body until it ends, its connection ends, or the time is up. Never rejects. */
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

/** The reason and author in a body, whatever else it contains; or why there are none. */
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

const nameIn = (by: unknown): string | undefined =>
  typeof by === 'string' && by !== '' ? by.slice(0, LONGEST_NAME) : undefined;
