import { z } from 'zod';
import { fromMicros, toMicros } from '../../domain/money.ts';
import type {
  InspectedAccount,
  InspectedEvent,
  InspectedOrder,
  Intervention,
  SimResponse,
} from '../core/api.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import { failure, ok } from '../core/replies.ts';
import { MAX_SCORE } from '../core/settings.ts';
import { type Fault, faultSchema, faultsSchema } from '../faults/schema.ts';
import type { ExchangeHost } from '../host/exchange-host.ts';

/** The sport may be left out when events of only one sport have the id. */
const eventFields = { event_id: z.string().min(1), sport: z.string().min(1).optional() };
const goals = z.int().min(0).max(MAX_SCORE);

/** Bodies of the control interface's verbs. */
const eventSchema = z.strictObject(eventFields);

type NamedEvent = z.output<typeof eventSchema>;

const goalSchema = z.strictObject({ ...eventFields, side: z.enum(['home', 'away']) });

const scoreSchema = z.strictObject({
  ...eventFields,
  home: goals,
  away: goals,
  half_time_home: goals.default(0),
  half_time_away: goals.default(0),
  /** Scores of sets, periods or games, in order. */
  periods: z
    .array(z.tuple([goals, goals]))
    .max(7)
    .optional(),
});

const placesSchema = z.strictObject({
  ...eventFields,
  /** Finishing places by team id. */
  places: z.record(z.string().regex(/^\d+$/), z.int().min(1), {
    error: ({ code }) => (code === 'invalid_key' ? 'is not a team id' : undefined),
  }),
});

type Settle = z.output<typeof scoreSchema> | z.output<typeof placesSchema>;

/** The schema of a result, chosen by the body: the errors of a union do not name the wrong field. */
const settleSchemaOf = (body: unknown): z.ZodType<Settle> =>
  typeof body === 'object' && body !== null && 'places' in body ? placesSchema : scoreSchema;

/** The schema of one fault or of a list, chosen by the body for the same reason. */
const faultsSchemaOf = (body: unknown): z.ZodType<readonly Fault[]> =>
  Array.isArray(body) ? faultsSchema : faultSchema.transform((fault) => [fault]);

const markBetSchema = z.strictObject({
  bet_id: z.int(),
  status: z.enum(['success', 'danger', 'void']),
});

const depositSchema = z.strictObject({
  /** May be left out if there is only one account. */
  account_id: z.string().min(1).optional(),
  /** In USDT; negative for a withdrawal. */
  amount: z.number().min(-1e9).max(1e9),
});

const refuseSchema = z.strictObject({
  status: z.int().min(400).max(599).default(503),
  body: z.string().optional(),
});

/** `for_s`: the length of the outage; absent, as long as the feed takes to load. */
const clearSchema = z.strictObject({ for_s: z.number().positive().max(86_400).optional() });

const nothingSchema = z.strictObject({});

const removeFaultSchema = z.strictObject({ id: z.int().min(1) });

/** Takes a parsed body and returns the `data` of the response. Throws Refused. */
type Verb = (body: unknown) => unknown;

/** A request that the control interface refuses. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * The control interface: tests read the exchange's true state and change its market and its faults. The interface is
 * served beside the exchange and is not part of it.
 */
export class Control {
  readonly #host: ExchangeHost;
  readonly #verbs: Readonly<Record<string, Verb>>;
  readonly #refusals: number[] = [];

