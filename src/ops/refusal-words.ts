import type { FastifyInstance } from 'fastify';

/** What is wrong with a request, as the checker of schemas tells it. */
interface Flaw {
  readonly keyword: string;
  /** Where: `/ttlS`, `/event/0`; empty for the whole. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

interface Failure {
  readonly message: string;
  readonly code?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly validation?: readonly Flaw[] | undefined;
}

/** Answers whatever goes wrong with `{error}`, one sentence for a person, never with the words of a library. */
export function answerInWords(server: FastifyInstance): void {
  server.setErrorHandler<Failure>((failure, _request, reply) =>
    reply.code(statusOf(failure)).send({ error: sentenceOf(failure) }),
  );
  server.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `there is no ${request.method} ${request.url.split('?', 1)[0]}` }),
  );
}

/** A name that means several things. */
const AMBIGUOUS = 'ambiguous';
/** What was asked for cannot be done as things are. */
const REFUSED = 'refused';

function statusOf({ code, statusCode = 500 }: Failure): number {
  if (code === AMBIGUOUS) return 409;
  if (code === REFUSED) return 422;
  return statusCode >= 400 ? statusCode : 500;
}

/** What is wrong with a request before any route sees it, by the library's code. */
const LIBRARY: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'send the body as JSON, with content-type: application/json',
  FST_ERR_CTP_INVALID_CONTENT_TYPE: 'send the body as JSON, with content-type: application/json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the body is empty: send a JSON object',
  FST_ERR_CTP_EMPTY_TYPE: 'send the body as JSON, with content-type: application/json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body is not valid JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'the body is too long',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body has another length than its header says',
  FST_ERR_BAD_URL: 'the address of the request is not valid',
  FST_ERR_MAX_PARAM_LENGTH: 'the address of the request is too long',
};

/** The sentence for whatever went wrong. */
export function sentenceOf({ message, code = '', statusCode = 500, validation }: Failure): string {
  if (validation !== undefined) return validation.map(flawInWords).join('; ');
  const known = LIBRARY[code];
  if (known !== undefined) return known;
  if (!code.startsWith('FST_')) return message;
  return statusCode < 500 ? 'the request cannot be understood' : 'the daemon cannot answer this request';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** One flaw of a request. */
function flawInWords({ keyword, instancePath, params, message }: Flaw): string {
  const name = instancePath.slice(1).replaceAll('/', '.') || 'the request';
  const limit = String(params['limit']);
  switch (keyword) {
    case 'required':
      return `${String(params['missingProperty'])} is missing`;
    case 'additionalProperties':
      return `${String(params['additionalProperty'])} is not known here`;
    case 'type':
      return `${name} must be ${KINDS[String(params['type'])] ?? String(params['type'])}`;
    case 'enum':
      return `${name} must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
    case 'maximum':
      return `${name} must be at most ${limit}`;
    case 'minimum':
      return `${name} must be at least ${limit}`;
    case 'exclusiveMinimum':
      return `${name} must be more than ${limit}`;
    case 'maxLength':
      return `${name} must have at most ${limit} characters`;
    case 'minLength':
    case 'pattern':
      return `${name} must not be blank`;
    case 'maxItems':
      return `${name} must have at most ${limit} entries`;
    case 'not':
      return instancePath === ''
        ? 'the request names things that exclude each other'
        : `${name} has a value that is not allowed`;
    default:
      return `${name} ${message ?? 'is not valid'}`;
  }
}
