import type { SimRequest, SimResponse } from '../core/api.ts';
import { failure, invalid, ok, throttled } from '../core/replies.ts';
import type { Fault, FaultKind, FaultOf } from './schema.ts';

/**
 * How an answer travels: whole; `cut` (half of the body, then a reset); `stalled` (half of the body, then nothing);
 * `never` (silence); `reset` (no answer, the connection ends).
 */
export type Carriage = 'whole' | 'cut' | 'stalled' | 'never' | 'reset';

/** The fate of one request, from the client's send to the client's answer. */
export interface RequestPlan {
  /** The client's connection ends first; the request still travels to the exchange. */
  readonly abandoned: boolean;
  /** Delay of the request. */
  readonly beforeMs: number;
  /** Another client deletes the request's betslip just before the request arrives. */
  readonly betslipGone: boolean;
  /** How often the exchange receives the request. */
  readonly arrivals: 0 | 1 | 2;
  /** The answer that counts when the request arrives twice. */
  readonly answer: 'first' | 'second';
  readonly rewrites: readonly Rewrite[];
  /** Delay of the answer. */
  readonly afterMs: number;
  readonly carriage: Carriage;
}

/** The plan of a healthy exchange. */
export const UNHARMED: RequestPlan = {
  abandoned: false,
  beforeMs: 0,
  betslipGone: false,
  arrivals: 1,
  answer: 'first',
  rewrites: [],
  afterMs: 0,
  carriage: 'whole',
};

type Change = Partial<RequestPlan>;
/** `token`: the support token of an internal error. */
type Effects = { readonly [K in FaultKind]?: (fault: FaultOf<K>, token: string) => Change };

const falseAnswer = (answer: SimResponse, applied: boolean): Change => ({
  arrivals: applied ? 1 : 0,
  rewrites: [() => answer],
});

const EFFECTS: Effects = {
  request_lost: () => ({ arrivals: 0, carriage: 'never' }),
  answer_lost: () => ({ carriage: 'never' }),
  reset: () => ({ arrivals: 0, carriage: 'reset' }),
  reset_after: () => ({ carriage: 'reset' }),
  delayed: (fault) => ({ beforeMs: fault.delay_ms }),
  answer_delayed: (fault) => ({ afterMs: fault.delay_ms }),
  late: (fault) => ({ abandoned: true, beforeMs: fault.delay_ms, carriage: 'reset' }),
  applied_twice: (fault) => ({ arrivals: 2, answer: fault.answer }),
  stall: () => ({ carriage: 'stalled' }),
  cut_body: () => ({ carriage: 'cut' }),
  invalid_body: () => ({ rewrites: [ofOwn(invalidBody)] }),
  other_shape: () => ({ rewrites: [ofOwn(otherShape)] }),
  other_terms: ({ differs }) => ({ rewrites: [ofOwn((own) => otherTerms(own, differs))] }),
  conflict: (fault) => ({
    arrivals: fault.applied ? 1 : 0,
    rewrites: [(answer) => conflictAnswer(answer, fault.with_body)],
  }),
  rejected: (fault) => falseAnswer(invalid(fault.reasons), false),
  throttled: (fault) => falseAnswer(throttledAnswer(fault.retry_after_s), false),
  server_error: (fault, token) => falseAnswer(serverErrorAnswer(token), fault.applied),
  unavailable: (fault) => falseAnswer(unavailableAnswer(), fault.applied),
  close_ignored: () => ({ arrivals: 0, rewrites: [(_, request) => closeAnswer(request)] }),
  answer: (fault) => falseAnswer(anyAnswer(fault), fault.applied),
  betslip_gone: () => ({ betslipGone: true }),
};

/** Whether a fault affects requests. */
export function isRequestFault(fault: Fault): boolean {
  return fault.fault in EFFECTS;
}

/**
 * Adds one fault's effect to a plan. Delays and rewrites add up; in all other fields the latest fault counts. `token` is the
 * support token of an internal error: no two errors have the same.
 */
export function worsen(plan: RequestPlan, fault: Fault, token: string): RequestPlan {
  const effect = EFFECTS[fault.fault] as ((fault: Fault, token: string) => Change) | undefined;
  if (effect === undefined) return plan;
  const change = effect(fault, token);
  // A request that never arrives must not arrive twice: an answer that nothing was done would be wrong.
  if (fault.fault === 'applied_twice' && plan.arrivals === 0) return plan;
  return {
    ...plan,
    ...change,
    beforeMs: plan.beforeMs + (change.beforeMs ?? 0),
    afterMs: plan.afterMs + (change.afterMs ?? 0),
    rewrites: [...plan.rewrites, ...(change.rewrites ?? [])],
  };
}

