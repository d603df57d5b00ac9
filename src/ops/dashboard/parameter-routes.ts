import type { FastifyInstance, FastifyReply } from 'fastify';
import { TouchlineError } from '../../domain/errors.ts';
import type { ParameterChange, ParameterWish, StrategyParameters } from '../../read-model/live/parameters.ts';
import { authorOf, BY, described, REASON } from '../commands/command-schema.ts';

/** Reads and changes parameters. Rejects with TouchlineError if a strategy is not known or refuses a value. */
export interface ParameterControls {
  list(): { readonly where: string; readonly strategies: readonly StrategyParameters[] };
  /** What a change would change. Changes nothing. */
  preview(wish: ParameterWish): Promise<readonly ParameterChange[]>;
  change(wish: ParameterWish, by: string): Promise<readonly ParameterChange[]>;
}

const WISH = {
  strategy: { type: 'string', minLength: 1 },
  parameters: {
    type: 'object',
    minProperties: 1,
    description: 'Null: the value of the configuration again.',
  },
} as const;

const PREVIEW_SCHEMA = {
  type: 'object',
  required: ['strategy', 'parameters'],
  additionalProperties: false,
  properties: WISH,
} as const;

const CHANGE_SCHEMA = {
  ...PREVIEW_SCHEMA,
  required: ['strategy', 'parameters', 'reason'],
  properties: {
    ...WISH,
    reason: REASON,
    by: BY,
  },
} as const;

interface ChangeBody extends ParameterWish {
  readonly reason: string;
  readonly by?: string;
}

/**
 * Serves `GET /parameters`, `POST /parameters/preview` (`{strategy, parameters}`) and `POST /parameters`
 * (`{strategy, parameters, reason, by?}`).
 */
export function addParameterRoutes(server: FastifyInstance, controls: ParameterControls): void {
  const list = described('read', 'The parameters of the strategies in force.', {});
  server.get('/parameters', list, async () => controls.list());
  const preview = described('control', 'What a change of parameters would change.', { body: PREVIEW_SCHEMA });
  server.post<{ Body: ParameterWish }>('/parameters/preview', preview, ({ body }, reply) =>
    answered(reply, controls.preview(body)),
  );
  const change = described('control', 'Changes parameters of a strategy, until they are dropped.', {
    body: CHANGE_SCHEMA,
  });
  server.post<{ Body: ChangeBody }>('/parameters', change, (request, reply) => {
    const { reason, by, ...wish } = request.body;
    return answered(reply, controls.change(wish, `${authorOf(request, by)}: ${reason}`));
  });
}

async function answered(reply: FastifyReply, changes: Promise<readonly ParameterChange[]>): Promise<unknown> {
  try {
    return { changes: await changes };
  } catch (error) {
    if (!(error instanceof TouchlineError)) throw error;
    return reply.code(400).send({ error: error.message });
  }
}
