import type { FastifyInstance } from 'fastify';

/** The commands and queries of an operator. Answers are plain data. */
export interface AdminControls {
  /** Blocks every order at once, until `resume`. */
  kill(reason: string, by: string): Kill;
  resume(reason: string, by: string): unknown;
  /** Sets the trading state of the account, an event or a selection. Null if the daemon knows no such scope. */
  setState(wish: StateWish, by: string): unknown;
  /** The reasons why a selection is not quoted; null if it is not known. Without a name: of all selections. */
  why(selectionId: string | null): unknown;
  /** Exposure, trading states, guards in force, refusals by reason. */
  risk(): unknown;
}

/** A kill that is in force. */
export interface Kill {
  /**
   * Replaces the reason and author of this kill, which a person gave after it. Does nothing if another kill, or none, is in
   * force.
   */
  explain(reason: string, by: string): void;
  /** The present report on the kill. */
  answer(): object;
}

/** The requested trading state; for the whole account unless an event or a selection is named. */
export interface StateWish {
  readonly state: (typeof STATES)[number];
  /** An event id, in every sport that uses it, or `SPORT/ID`. */
  readonly event?: string;
  readonly selection?: string;
  readonly reason: string;
}

const STATES = ['active', 'reducing', 'halted'] as const;

interface Command {
  readonly reason: string;
  readonly by?: string;
}

/** Longer reasons are cut. */
export const LONGEST_REASON = 500;
export const LONGEST_NAME = 100;
/** The author of a command that names none. */
export const UNNAMED_AUTHOR = 'admin interface';

/** Address of the server on a host; IPv6 addresses need brackets. */
export const adminUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const REASON = { type: 'string', minLength: 1, maxLength: LONGEST_REASON, pattern: '\\S' } as const;
const BY = { type: 'string', minLength: 1, maxLength: LONGEST_NAME } as const;

const COMMAND_SCHEMA = {
  type: 'object',
  required: ['reason'],
  additionalProperties: false,
  properties: { reason: REASON, by: BY },
} as const;

const STATE_SCHEMA = {
  type: 'object',
  required: ['state', 'reason'],
  additionalProperties: false,
  properties: {
    state: { enum: STATES },
    event: { type: 'string', minLength: 1 },
    selection: { type: 'string', minLength: 1 },
    reason: REASON,
    by: BY,
  },
  not: { required: ['event', 'selection'] },
} as const;

/**
 * Serves `POST /resume` (`{reason, by?}`), `POST /state` (`{state, event? | selection?, reason, by?}`), `GET /why[?selection=]`
 * and `GET /risk`. Refuses commands from web pages on every route of the server: only browsers send an origin.
 */
export function addControlRoutes(server: FastifyInstance, controls: AdminControls): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST' && request.headers.origin !== undefined) {
      await reply.code(403).send({ error: 'commands do not come from web pages' });
    }
  });
  server.post<{ Body: Command }>('/resume', { schema: { body: COMMAND_SCHEMA } }, async ({ body }) =>
    controls.resume(body.reason, body.by ?? UNNAMED_AUTHOR),
  );
  const schema = { body: STATE_SCHEMA };
  server.post<{ Body: StateWish & { by?: string } }>('/state', { schema }, async ({ body }, reply) => {
    const answer = controls.setState(body, body.by ?? UNNAMED_AUTHOR);
    return answer ?? reply.code(404).send({ error: 'no such event or selection' });
  });
  server.get<{ Querystring: { selection?: string } }>('/why', async ({ query }, reply) => {
    const answer = controls.why(query.selection ?? null);
    return answer === null ? reply.code(404).send({ error: 'no such selection' }) : answer;
  });
  server.get('/risk', async () => controls.risk());
}
