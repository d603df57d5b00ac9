import type { FastifyInstance } from 'fastify';
import { type AccessScope, bearerOf, permits, SCOPES } from '../access.ts';
import { described } from '../commands/command-schema.ts';
import { refuse, type RefusedRequest } from '../listener.ts';
import { LONGEST_SHARE_DAYS } from './links.ts';
import type { Sessions } from './sessions.ts';

/** Enough to walk to another machine with the address, no more. */
const ONCE_MS = 120_000;
const LONGEST_SHARE_S = LONGEST_SHARE_DAYS * 24 * 3_600;
const LONGEST_NOTE = 100;

const SESSION_SCHEMA = {
  type: 'object',
  required: ['code'],
  additionalProperties: false,
  properties: { code: { type: 'string', minLength: 1, maxLength: 200 } },
} as const;

const CODE_SCHEMA = {
  type: 'object',
  required: ['scope'],
  additionalProperties: false,
  properties: {
    scope: { enum: SCOPES },
    ttlS: {
      type: 'integer',
      minimum: 1,
      maximum: LONGEST_SHARE_S,
      description: 'With it, the code works until then; without it, once and within two minutes.',
    },
    note: { type: 'string', maxLength: LONGEST_NOTE },
  },
} as const;

interface CodeBody {
  readonly scope: AccessScope;
  readonly ttlS?: number;
  readonly note?: string;
}

/** Learns of each code that was made or revoked. */
export type OnCode = (what: string, scope: AccessScope | null, from: string) => void;

/**
 * Serves `POST /session` (`{code}`: a code for the token of a session), `GET /session` (its scope), `POST /codes`
 * (`{scope, ttlS?, note?}`), `GET /codes` and `DELETE /codes/ID`. Nobody can give more access than they have, and what came from a
 * shared code cannot make another.
 */
export function addSessionRoutes(
  server: FastifyInstance,
  sessions: Sessions,
  onRefused: (refused: RefusedRequest) => void,
  onCode: OnCode,
): void {
  const exchange = {
    config: { scope: null },
    schema: {
      body: SESSION_SCHEMA,
      security: [],
      summary: 'Exchanges a code for the token of a session.',
      description: 'Needs no token. The page sends the code that stands in the fragment of its address.',
    },
  };
  server.post<{ Body: { code: string } }>('/session', exchange, async (request, reply) => {
    const session = sessions.exchange(request.body.code);
    if (session !== null) return session;
    onRefused({ reason: 'wrong_code', method: 'POST', path: '/session', from: request.ip });
    return refuse(reply, 'wrong_code');
  });
  server.get('/session', described('read', 'The scope of the token.', {}), async ({ access }) => ({
    scope: access ?? 'control',
  }));
  addCodeRoutes(server, sessions, onRefused, onCode);
}

function addCodeRoutes(
  server: FastifyInstance,
  sessions: Sessions,
  onRefused: (refused: RefusedRequest) => void,
  onCode: OnCode,
): void {
  const make = described('read', 'Makes a code for the dashboard, of the same scope or a lesser one.', {
    body: CODE_SCHEMA,
  });
  server.post<{ Body: CodeBody }>('/codes', make, async (request, reply) => {
    const { scope, ttlS, note = '' } = request.body;
    const maker = sessions.makerOf(bearerOf(request.headers.authorization));
    if (maker === null || request.access === null || !permits(request.access, scope)) {
      onRefused({ reason: 'scope', method: 'POST', path: '/codes', from: request.ip });
      return reply.code(403).send({ error: 'the scope of the token does not allow this code' });
    }
    const isReusable = ttlS !== undefined;
    const ttlMs = ttlS === undefined ? ONCE_MS : ttlS * 1_000;
    const made = sessions.issue({ scope, ttlMs, isReusable, note }, maker);
    onCode(isReusable ? `shared ${made.id}` : 'made for one use', scope, request.ip);
    return made;
  });
  const list = described('control', 'The links, codes and sessions that still work.', {});
  server.get('/codes', list, async () => sessions.list());
  const revoke = described('control', 'Ends a link, code or session, and everything that came from it.', {});
  server.delete<{ Params: { id: string } }>('/codes/:id', revoke, async (request, reply) => {
    const { id } = request.params;
    if (!sessions.revoke(id)) return reply.code(404).send({ error: 'no such code' });
    onCode(`revoked ${id}`, null, request.ip);
    return { revoked: id };
  });
}
