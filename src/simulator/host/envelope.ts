import type { SimResponse } from '../core/api.ts';

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown): SimResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The specification's failure envelope. */
export function errorAnswer(status: number, code: string, data: unknown): SimResponse {
  return jsonAnswer(status, { status: 'error', code, data });
}

/** 400 `validation_error` that names no field. */
export function malformed(reason: string): SimResponse {
  return errorAnswer(400, 'validation_error', { validation_errors: { non_field_errors: [reason] } });
}

/** 500 with the published message and a support token. */
export function serverError(token: string): SimResponse {
  return errorAnswer(500, 'server_error', ['An error has occurred, token:', token]);
}
