/** The error table of the specification as the document's responses. */

type Json = Readonly<Record<string, unknown>>;

const STRING = { type: 'string' };
const NULL = { type: 'null' };

function envelope(codes: readonly string[], data: Json): Json {
  return {
    type: 'object',
    properties: { status: { const: 'error' }, code: { enum: codes }, data },
    required: ['status', 'code', 'data'],
    additionalProperties: false,
  };
}

const object = (properties: Json): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const REASONS = { type: 'array', items: STRING, minItems: 1 };
const VALIDATION = object({
  validation_errors: {
    type: 'object',
    additionalProperties: { anyOf: [REASONS, { type: 'object', additionalProperties: REASONS }] },
  },
});

/** Failures by name. */
export const ERROR_COMPONENTS = {
  ValidationError: envelope(['validation_error'], VALIDATION),
  OrderClosed: envelope(['order_closed'], NULL),
  InvalidBetType: envelope(['invalid_bet_type'], object({ bet_type: STRING })),
  AuthError: envelope(['auth_error'], object({ detail: STRING })),
  Forbidden: envelope(['forbidden', 'invalid_customer', 'too_many_open_betslips'], NULL),
  NotFound: envelope(['not_found'], NULL),
  MethodNotAllowed: envelope(['method_not_allowed'], NULL),
  OrderAlreadyCreated: envelope(
    ['order_already_created'],
    object({ order_id: { type: 'integer' }, message: STRING }),
  ),
  LimitReached: envelope(['limit_reached'], object({ detail: STRING })),
  Throttled: envelope(
    ['throttled'],
    object({ message: STRING, retry_after: { type: 'integer', minimum: 0 } }),
  ),
  ServerError: envelope(['server_error'], { type: 'array', items: STRING, minItems: 2, maxItems: 2 }),
  Warming: envelope(['warming'], NULL),
  Unavailable: object({ detail: STRING }),
} as const;

type ErrorName = keyof typeof ERROR_COMPONENTS;

function failure(description: string, names: readonly ErrorName[], headers: Json | null = null): Json {
  const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const content = { 'application/json': { schema: refs.length === 1 ? refs[0] : { anyOf: refs } } };
  return headers === null ? { description, content } : { description, headers, content };
}

const RETRY_AFTER = { 'Retry-After': { description: 'seconds', schema: { type: 'integer' } } };

/** The errors that every endpoint can answer with. */
export function commonErrors(marketData: boolean): Json {
  return {
    '400': failure('The request is wrong, or the order is closed', ['ValidationError']),
    '401': failure('The key is missing, malformed or rejected', ['AuthError']),
    '403': failure('Not allowed', ['Forbidden']),
    '405': failure('The path has no such method', ['MethodNotAllowed']),
    '429': failure('Over a limit', ['Throttled'], RETRY_AFTER),
    '500': failure('Internal error', ['ServerError']),
    '503': failure('Not available now', marketData ? ['Warming', 'Unavailable'] : ['Unavailable']),
  };
}

/** The further errors of one endpoint. */
export function errorsOf({ method, path }: { readonly method: string; readonly path: string }): Json {
  const notFound = path.includes('{') ? UNKNOWN : {};
  return { ...notFound, ...SPECIAL[`${method} ${path}`] };
}

const UNKNOWN: Json = { '404': failure('Unknown', ['NotFound']) };

const SPECIAL: Readonly<Record<string, Json>> = {
  // The betslip that the order names may be unknown.
  'POST /v2/orders/': { ...UNKNOWN, '409': failure('The request_uuid was used', ['OrderAlreadyCreated']) },
  'POST /v2/orders/{order_id}/close/': {
    '400': failure('Closed already', ['OrderClosed', 'ValidationError']),
  },
  'POST /v2/heartbeats/': { '409': failure('Too many heartbeats', ['LimitReached']) },
  'GET /v2/sports/{sport}/bet_types/{bet_type}/': { '400': failure('Not understood', ['InvalidBetType']) },
};
