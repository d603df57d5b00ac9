import type { FastifyInstance } from 'fastify';
import { type AccessCheck, bearerOf, permits } from '../access.ts';
import { described } from '../commands/command-schema.ts';
import { refuse, type RefusedRequest } from '../listener.ts';
import { EVERY_MS, type LiveHub } from './live-hub.ts';
import type { Sessions } from './sessions.ts';

/** A page shows at most eight ladders, each of an event of its own. */
const MOST_EVENTS = 8;

const LIVE_SCHEMA = {
  type: 'object',
  properties: {
    event: {
      type: 'array',
      maxItems: MOST_EVENTS,
      items: { type: 'string', maxLength: 200 },
      description: 'Keys of events whose selections, orders and payoffs are sent, too.',
    },
    everyMs: {
      type: 'integer',
      minimum: EVERY_MS,
      maximum: 1_000,
      default: EVERY_MS,
      description: 'Changes are sent at most so often.',
    },
  },
} as const;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Proxies would collect messages.
  'x-accel-buffering': 'no',
};

/**
 * Serves `GET /live[?event=KEY…&everyMs=N]`: server-sent events, each a `LiveMessage`. The first one holds everything, the others what changed. A
 * stream ends when its token does. A request for the head alone reads nothing, so there is none.
 */
export function addLiveRoute(
  server: FastifyInstance,
  hub: LiveHub,
  sessions: Pick<Sessions, 'holderOf'>,
  access: AccessCheck,
  onRefused: (refused: RefusedRequest) => void,
): void {
  const options = described('read', 'The dashboard’s state, as server-sent events.', {
    querystring: LIVE_SCHEMA,
  });
  server.get<{ Querystring: { event?: string[]; everyMs: number } }>(
    '/live',
    { ...options, exposeHeadRoute: false },
    async (request, reply) => {
      const { headers, query } = request;
      const { raw } = reply;
      const seat = hub.join({
        events: new Set(query.event),
        everyMs: query.everyMs,
        scope: request.access ?? 'read',
        holder: sessions.holderOf(bearerOf(headers.authorization)),
        write(message) {
          if (!raw.headersSent) {
            reply.hijack();
            raw.writeHead(200, HEADERS);
          }
          return raw.write(message);
        },
        isAllowed() {
          const scope = access.scopeOf(headers.authorization);
          return scope !== null && permits(scope, 'read');
        },
        end: () => void raw.destroy(),
      });
      if (seat === null) {
        onRefused({ reason: 'no_seat', method: 'GET', path: '/live', from: request.ip });
        return refuse(reply, 'no_seat');
      }
      raw.on('drain', () => seat.drained());
      raw.on('close', () => seat.left());
      return reply;
    },
  );
  server.addHook('preClose', async () => hub.close());
}
