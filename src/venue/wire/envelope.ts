import { ProtocolError, type ValidationErrors, type VenueRejection } from '../../domain/errors.ts';
import type { HttpAnswer } from '../../ports/transport.ts';
import { type BoundedName, clamped, within } from './bounds.ts';
import { isKnownCode, rejection } from './errors.ts';
import { isRecord, parseJson, readNumber } from './scalars.ts';
import type { Survey } from './survey.ts';

/** The bounds of a wait that the exchange asks for: betslips have a limit of the day. */
export type RetryAfter = Extract<BoundedName, `retry_after${string}`>;

/**
 * The `data` of an answer. Throws VenueRejection when the exchange refused, and ProtocolError when the answer is not the
 * documented envelope. `retryAfter` names the bounds of the wait that a refusal asks for. A 404 counts as `not_found` only when the envelope says so: a proxy's page is no evidence.
 */
export function openEnvelope(
  answer: HttpAnswer,
  survey: Survey,
  retryAfter: RetryAfter = 'retry_after',
): unknown {
  const body = parseJson(answer.body);
  if (isRecord(body) && body['status'] === 'ok' && answer.status < 400) return body['data'] ?? null;
  if (isRecord(body) && body['status'] === 'error') throw refusal(answer, body, survey, retryAfter);
  const bare = bareRefusal(answer, survey, retryAfter);
  if (bare !== null) throw bare;
  throw new ProtocolError(`the answer is not an envelope (HTTP ${answer.status})`, { status: answer.status });
}

function refusal(
  answer: HttpAnswer,
  body: Record<string, unknown>,
  survey: Survey,
  bounds: RetryAfter,
): VenueRejection {
  const code = typeof body['code'] === 'string' ? body['code'] : codeOfStatus(answer.status);
  if (code === null) {
    throw new ProtocolError(`an error without a code (HTTP ${answer.status})`, { status: answer.status });
  }
  if (!isKnownCode(code)) survey.note('code', code);
  const data = body['data'] ?? null;
  const validation = validationOf(data);
  return rejection(code, answer.status, messageOf(code, data, validation), {
    retryAfterS:
      answer.status === 429 || code === 'throttled' ? retryAfterOf(answer, data, survey, bounds) : null,
    orderId: orderIdOf(data, survey),
    validation,
    details: detailsOf(data),
  });
}

/** Refusals that a proxy in front of the exchange may send without an envelope. */
function bareRefusal(answer: HttpAnswer, survey: Survey, bounds: RetryAfter): VenueRejection | null {
  const code = codeOfStatus(answer.status);
  if (code === null) return null;
  const retryAfterS = answer.status === 429 ? retryAfterOf(answer, null, survey, bounds) : null;
  return rejection(code, answer.status, `HTTP ${answer.status} without an envelope`, { retryAfterS });
}

function orderIdOf(data: unknown, survey: Survey): number | null {
  const id = isRecord(data) ? readNumber(data['order_id']) : null;
  return id === null ? null : within('refusal.order_id', id, survey);
}

function codeOfStatus(status: number): string | null {
  if (status === 401) return 'auth_error';
  if (status === 429) return 'throttled';
  if (status === 503) return 'unavailable';
  return status >= 500 ? 'server_error' : null;
}

/** Seconds to wait, within bounds: from the body, else from the header; null when neither has them. */
function retryAfterOf(answer: HttpAnswer, data: unknown, survey: Survey, bounds: RetryAfter): number | null {
  const seconds = readNumber(isRecord(data) ? data['retry_after'] : null) ?? headerSeconds(answer);
  return seconds === null ? null : clamped(bounds, seconds, survey);
}

/** A number, or a date, as a proxy sends. The date is relative to the answer's own date, so our clock does not matter. */
function headerSeconds({ headers }: HttpAnswer): number | null {
  const text = headers['retry-after'] ?? '';
  const waitMs = Date.parse(text) - Date.parse(headers['date'] ?? '');
  return readNumber(text) ?? (Number.isNaN(waitMs) ? null : waitMs / 1000);
}

/** Reads `{field: [reason]}`. An index-keyed list field gives `field.index`, and a bare reason a list of one. */
function validationOf(data: unknown): ValidationErrors {
  const errors = isRecord(data) ? data['validation_errors'] : null;
  return isRecord(errors) ? Object.fromEntries(flatten('', errors)) : {};
}

function flatten(prefix: string, errors: Record<string, unknown>): [string, readonly string[]][] {
  return Object.entries(errors).flatMap(([field, value]) => {
    const path = prefix === '' ? field : `${prefix}.${field}`;
    if (isRecord(value)) return flatten(path, value);
    const reasons: readonly unknown[] = Array.isArray(value) ? value : [value];
    return [[path, reasons.map(reasonText)]];
  });
}

const reasonText = (reason: unknown): string =>
  typeof reason === 'string' ? reason : JSON.stringify(reason);

function messageOf(code: string, data: unknown, validation: ValidationErrors): string {
  const reasons = Object.entries(validation).map(([field, list]) => `${field}: ${list.join(', ')}`);
  if (reasons.length > 0) return `${code}: ${reasons.join('; ')}`;
  const text = isRecord(data) ? (data['message'] ?? data['detail']) : data;
  return typeof text === 'string' ? `${code}: ${text}` : `the exchange answered ${code}`;
}

/** Further data of the refusal, for people and support. */
function detailsOf(data: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(data)) return data;
  if (Array.isArray(data)) return { message: data[0] as unknown, token: data[1] as unknown };
  return data === null ? {} : { data };
}
