/**
 * Expected failures of the outside world. `code` is stable and part of the interface; `details` never holds a secret.
 * Pure code returns data instead of throwing these.
 */
export class TouchlineError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }
}

/** A configuration that cannot be used; the message names key, value and file. */
export class ConfigError extends TouchlineError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super('config', message, details, cause);
  }
}

/** Whether the bytes of a failed request can have reached the exchange. */
export type TransportOutcome = 'not-sent' | 'unknown';

/** The request got no answer. `unknown` means that the exchange may have acted on it. */
export class TransportError extends TouchlineError {
  readonly outcome: TransportOutcome;

  constructor(
    outcome: TransportOutcome,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super('transport', message, details, cause);
    this.outcome = outcome;
  }
}

/** The answer does not match the specification. The exchange may have acted on the request. */
export class ProtocolError extends TouchlineError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super('protocol', message, details, cause);
  }
}

/** `{field: [reason, …]}` of a `validation_error`. */
export type ValidationErrors = Readonly<Record<string, readonly string[]>>;

/**
 * The exchange's own refusal, by the documented envelope. `code` is the exchange's. `status` is the HTTP status.
 * `retryAfterS` is set for `throttled`; `orderId` for `order_already_created`; `validation` for `validation_error`.
 * A 5xx is a VenueRejection too, with code `server_error`, `warming` or `unavailable`: each of them leaves the outcome
 * of a create request unknown (see `outcomeOf`).
 */
export class VenueRejection extends TouchlineError {
  readonly status: number;
  readonly retryAfterS: number | null;
  readonly orderId: number | null;
  readonly validation: ValidationErrors;

  constructor(code: string, status: number, message: string, facts: VenueRejectionFacts = {}) {
    super(code, message, facts.details ?? {});
    this.status = status;
    this.retryAfterS = facts.retryAfterS ?? null;
    this.orderId = facts.orderId ?? null;
    this.validation = facts.validation ?? {};
  }
}

/** Whether the exchange answered that the resource does not exist (404). */
export const isNotFound = (error: unknown): boolean =>
  error instanceof VenueRejection && error.status === 404;

export interface VenueRejectionFacts {
  readonly retryAfterS?: number | null;
  readonly orderId?: number | null;
  readonly validation?: ValidationErrors;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A journal write or read that failed: nothing may be sent after it. */
export class JournalError extends TouchlineError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super('journal', message, details, cause);
  }
}

/** A record is missing, or differs from what was written: the file is damaged. Writing may still work. */
export class JournalDamage extends JournalError {}

/** The history cannot be written or read. Trading goes on. */
export class HistoryError extends TouchlineError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super('history', message, details, cause);
  }
}

/** A recording that cannot be read or written, or is damaged. `details` names file and offset where they are known. */
export class RecordingError extends TouchlineError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super('recording', message, details, cause);
  }
}

/**
 * The effect of a failed request: `refused` (the exchange answered and did nothing), `not-sent`, or `unknown` (it may
 * have acted: timeouts, resets, 5xx, unreadable answers). Any unexpected error is `unknown`.
 */
export function outcomeOf(error: unknown): 'refused' | TransportOutcome {
  if (error instanceof VenueRejection) return error.status < 500 ? 'refused' : 'unknown';
  if (error instanceof TransportError) return error.outcome;
  return 'unknown';
}
