import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../ports/clock.ts';
import { COMMAND_ID } from '../dashboard/links.ts';

/** What a command was answered. */
interface GivenAnswer {
  readonly status: number;
  readonly body: string;
}

/** A command that has an id: `PAGE/NUMBER`. A page counts its commands upwards. */
interface Identified {
  readonly key: string;
  readonly page: string;
  readonly number: number;
}

interface Remembered {
  readonly answer: Promise<GivenAnswer>;
  readonly takenMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Keeps the answer for repetitions of this command; null if it has no id. */
    remembered: ((answer: GivenAnswer) => void) | null;
  }
}

/** What becomes of a command: it is carried out, it was carried out before, or it comes too late. */
type Admission = 'new' | 'late' | Promise<GivenAnswer>;

/** No client repeats a command for longer. */
const REMEMBERED_MS = 3_600_000;
/** The oldest ones are forgotten. */
const MOST_REMEMBERED = 1_000;

const ID = /^([\w-]{8,64})\/(\d{1,9})$/;

/**
 * Commands by their ids. A client whose connection died does not know whether its command arrived, and repeats it on another connection; and bytes on the
 * dead one may still arrive much later. So a command with an id is carried out once, and each repetition gets the same answer. A command that lets
 * the daemon trade more is refused after a later command of the same page: the person has decided again since.
 */
export class AnsweredCommands {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #commands = new Map<string, Remembered>();
  readonly #lastOfPage = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Judges a command whose head (and, where it matters, body) has arrived. A new one must be answered: its answer is kept. */
  admit(request: FastifyRequest): Admission {
    const command = identified(request);
    if (command === null) return 'new';
    const { key, page, number } = command;
    const known = this.#commands.get(key);
    if (known !== undefined) return known.answer;
    const last = this.#lastOfPage.get(page) ?? -1;
    const loosens = (request.routeOptions.config.scope ?? 'control') === 'control';
    if (loosens && number < last) return 'late';
    this.#lastOfPage.delete(page);
    this.#lastOfPage.set(page, Math.max(last, number));
    request.remembered = this.#remember(key);
    return 'new';
  }

  /** A failure is not kept: the same command may succeed when it is repeated. */
  #remember(key: string): (answer: GivenAnswer) => void {
    const { promise, resolve } = Promise.withResolvers<GivenAnswer>();
    const settle = (answer: GivenAnswer): void => {
      resolve(answer);
      if (answer.status >= 500) this.#commands.delete(key);
    };
    this.#commands.set(key, { answer: promise, takenMs: this.#clock.monotonicMs() });
    this.#forget();
    return settle;
  }

  #forget(): void {
    const oldestMs = this.#clock.monotonicMs() - REMEMBERED_MS;
    for (const [key, { takenMs }] of this.#commands)
      if (takenMs < oldestMs || this.#commands.size > MOST_REMEMBERED) this.#commands.delete(key);
    for (const page of this.#lastOfPage.keys())
      if (this.#lastOfPage.size > MOST_REMEMBERED) this.#lastOfPage.delete(page);
  }
}

/** The id counts only for the same token and the same route: nobody gets the answer to the command of another. */
function identified({ headers, method, url }: FastifyRequest): Identified | null {
  const id = headers[COMMAND_ID];
  const [, page, number] = ID.exec(typeof id === 'string' ? id : '') ?? [];
  if (method !== 'POST' || page === undefined) return null;
  const owner = headers.authorization ?? '';
  return {
    key: JSON.stringify([owner, url, id]),
    page: JSON.stringify([owner, page]),
    number: Number(number),
  };
}

const TOO_LATE = 'this command arrived after a later one of the same page, and was not carried out';

/** Answers a command that is not new. Returns whether it did. */
export async function answeredAgain(admission: Admission, reply: FastifyReply): Promise<boolean> {
  if (admission === 'new') return false;
  if (admission === 'late') {
    void reply.code(409).send({ error: TOO_LATE });
    return true;
  }
  const { status, body } = await admission;
  void reply.code(status).type('application/json; charset=utf-8').send(body);
  return true;
}

/** Answers repeated commands of every route but those whose own hooks answer. */
export function rememberAnswers(server: FastifyInstance, commands: AnsweredCommands): void {
  server.decorateRequest('remembered', null);
  server.addHook('preHandler', async (request, reply) => {
    const isAnswered = await answeredAgain(commands.admit(request), reply);
    return isAnswered ? reply : undefined;
  });
  server.addHook('onSend', async (request, reply, payload) => {
    request.remembered?.({ status: reply.statusCode, body: typeof payload === 'string' ? payload : '' });
  });
}
