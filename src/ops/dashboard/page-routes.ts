import type { FastifyInstance, FastifyReply } from 'fastify';

/** A built file of the dashboard, or why there is none. */
export type PageText = { readonly text: string } | { readonly missing: string };

/** The files of the dashboard. */
export interface Pages {
  /** The page itself. It holds its script and style. */
  page(): Promise<PageText>;
  /** The script of the worker that holds the stream for all tabs. */
  worker(): Promise<PageText>;
}

/** The path under which the page starts its worker. */
export const WORKER_PATH = '/dashboard-worker.js';

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Serves the page at `/`, without a token: it holds nothing that is secret, and it asks for everything with one. */
export function addPageRoutes(server: FastifyInstance, pages: Pages): void {
  const unlisted = { config: { scope: null }, schema: { hide: true } };
  server.get('/', unlisted, async (_request, reply) =>
    sendPage(reply, 'text/html; charset=utf-8', await pages.page()),
  );
  server.get(WORKER_PATH, unlisted, async (_request, reply) =>
    sendPage(reply, 'text/javascript; charset=utf-8', await pages.worker()),
  );
}

function sendPage(reply: FastifyReply, type: string, page: PageText): FastifyReply {
  if ('missing' in page)
    return reply.code(503).type('text/plain').send(`The dashboard is not here: ${page.missing}\n`);
  return reply.headers(HEADERS).type(type).send(page.text);
}
