import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EventName } from '../domain/events.ts';
import type { ToldResult } from '../domain/told-result.ts';
import { type AccessScope, permits } from './access.ts';
import type { AdjustControls, Ending } from './adjust-controls.ts';
import type { HandControls } from './hand-controls.ts';
import type { HedgeControls } from './hedge-controls.ts';

/** The commands and queries of an operator. Answers are plain data. */
export interface AdminControls {
  /** Blocks every order at once, until `resume`. */
  kill(reason: string, by: string): Kill;
  /** Closes the orders and places none until `resume`. */
  pause(reason: string, by: string): unknown;
  /** Closes the open orders once. Strategies quote again at once, unless trading is paused. */
  close(reason: string, by: string): unknown;
  resume(reason: string, by: string): unknown;
  /**
   * Sets the trading state of the account, an event or a selection. Null if the daemon knows no such
   * scope. Throws TouchlineError `ambiguous` if the name fits several, and `refused` for an end that cannot be.
   */
  setState(wish: StateWish, by: string): unknown;
  /** Whether a state would allow more trading than a person has set before. */
  loosens(wish: StateWish): boolean;
  /** The reasons why a selection is not quoted; null if it is not known. Without a name: of all selections. Throws as `setState`. */
  why(selection: string | null): unknown;
  /** Exposure, trading states, guards in force, refusals by reason. */
  risk(): unknown;
  /** Notes that a person has seen an alert; null if it is not in force. */
  see(alert: string, by: string): unknown;
  /** The matched bets of an event that its final score decides, and what each pays in one score. Null if there are none. */
  payoff(eventKey: string, home: number, away: number): unknown;
  readonly hedge: HedgeControls;
  readonly adjust: AdjustControls;
  readonly hand: HandControls;
  /** Compares the balance with results and deposits. The answer has the result, or tells why it takes longer. */
  reconcile(by: string): Promise<unknown>;
  /** The last comparison of the balance, and whether another is pending. */
  reconciliation(): unknown;
  /** Enters money that a person moved into the account, or out of it (negative). Throws TouchlineError if it cannot be kept. */
  deposit(wish: DepositWish, by: string): unknown;
  /** Settles the paper bets of an event by what a person tells. Throws TouchlineError `refused` with the reason. */
  settlePaper(wish: PaperResultWish, by: string): unknown;
}

/** The result of an event with paper bets. */
export interface PaperResultWish extends EventName {
  readonly told: ToldResult;
  /** Where it is from. */
  readonly note: string;
}

/** Money that a person moved. */
export interface DepositWish {
  readonly amountUsdt: number;
  readonly note: string;
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
export interface StateWish extends Ending {
  readonly state: (typeof STATES)[number];
  /** A name, a unique part of one, or an id, in every sport that has the event; with `SPORT/` before it, in that sport alone. */
  readonly event?: string;
  /** A name, a unique part of one, or an id. */
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

const REASON = { type: 'string', minLength: 1, maxLength: LONGEST_REASON, pattern: '\\S' } as const;
const BY = { type: 'string', minLength: 1, maxLength: LONGEST_NAME } as const;

const COMMAND_SCHEMA = {
  type: 'object',
  required: ['reason'],
  additionalProperties: false,
  properties: { reason: REASON, by: BY },
} as const;

/** When a wish ends by itself. */
export const ENDING = {
  minutes: { type: 'integer', minimum: 1, maximum: 10_080, description: 'It ends by itself after so long.' },
  untilStart: { const: true, description: 'It ends at the start of the event that is announced now.' },
} as const;

/** A wish has one end at most. */
export const NOT_BOTH_ENDS = { required: ['minutes', 'untilStart'] } as const;

const STATE_SCHEMA = {
  type: 'object',
  required: ['state', 'reason'],
  additionalProperties: false,
  properties: {
    state: { enum: STATES },
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

/** Options of a route: the scope that it needs, and its description for programs. */
export const described = <S extends object>(scope: AccessScope, what: string, schema: S) => ({
  config: { scope },
  schema: { ...schema, summary: what, description: `Needs the ${scope} token.` },
});

/** Options of a route that only reports. */
export const reading = (what: string) => described('read', what, {});

/** Who gave a command, for the record: the name that the command gives, and the access that it used. */
export const authorOf = ({ access, ip }: FastifyRequest, by: string | undefined): string =>
  access === null ? (by ?? UNNAMED_AUTHOR) : `${by ?? UNNAMED_AUTHOR} (${access} token, ${ip})`;

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
