import type { FastifyInstance } from 'fastify';
import { permits } from '../access.ts';
import { authorOf, BY, described, ENDING, NAME, NOT_BOTH_ENDS, REASON } from './command-schema.ts';
import type { AdjustControls, AdjustWish } from './controls.ts';

/** The bounds of a factor: a stake is scaled before risk judges it, so the limits bound it in any case. */
export const FACTORS = { least: 0.05, most: 4 } as const;
export const MOST_TICKS = 50;

const ADJUST_SCHEMA = {
  type: 'object',
  required: ['event', 'reason'],
  additionalProperties: false,
  properties: {
    event: { ...NAME, description: 'A name, a unique part of one, or an id.' },
    leave: { type: 'boolean', description: 'Neither quotes nor closes what rests; false ends that.' },
    stakeFactor: {
      type: 'number',
      minimum: FACTORS.least,
      maximum: FACTORS.most,
      description: 'Multiplies the stakes of the strategy’s quotes before risk judges them; 1 ends that.',
    },
    widenTicks: {
      type: 'integer',
      minimum: 0,
      maximum: MOST_TICKS,
      description: 'The quotes rest so many ticks further from fair; 0 ends that.',
    },
    ...ENDING,
    reason: REASON,
    by: BY,
  },
  oneOf: ['leave', 'stakeFactor', 'widenTicks'].map((each) => ({ required: [each] })),
  not: NOT_BOTH_ENDS,
} as const;

/** Serves `POST /adjust`. */
export function addAdjustRoutes(server: FastifyInstance, controls: AdjustControls): void {
  const adjust = described(
    'reduce',
    'Leaves an event as it is, scales its stakes or widens its quotes. What lets more be traded, or less be closed, needs the control token.',
    { body: ADJUST_SCHEMA },
  );
  server.post<{ Body: AdjustWish & { by?: string } }>('/adjust', adjust, async (request, reply) => {
    const { body, access } = request;
    if (access !== null && !permits(access, 'control') && controls.loosens(body))
      return reply.code(403).send({ error: 'to trade more, or to close less, needs the control token' });
    const answer = controls.adjust(body, authorOf(request, body.by));
    return answer ?? reply.code(404).send({ error: 'no such event' });
  });
}
