import { z } from 'zod';
import type { EventResult, InspectedEvent, Intervention, SimResponse } from '../core/api.ts';
import { failure, ok } from '../core/replies.ts';
import { faultSchema } from '../faults/schema.ts';
import type { ExchangeHost } from '../host/exchange-host.ts';
import {
  eventSchema,
  faultsSchemaOf,
  goalSchema,
  markBetSchema,
  type NamedEvent,
  nothingSchema,
  refuseSchema,
  removeFaultSchema,
  type Settle,
  settleSchemaOf,
} from './control-schemas.ts';
import { accountView, eventView, orderView } from './control-views.ts';

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
      'POST clear': checked(nothingSchema, () =>
        this.#host.run((nowMs) => this.#host.core.market.clear(nowMs)),
      ),
    };
  }

  #networkVerbs(): Record<string, Verb> {
    return {
      'POST drop-sockets': checked(nothingSchema, () => this.#dropSockets()),
      'POST refuse-stream': checked(refuseSchema, (body) => this.#refuseStream(body)),
      'POST restore-stream': checked(nothingSchema, () => this.#restoreStream()),
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

  #intervene(named: NamedEvent, act: Intervention): void {
    const { core } = this.#host;
    this.#host.run((nowMs) => core.intervene(findEvent(core.inspectEvents(), named), act, nowMs));
  }

  #dropSockets(): { dropped: number } {
    const dropped = this.#host.openStreams;
    this.#host.dropStreams();
    return { dropped };
  }

  #refuseStream(how: { status: number; body?: string | undefined }): void {
    const fault = faultSchema.parse({ target: 'handshake', fault: 'refused_upgrade', ...how });
    this.#refusals.push(this.#host.addFault(fault));
  }

  #restoreStream(): void {
    for (const id of this.#refusals.splice(0)) this.#host.removeFault(id);
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
  const { home, away, half_time_home, half_time_away } = body;
  return { kind: 'score', home, away, halfTimeHome: half_time_home, halfTimeAway: half_time_away };
}
