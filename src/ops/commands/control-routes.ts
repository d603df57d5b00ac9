import type { FastifyInstance } from 'fastify';
import { permits } from '../access.ts';
import { authorOf, BY, described, ENDING, NOT_BOTH_ENDS, reading, REASON } from './command-schema.ts';
import { type AdminControls, type StateWish, TRADING_STATES } from './controls.ts';

interface Command {
  readonly reason: string;
  readonly by?: string;
}

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
    state: { enum: TRADING_STATES },
    event: { type: 'string', minLength: 1 },
    selection: { type: 'string', minLength: 1 },
    ...ENDING,
    reason: REASON,
    by: BY,
  },
  not: { anyOf: [{ required: ['event', 'selection'] }, NOT_BOTH_ENDS] },
} as const;

const WHY_SCHEMA = {
  type: 'object',
  properties: {
    selection: { type: 'string', description: 'A name, a unique part of one, or an id.' },
  },
} as const;

const SEE_SCHEMA = {
  type: 'object',
  required: ['alert'],
  additionalProperties: false,
  properties: { alert: { type: 'string', minLength: 1, maxLength: 100 }, by: BY },
} as const;

const GOALS = { type: 'integer', minimum: 0, maximum: 19 } as const;

const PAYOFF_SCHEMA = {
  type: 'object',
  required: ['event', 'home', 'away'],
  properties: {
    event: { type: 'string', maxLength: 200, description: 'The key of an event: `SPORT|ID`.' },
    home: GOALS,
    away: GOALS,
  },
} as const;

interface PayoffQuery {
  readonly event: string;
  readonly home: number;
  readonly away: number;
}

/**
 * Serves `POST /pause`, `POST /close` and `POST /resume` (`{reason, by?}`), `POST /state` (`{state, event? | selection?, reason, by?}`), `GET /why[?selection=]`,
 * `GET /payoff?event=&home=&away=` and `GET /risk`.
 */
export function addControlRoutes(server: FastifyInstance, controls: AdminControls): void {
  const pause = described('reduce', 'Closes the orders and places none until a resume.', {
    body: COMMAND_SCHEMA,
  });
  server.post<{ Body: Command }>('/pause', pause, async (request) => {
    const { reason, by } = request.body;
    return controls.pause(reason, authorOf(request, by));
  });
  const close = described(
    'reduce',
    'Closes the open orders once. What is still wanted is quoted again: pause to prevent it.',
    {
      body: COMMAND_SCHEMA,
    },
  );
  server.post<{ Body: Command }>('/close', close, async (request) => {
    const { reason, by } = request.body;
    return controls.close(reason, authorOf(request, by));
  });
  const resume = described('control', 'Releases the kill switch, every latch, and strategies that hung.', {
    body: COMMAND_SCHEMA,
  });
  server.post<{ Body: Command }>('/resume', resume, async (request) => {
    const { reason, by } = request.body;
    return controls.resume(reason, authorOf(request, by));
  });
  const state = described(
    'reduce',
    'Sets a trading state. A state that allows more trading needs the control token.',
    { body: STATE_SCHEMA },
  );
  server.post<{ Body: StateWish & { by?: string } }>('/state', state, async (request, reply) => {
    const { body, access } = request;
    if (access !== null && !permits(access, 'control') && controls.loosens(body))
      return reply.code(403).send({ error: 'to trade more needs the control token' });
    const answer = controls.setState(body, authorOf(request, body.by));
    return answer ?? reply.code(404).send({ error: 'no such event or selection' });
  });
  const why = described('read', 'Why selections are not quoted.', { querystring: WHY_SCHEMA });
  server.get<{ Querystring: { selection?: string } }>('/why', why, async ({ query }, reply) => {
    const answer = controls.why(query.selection ?? null);
    return answer === null ? reply.code(404).send({ error: 'no such selection' }) : answer;
  });
  const payoff = described('read', 'What each matched bet of an event pays in a final score.', {
    querystring: PAYOFF_SCHEMA,
  });
  server.get<{ Querystring: PayoffQuery }>('/payoff', payoff, async ({ query }, reply) => {
    const answer = controls.payoff(query.event, query.home, query.away);
    return answer === null ? reply.code(404).send({ error: 'no bets on such an event' }) : answer;
  });
  const see = described('reduce', 'Notes that a person has seen an alert.', { body: SEE_SCHEMA });
  server.post<{ Body: { alert: string; by?: string } }>('/see', see, async (request, reply) => {
    const { alert, by } = request.body;
    return controls.see(alert, authorOf(request, by)) ?? reply.code(404).send({ error: 'no such alert' });
  });
  server.get('/risk', reading('Exposure, trading states, guards in force, refusals.'), async () =>
    controls.risk(),
  );
}
