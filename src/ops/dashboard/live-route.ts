import type { FastifyInstance } from 'fastify';
import { type AccessCheck, permits } from '../access.ts';
import { described } from '../admin-controls.ts';
import { EVERY_MS, type LiveHub } from './live-hub.ts';

const MOST_EVENTS = 4;

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
 * stream ends when its token does.
 */
export function addLiveRoute(server: FastifyInstance, hub: LiveHub, access: AccessCheck): void {
  const options = described('read', 'The dashboard’s state, as server-sent events.', {
    querystring: LIVE_SCHEMA,
  });
  server.get<{ Querystring: { event?: string[]; everyMs: number } }>(
    '/live',
    options,
    async (request, reply) => {
      const { headers, query } = request;
      const { raw } = reply;
      const seat = hub.join({
        events: new Set(query.event),
        everyMs: query.everyMs,
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
      if (seat === null) return reply.code(503).send({ error: 'too many pages follow this daemon' });
      raw.on('drain', () => seat.drained());
      raw.on('close', () => seat.left());
      return reply;
    },
  );
  server.addHook('preClose', async () => hub.close());
}
