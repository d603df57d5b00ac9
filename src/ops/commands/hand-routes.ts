import type { FastifyInstance } from 'fastify';
import { authorOf, BY, described, ENDING, NAME, NOT_BOTH_ENDS, reading, REASON } from './command-schema.ts';
import type { HandControls, HandQuoteWish } from './controls.ts';

const PRICE = {
  type: 'number',
  exclusiveMinimum: 1,
  maximum: 1000,
  description: 'Of the selection, on the ladder.',
} as const;
const AUTHOR = { reason: REASON, by: BY } as const;

const QUOTE_SCHEMA = {
  type: 'object',
  required: ['selection', 'direction', 'price', 'stakeUsdt', 'reason'],
  additionalProperties: false,
  properties: {
    selection: { ...NAME, description: 'A name, a unique part of one, or an id.' },
    direction: { enum: ['for', 'against'] },
    price: PRICE,
    stakeUsdt: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1e6,
      description: 'Of the selection, as the price.',
    },
    ...ENDING,
    ...AUTHOR,
  },
  not: NOT_BOTH_ENDS,
} as const;

const MOVE_SCHEMA = {
  type: 'object',
  required: ['id', 'price', 'reason'],
  additionalProperties: false,
  properties: { id: NAME, price: PRICE, ...AUTHOR },
} as const;

const WITHDRAW_SCHEMA = {
  type: 'object',
  required: ['id', 'reason'],
  additionalProperties: false,
  properties: { id: NAME, ...AUTHOR },
} as const;

interface Naming {
  readonly id: string;
  readonly reason: string;
  readonly by?: string;
}

const UNKNOWN = { error: 'no such quote of a person: it is matched, over or withdrawn' };

/** Serves `GET /quotes`, `POST /quote`, `POST /quote/move` and `POST /quote/withdraw`. */
export function addHandRoutes(server: FastifyInstance, controls: HandControls): void {
  server.get('/quotes', reading('The quotes of persons.'), async () => controls.quotes());
  const quote = described(
    'control',
    'Quotes as a person beside the strategy, until the stake is matched. Gate, limits and budgets judge it like a quote of the strategy.',
    { body: QUOTE_SCHEMA },
  );
  server.post<{ Body: HandQuoteWish & { by?: string } }>('/quote', quote, async (request, reply) => {
    const answer = controls.quote(request.body, authorOf(request, request.body.by));
    return answer ?? reply.code(404).send({ error: 'no such selection' });
  });
  const move = described('control', 'Moves a quote of a person to another price.', { body: MOVE_SCHEMA });
  server.post<{ Body: Naming & { price: number } }>('/quote/move', move, async (request, reply) => {
    const { id, price, reason, by } = request.body;
    return controls.move(id, price, reason, authorOf(request, by)) ?? reply.code(404).send(UNKNOWN);
  });
  const withdraw = described('reduce', 'Withdraws a quote of a person, and closes its order.', {
    body: WITHDRAW_SCHEMA,
  });
  server.post<{ Body: Naming }>('/quote/withdraw', withdraw, async (request, reply) => {
    const { id, reason, by } = request.body;
    return controls.withdraw(id, reason, authorOf(request, by)) ?? reply.code(404).send(UNKNOWN);
  });
}
