import type { FastifyInstance, FastifyReply } from 'fastify';
import { WORKER_PATH } from './links.ts';

/** A built file of the dashboard, or why there is none. */
export type PageText = { readonly text: string } | { readonly missing: string };

/** The files of the dashboard. */
export interface Pages {
  /** The page itself. It holds its script and style. */
  page(): Promise<PageText>;
  /** The script of the worker that holds the stream for all tabs. */
  worker(): Promise<PageText>;
}

/** The two sides of a ladder. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path fill="#0072b2" d="M1 2h6v3H1zM3 6h4v3H3zM1 10h6v4H1z"/>
<path fill="#c8486f" d="M9 2h4v3H9zM9 6h6v3H9zM9 10h5v4H9z"/>
</svg>
`;

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
  server.get('/icon.svg', unlisted, async (_request, reply) =>
    sendPage(reply, 'image/svg+xml', { text: ICON }),
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
