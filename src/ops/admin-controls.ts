import type { FastifyInstance } from 'fastify';

/** What an operator can ask of the daemon. Answers are plain data. */
export interface AdminControls {
  /** Stops every order until `resume`. */
  kill(reason: string, by: string): unknown;
  resume(reason: string, by: string): unknown;
  /** What keeps a selection from being quoted; null when nothing is known of it. Without a name: of all. */
  why(selectionId: string | null): unknown;
  /** Exposure, trading states, guards in force, refusals by reason. */
  risk(): unknown;
}

interface Command {
  readonly reason: string;
  readonly by?: string;
}

const COMMAND_SCHEMA = {
  type: 'object',
  required: ['reason'],
  additionalProperties: false,
  properties: {
    reason: { type: 'string', minLength: 1, maxLength: 500 },
    by: { type: 'string', minLength: 1, maxLength: 100 },
  },
} as const;

/**
 * Serves `POST /kill` and `POST /resume` (`{reason, by?}`), `GET /why[?selection=]` and `GET /risk`. A command that a web
 * page sends is refused: browsers name its origin, and nothing else that speaks to us does.
 */
export function addControlRoutes(server: FastifyInstance, controls: AdminControls): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST' && request.headers.origin !== undefined) {
      await reply.code(403).send({ error: 'commands do not come from web pages' });
    }
  });
  for (const name of ['kill', 'resume'] as const) {
    server.post<{ Body: Command }>(`/${name}`, { schema: { body: COMMAND_SCHEMA } }, async ({ body }) =>
      controls[name](body.reason, body.by ?? 'admin interface'),
    );
  }
  server.get<{ Querystring: { selection?: string } }>('/why', async ({ query }, reply) => {
    const answer = controls.why(query.selection ?? null);
    return answer === null ? reply.code(404).send({ error: 'no such selection' }) : answer;
  });
  server.get('/risk', async () => controls.risk());
}
