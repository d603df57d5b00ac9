/** The envelope of every response (specification, Errors). */
import type { SimResponse } from './api.ts';

/** Reasons by field: `{field: [reason]}`. List fields have reasons by index. */
export type Reasons = Readonly<
  Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>
>;

export type Reply = SimResponse;

const JSON_HEADERS = { 'content-type': 'application/json' };

export function okText(
  dataText: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: `{"status":"ok","data":${dataText}}` };
}

export const ok = (data: unknown, status = 200): Reply => okText(JSON.stringify(data), status);

export function failure(
  status: number,
  code: string,
  data: unknown = null,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify({ status: 'error', code, data }),
  };
}

export const invalid = (reasons: Reasons): Reply =>
  failure(400, 'validation_error', { validation_errors: reasons });

/** A `validation_error` across fields. */
export const invalidTogether = (reason: string): Reply => invalid({ non_field_errors: [reason] });

export const notFound = (): Reply => failure(404, 'not_found');
export const notAllowed = (methods: readonly string[]): Reply =>
  failure(405, 'method_not_allowed', null, { allow: methods.join(', ') });
export const forbidden = (): Reply => failure(403, 'forbidden');
export const invalidCustomer = (): Reply => failure(403, 'invalid_customer');
export const warming = (): Reply => failure(503, 'warming');

/** The published text is the same for a missing, a malformed and a wrong key. */
export const unauthenticated = (): Reply =>
  failure(401, 'auth_error', { detail: 'Authentication credentials were not provided.' });

export function throttled(waitS: number): Reply {
  const message = `Request was throttled. Expected available in ${waitS} seconds.`;
  return failure(429, 'throttled', { message, retry_after: waitS }, { 'retry-after': String(waitS) });
}
