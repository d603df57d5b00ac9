import type { FastifyInstance } from 'fastify';
import { authorOf, BY, described, NAME, REASON } from './command-schema.ts';
import type { HedgeControls, HedgeQuestion } from './controls.ts';

const GOALS = ['boundUsdt', 'equalise', 'flatten'] as const;

const QUESTION_SCHEMA = {
  type: 'object',
  required: ['event'],
  properties: {
    event: { ...NAME, description: 'A name, a unique part of one, or an id.' },
    boundUsdt: { type: 'number', minimum: 0, maximum: 1e9, description: 'The most that may be lost.' },
    equalise: { type: 'string', maxLength: 100, description: 'A market family; empty: any.' },
    flatten: { ...NAME, description: 'A selection.' },
    offer: { type: 'boolean', description: 'Offers stake instead of taking it.' },
  },
  oneOf: GOALS.map((goal) => ({ required: [goal] })),
} as const;

const MAKE_SCHEMA = {
  type: 'object',
  required: ['plan', 'reason'],
  additionalProperties: false,
  properties: {
    plan: NAME,
    reason: REASON,
    by: BY,
  },
} as const;

const PLAN_SCHEMA = { type: 'object', required: ['plan'], properties: { plan: NAME } } as const;

interface Making {
  readonly plan: string;
  readonly reason: string;
  readonly by?: string;
}

/** Serves `GET /hedge`, `POST /hedge` and `GET /hedge/progress`. */
export function addHedgeRoutes(server: FastifyInstance, controls: HedgeControls): void {
  const preview = described('read', 'What a hedge would do. Sends nothing.', {
    querystring: QUESTION_SCHEMA,
  });
  server.get<{ Querystring: HedgeQuestion }>('/hedge', preview, async ({ query }, reply) => {
    return controls.preview(query) ?? reply.code(404).send({ error: 'no such event or selection' });
  });
  const make = described(
    'reduce',
    'Makes a previewed hedge. No subset of its fills makes the worst case worse.',
    {
      body: MAKE_SCHEMA,
    },
  );
  server.post<{ Body: Making }>('/hedge', make, async (request, reply) => {
    const { plan, reason, by } = request.body;
    const answer = controls.make(plan, reason, authorOf(request, by));
    return answer ?? reply.code(404).send({ error: 'no such preview: ask for the hedge again' });
  });
  const progress = described('read', 'What became of a hedge.', { querystring: PLAN_SCHEMA });
  server.get<{ Querystring: { plan: string } }>(
    '/hedge/progress',
    progress,
    async ({ query }, reply) =>
      controls.progress(query.plan) ?? reply.code(404).send({ error: 'no such hedge' }),
  );
}
