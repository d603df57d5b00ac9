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
  readonly statusCode?: number | undefined;
  readonly validation?: readonly Flaw[] | undefined;
}

/** Answers whatever goes wrong with `{error}`, one sentence for a person, never with the words of a library. */
export function answerInWords(server: FastifyInstance): void {
  server.setErrorHandler<Failure>(({ message, statusCode = 500, validation }, _request, reply) => {
    const error = validation === undefined ? message : validation.map(flawInWords).join('; ');
    return reply.code(statusCode >= 400 ? statusCode : 500).send({ error });
  });
  server.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `there is no ${request.method} ${request.url.split('?', 1)[0]}` }),
  );
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