  constructor(host: ExchangeHost) {
    this.#host = host;
    this.#verbs = {
      ...this.#views(),
      ...this.#marketVerbs(),
      ...this.#networkVerbs(),
      ...this.#faultVerbs(),
    };
  }

  /** Answers `METHOD /sim/…`. */
  answer(method: string, target: string, body: string): SimResponse {
    const name = (target.split('?', 1)[0] ?? '').replace(/^\/sim\//, '').replace(/\/$/, '');
    const verb = this.#verbs[`${method} ${name}`];
    if (verb === undefined) return failure(404, 'not_found', { known: Object.keys(this.#verbs) });
    try {
      return ok(verb(parseBody(body)) ?? null, 200);
    } catch (error) {
      return refusal(error);
    }
  }

  #views(): Record<string, Verb> {
    const inspect = () => this.#host.run(() => this.#host.core.inspect());
    return {
      'GET orders': () => inspect().orders.map(orderView),
      'GET accounts': () => inspect().accounts.map(accountView),
      'GET events': () => inspect().events.map(eventView),
    };
  }

  #marketVerbs(): Record<string, Verb> {
    const intervention = (act: Intervention): Verb =>
      checked(eventSchema, (event) => this.#intervene(event, act));
    return {
      'POST goal': checked(goalSchema, ({ side, ...event }) =>
        this.#intervene(event, { kind: 'goal', side }),
      ),
      'POST suspend': intervention({ kind: 'suspend' }),
      'POST resume': intervention({ kind: 'resume' }),
      'POST in-running': intervention({ kind: 'in_running' }),
      'POST void': intervention({ kind: 'end', result: null }),
      'POST settle': checkedBy(settleSchemaOf, (body) =>
        this.#intervene(body, { kind: 'end', result: resultOf(body) }),
      ),
      'POST mark-bet': checked(markBetSchema, ({ bet_id, status }) => {
        const isKnown = this.#host.run((nowMs) => this.#host.core.markBet(bet_id, status, nowMs));
        if (!isKnown) throw new Refused(404, 'not_found', `no bet has the id ${bet_id}`);
      }),
      'POST deposit': checked(depositSchema, (body) => this.#deposit(body)),
      'POST clear': checked(clearSchema, ({ for_s }) =>
        this.#host.run((nowMs) =>
          this.#host.core.market.clear(nowMs, for_s === undefined ? undefined : for_s * 1000),
        ),
      ),
    };
  }

  #networkVerbs(): Record<string, Verb> {
    return {
      'POST drop-sockets': checked(nothingSchema, () => {
        const dropped = this.#host.openStreams;
        this.#host.dropStreams();
        return { dropped };
      }),
      'POST refuse-stream': checked(refuseSchema, (how) => {
        const fault = faultSchema.parse({ target: 'handshake', fault: 'refused_upgrade', ...how });
        this.#refusals.push(this.#host.addFault(fault));
      }),
      'POST restore-stream': checked(nothingSchema, () => {
        for (const id of this.#refusals.splice(0)) this.#host.removeFault(id);
      }),
    };
  }

  #faultVerbs(): Record<string, Verb> {
    return {
      'GET faults': () => ({
        faults: this.#host.run((nowMs) => this.#host.faults.list(nowMs)),
        reached: this.#host.faults.reached(),
      }),
      'POST faults': checkedBy(faultsSchemaOf, (faults) => ({
        ids: faults.map((fault) => this.#host.addFault(fault)),
      })),
      'DELETE faults': checked(removeFaultSchema, ({ id }) => {
        if (!this.#host.removeFault(id)) throw new Refused(404, 'not_found', `no fault has the id ${id}`);
      }),
    };
  }

  #deposit({ account_id: accountId, amount }: z.output<typeof depositSchema>): void {
    const [only, ...others] = this.#host.core.inspect().accounts;
    const id = accountId ?? (others.length === 0 ? only?.accountId : undefined);
    const isKnown =
      id !== undefined && this.#host.run((nowMs) => this.#host.core.deposit(id, toMicros(amount), nowMs));
    if (!isKnown) throw new Refused(404, 'not_found', `name an account: ${accountId ?? 'there are several'}`);
  }

  #intervene(named: NamedEvent, act: Intervention): void {
    const { core } = this.#host;
    this.#host.run((nowMs) => core.intervene(findEvent(core.inspectEvents(), named), act, nowMs));
  }
}

/** Finds the named event. Throws Refused when no event has the id, or when events of several sports have it. */
function findEvent(
  events: readonly InspectedEvent[],
  { event_id: eventId, sport }: NamedEvent,
): InspectedEvent {
  const [event, ...others] = events.filter(
    (each) => each.eventId === eventId && (sport ?? each.sport) === each.sport,
  );
  if (event === undefined) {
    const what = sport === undefined ? eventId : `${eventId} in ${sport}`;
    throw new Refused(404, 'not_found', `no event has the id ${what}`);
  }
  if (others.length === 0) return event;
  const sports = [event, ...others].map((each) => each.sport).join(', ');
  throw new Refused(409, 'ambiguous_event', `events in ${sports} have the id ${eventId}: name the sport`);
}

function checked<T>(schema: z.ZodType<T>, run: (body: T) => unknown): Verb {
  return checkedBy(() => schema, run);
}

/** Like `checked`, for a body with several forms: `schemaOf` chooses the schema. */
function checkedBy<T>(schemaOf: (body: unknown) => z.ZodType<T>, run: (body: T) => unknown): Verb {
  return (body) => run(schemaOf(body).parse(body));
}

function parseBody(body: string): unknown {
  if (body.trim() === '') return {};
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new Refused(400, 'bad_json', 'the body is not JSON');
  }
}

function refusal(error: unknown): SimResponse {
  if (error instanceof Refused) return failure(error.status, error.code, { detail: error.message });
  if (error instanceof z.ZodError) {
    return failure(400, 'validation_error', { detail: z.prettifyError(error) });
  }
  throw error;
}

function resultOf(body: Settle): EventResult {
  if ('places' in body) {
    const places = Object.entries(body.places).map(([teamId, place]) => [Number(teamId), place] as const);
    return { kind: 'places', places: new Map(places) };
  }
  const { home, away, half_time_home, half_time_away, periods } = body;
  const score = { home, away, halfTimeHome: half_time_home, halfTimeAway: half_time_away };
  return { kind: 'score', ...score, ...(periods === undefined ? {} : { periods }) };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** An order as the control interface shows it: stakes in USDT, instants in ISO 8601. */
function orderView(order: InspectedOrder) {
  return {
    order_id: order.orderId,
    account_id: order.accountId,
    request_uuid: order.requestUuid,
    sport: order.sport,
    event_id: order.eventId,
    bet_type: order.betType,
    price: order.price,
    stake: fromMicros(order.stakeMicros),
    filled: fromMicros(order.filledMicros),
    status: order.status,
    closed: order.closed,
    close_reason: order.closeReason,
    created: iso(order.createdMs),
    expiry: iso(order.expiryMs),
    closed_at: isoOrNull(order.closedMs),
    user_data: order.userData,
    fills: order.fills.map(fillView),
  };
}

function fillView({ betId, price, stakeMicros, atMs, role, cause }: InspectedOrder['fills'][number]) {
  return { bet_id: betId, price, stake: fromMicros(stakeMicros), at: iso(atMs), role, cause };
}

function accountView(account: InspectedAccount) {
  return {
    account_id: account.accountId,
    balance: fromMicros(account.balanceMicros),
    open_stake: fromMicros(account.openStakeMicros),
    open_betslips: account.openBetslips,
    heartbeats: account.heartbeats.map(({ heartbeatId, expiryMs }) => ({
      heartbeat_id: heartbeatId,
      expiry: iso(expiryMs),
    })),
    throttled: account.throttledCount,
  };
}

function eventView({ eventId, sport, irStatus, suspended, score, outcomes }: InspectedEvent) {
  return { event_id: eventId, sport, ir_status: irStatus, suspended, score, outcomes };
}