/** Makes the answer that is sent from the exchange's own, which is null when the request did not arrive. */
export type Rewrite = (own: SimResponse | null, request: SimRequest) => SimResponse;

/** Rewrites the exchange's answer. A request that never arrived gets the answer of an unreachable exchange. */
export function ofOwn(change: (own: SimResponse) => SimResponse): Rewrite {
  return (own) => change(own ?? unavailableAnswer());
}

/** Codes of the specification's error table by status, for faults that name only the status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'auth_error',
  403: 'forbidden',
  404: 'not_found',
  409: 'limit_reached',
  429: 'throttled',
  500: 'server_error',
  503: 'warming',
};

/** An answer of any status in the envelope. */
function anyAnswer({ status, code, data }: FaultOf<'answer'>): SimResponse {
  if (status < 400) return ok(data, status);
  return failure(status, code ?? CODES[status] ?? 'server_error', data);
}

/** The answer to an accepted close. A request that names orders gets all of them reported as closed. */
function closeAnswer({ body }: SimRequest): SimResponse {
  const orderIds = parseObject(body)?.['order_ids'];
  return ok(Array.isArray(orderIds) ? { closed: [orderIds], not_found: [[]] } : null);
}

/** 500 with the published message and a support token. */
export function serverErrorAnswer(token: string): SimResponse {
  return failure(500, 'server_error', ['An error has occurred, token:', token]);
}

function throttledAnswer(retryAfterS: number | null): SimResponse {
  if (retryAfterS !== null) return throttled(retryAfterS);
  return failure(429, 'throttled', { message: 'Request was throttled.' });
}

/** 503 of a proxy before the exchange: no envelope. */
function unavailableAnswer(): SimResponse {
  return { status: 503, headers: ok(null).headers, body: '{"detail":"Service unavailable"}' };
}

/** 409 on an order that exists: the order that the request has just created, if it did. */
function conflictAnswer(own: SimResponse | null, withBody: boolean): SimResponse {
  if (!withBody) return { status: 409, headers: {}, body: '' };
  const orderId = own === null ? null : orderIdOf(own);
  return failure(409, 'order_already_created', { order_id: orderId, message: 'Order already created' });
}

function orderIdOf(own: SimResponse): number | null {
  const data = dataOf(own);
  return typeof data?.['order_id'] === 'number' ? data['order_id'] : null;
}

/** The data object of an answer in the envelope; null when the answer has none. */
export function dataOf(answer: SimResponse): Record<string, unknown> | null {
  const envelope = parseObject(answer.body);
  return isObject(envelope?.['data']) ? envelope['data'] : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A well-formed answer in the shape of another request's, with the same status and headers. */
function otherShape(own: SimResponse): SimResponse {
  const isList = Array.isArray(parseObject(own.body)?.['data']);
  const data = isList ? { heartbeats: [] } : [{ ccy: 'USDT', rate: 1 }];
  return { ...own, body: JSON.stringify({ status: 'ok', data }) };
}

/** An order with another price, stake or lifetime than requested. Answers without an order stay as they are. */
export function otherTerms(own: SimResponse, differs: FaultOf<'other_terms'>['differs']): SimResponse {
  const order = dataOf(own);
  if (order === null || !('want_price' in order)) return own;
  const data = { ...order, ...OTHER_TERMS[differs](order) };
  return { ...own, body: JSON.stringify({ status: 'ok', data }) };
}

const LONGER_MS = 60_000;

const OTHER_TERMS: Readonly<
  Record<FaultOf<'other_terms'>['differs'], (order: Record<string, unknown>) => object>
> = {
  price: (order) => ({ want_price: Number(order['want_price']) + 1 }),
  stake: (order) => {
    const [currency, amount] = order['want_stake'] as [string, number];
    return { want_stake: [currency, amount * 2] };
  },
  lifetime: (order) => ({
    expiry_time: new Date(Date.parse(String(order['expiry_time'])) + LONGER_MS).toISOString(),
  }),
};

/** A complete answer whose body is invalid JSON from its middle on. */
function invalidBody(own: SimResponse): SimResponse {
  return { ...own, body: `${own.body.slice(0, Math.ceil(own.body.length / 2))}\u0000<` };
}

/** A betslip with other prices. Answers without prices stay as they are. */
export function withPrices(
  own: SimResponse,
  change: (betslip: Record<string, unknown>) => object,
): SimResponse {
  const data = dataOf(own);
  if (data === null || !('price_list' in data)) return own;
  return { ...own, body: JSON.stringify({ status: 'ok', data: { ...data, ...change(data) } }) };
}
