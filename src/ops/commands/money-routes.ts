import type { FastifyInstance } from 'fastify';
import { TouchlineError } from '../../domain/errors.ts';
import { authorOf, BY, described, LONGEST_NAME, LONGEST_REASON, reading } from './command-schema.ts';
import type { AdminControls, DepositWish, PaperResultWish } from './controls.ts';

const RECONCILE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { by: BY },
} as const;

/** Larger amounts are no longer exact in micros of USDT. */
const MOST_USDT = 1e9;

const DEPOSIT_SCHEMA = {
  type: 'object',
  required: ['amountUsdt'],
  additionalProperties: false,
  properties: {
    amountUsdt: {
      type: 'number',
      minimum: -MOST_USDT,
      maximum: MOST_USDT,
      not: { const: 0 },
      description: 'Negative for a withdrawal.',
    },
    note: { type: 'string', maxLength: LONGEST_REASON, default: '' },
    by: BY,
  },
} as const;

const TOLD_SCHEMA = {
  oneOf: [
    {
      type: 'object',
      required: ['kind', 'home', 'away'],
      additionalProperties: false,
      properties: {
        kind: { const: 'score' },
        home: { type: 'integer', minimum: 0, maximum: 999 },
        away: { type: 'integer', minimum: 0, maximum: 999 },
      },
    },
    {
      type: 'object',
      required: ['kind', 'teamId'],
      additionalProperties: false,
      properties: { kind: { const: 'winner' }, teamId: { type: 'integer', minimum: 1 } },
    },
    {
      type: 'object',
      required: ['kind'],
      additionalProperties: false,
      properties: { kind: { const: 'void' } },
    },
  ],
} as const;

const RESULT_SCHEMA = {
  type: 'object',
  required: ['sport', 'eventId', 'told'],
  additionalProperties: false,
  properties: {
    sport: { type: 'string', minLength: 1, maxLength: LONGEST_NAME },
    eventId: { type: 'string', minLength: 1, maxLength: 200 },
    told: TOLD_SCHEMA,
    beforeStart: {
      type: 'boolean',
      default: false,
      description: 'The result counts although the event has not started, by the exchange.',
    },
    note: { type: 'string', maxLength: LONGEST_REASON, default: '' },
    by: BY,
  },
} as const;

type Named<T> = T & { readonly by?: string };

/**
 * Serves `POST /reconcile` (`{by?}`), `GET /reconcile`, `POST /deposit` (`{amountUsdt, note?, by?}`) and `POST /paper/settle` (`{sport, eventId, told,
 * beforeStart?, note?, by?}`). To reconcile cannot increase trading, but it sends a request to the exchange and writes to the journal, so the `read` token
 * does not suffice.
 */
export function addMoneyRoutes(server: FastifyInstance, controls: AdminControls): void {
  const reconcile = described('reduce', 'Compares the balance with results, commission and deposits.', {
    body: RECONCILE_SCHEMA,
  });
  server.post<{ Body: Named<object> }>('/reconcile', reconcile, async (request) =>
    controls.reconcile(authorOf(request, request.body.by)),
  );
  server.get(
    '/reconcile',
    reading('The last comparison of the balance, and whether another is pending.'),
    async () => controls.reconciliation(),
  );
  const deposit = described('control', 'Enters a deposit or a withdrawal, which explains the balance.', {
    body: DEPOSIT_SCHEMA,
  });
  server.post<{ Body: Named<DepositWish> }>('/deposit', deposit, async (request, reply) => {
    const { by, ...wish } = request.body;
    try {
      return controls.deposit(wish, authorOf(request, by));
    } catch (error) {
      if (!(error instanceof TouchlineError)) throw error;
      return reply.code(503).send({ error: `the deposit is not kept: ${error.message}` });
    }
  });
  const result = described('control', 'Settles the paper bets of an event by its result.', {
    body: RESULT_SCHEMA,
  });
  server.post<{ Body: Named<PaperResultWish> }>('/paper/settle', result, async (request) => {
    const { by, ...wish } = request.body;
    return controls.settlePaper(wish, authorOf(request, by));
  });
}
