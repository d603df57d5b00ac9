import { splitBetType } from '../../domain/selection.ts';
import type { AnswerRecord, HttpRecord, RequestRecord, StreamRecord } from '../../ports/transport/record.ts';

/** How the exchange writes an instant. */
export type MomentForm = 'ISO 8601 with Z' | 'ISO 8601 with an offset' | 'Unix seconds' | 'another form';

/** How the exchange writes the status of a bet. */
export type StatusForm = 'object' | 'string' | 'another form';

/** Fields with an instant, in answers and frames. */
const MOMENTS: ReadonlySet<string> = new Set(['ts', 'expiry_ts', 'placement_time', 'expiry_time']);
/** Unix seconds of the years 2001 to 2286 have ten digits. */
const [LEAST_SECONDS, MOST_SECONDS] = [1e9, 1e10];

const [CREATE_BETSLIP, CREATE_ORDER] = ['POST /v2/betslips/', 'POST /v2/orders/'];

/** When a create request left, and when it was answered (monotonic). */
export interface OrderRequest {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** Looks at the wire itself, for what the client reads alike in all its forms. */
export class WireWatch {
  readonly #moments = new Map<string, Set<MomentForm>>();
  readonly #statuses = new Set<StatusForm>();
  readonly #orders = new Map<string, OrderRequest>();
  readonly #sent: string[] = [];
  /** Type and direction of each betslip, by its id. */
  readonly #slips = new Map<unknown, string>();
  #requests = 0;
  #registered: { readonly count: number; readonly atMs: number } | null = null;

  /** Takes each record of the wire. */
  readonly take = (record: HttpRecord | StreamRecord): void => {
    if (record.kind === 'request') this.#request(record);
    if (record.kind === 'sent') this.#sent.push(commandOf(record.text));
    if (record.kind === 'answer') this.#answer(record);
    if (record.kind === 'received') this.#frame(record.data, record.monotonicMs);
  };

  /** The forms of each field that holds an instant. */
  get moments(): ReadonlyMap<string, ReadonlySet<MomentForm>> {
    return this.#moments;
  }

  /** The forms of the statuses of bets. */
  get statuses(): ReadonlySet<StatusForm> {
    return this.#statuses;
  }

  /** The latest count of registered events in an `info` entry that came after an instant; null without one. */
  registeredAfter(atMs: number): number | null {
    return this.#registered !== null && this.#registered.atMs > atMs ? this.#registered.count : null;
  }

  /** The first create request with this uuid that was answered; null without one. */
  orderRequest(uuid: string): OrderRequest | null {
    return this.#orders.get(uuid) ?? null;
  }

  /**
   * How many such requests and stream commands have left, by names such as `GET /v2/offers/`, `POST /v2/betslips/ lay for`,
   * `POST /v2/orders/ normal against` (the betslip's type and direction) and `register_event`.
   */
  timesSent(name: RegExp): number {
    return this.#sent.filter((each) => name.test(each)).length;
  }

  /** How many requests have left. */
  get requests(): number {
    return this.#requests;
  }

  #request({ method, path, body }: RequestRecord): void {
    this.#requests += 1;
    const name = `${method} ${path.split('?', 1)[0] ?? ''}`;
    const fields = recordOf(parsed(body ?? ''));
    if (name === CREATE_BETSLIP) this.#sent.push(`${name} ${slipOf(fields)}`);
    else if (name === CREATE_ORDER) this.#sent.push(`${name} ${this.#slips.get(fields['betslip_id']) ?? ''}`);
    else this.#sent.push(name);
  }

  #answer({ request, body, monotonicMs }: AnswerRecord): void {
    const answer = parsed(body);
    this.#look(answer);
    const data = recordOf(recordOf(answer)['data']);
    if (`${request.method} ${request.path}` === CREATE_BETSLIP)
      this.#slips.set(data['betslip_id'], slipOf(recordOf(parsed(request.body ?? ''))));
    if (`${request.method} ${request.path}` !== CREATE_ORDER) return;
    const uuid = recordOf(parsed(request.body ?? ''))['request_uuid'];
    if (typeof uuid === 'string' && !this.#orders.has(uuid))
      this.#orders.set(uuid, { sentMs: request.monotonicMs, answeredMs: monotonicMs });
  }

  #frame(data: Uint8Array, atMs: number): void {
    const { ts, data: entries } = recordOf(parsed(new TextDecoder().decode(data)));
    this.#noteMoment('ts', ts);
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      const [tag, payload] = Array.isArray(entry) ? (entry as unknown[]) : [];
      if (tag === 'info') this.#info(payload, atMs);
      if (tag === 'bet') this.#statuses.add(statusForm(recordOf(payload)['status']));
      if (tag === 'order' || tag === 'betslip') this.#look(payload);
    }
  }

  #info(payload: unknown, atMs: number): void {
    const count = recordOf(payload)['registered_events'];
    if (typeof count === 'number') this.#registered = { count, atMs };
  }

  /** Looks at every field of an answer or payload, however deep. */
  #look(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#look(item);
    for (const [name, field] of Object.entries(recordOf(value))) {
      if (MOMENTS.has(name)) this.#noteMoment(name, field);
      if (name === 'bets' && Array.isArray(field))
        for (const bet of field) this.#statuses.add(statusForm(recordOf(bet)['status']));
      this.#look(field);
    }
  }

  #noteMoment(name: string, value: unknown): void {
    if (value === null || value === undefined) return;
    const forms = this.#moments.get(name) ?? new Set();
    this.#moments.set(name, forms.add(momentForm(value)));
  }
}

/** Type and direction of the betslip that a request creates. */
function slipOf(body: Readonly<Record<string, unknown>>): string {
  const direction = splitBetType(String(body['bet_type']))?.direction ?? 'unknown';
  return `${String(body['betslip_type'])} ${direction}`;
}

/** The name of a stream command, which is the first item of its list. */
function commandOf(text: string): string {
  const command = parsed(text);
  return Array.isArray(command) ? String(command[0]) : '';
}

function momentForm(value: unknown): MomentForm {
  if (typeof value === 'number')
    return value > LEAST_SECONDS && value < MOST_SECONDS ? 'Unix seconds' : 'another form';
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return 'another form';
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return 'ISO 8601 with Z';
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+[+-]\d{2}:\d{2}$/.test(value)
    ? 'ISO 8601 with an offset'
    : 'another form';
}

function statusForm(value: unknown): StatusForm {
  if (typeof value === 'string') return 'string';
  return typeof recordOf(value)['code'] === 'string' ? 'object' : 'another form';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
