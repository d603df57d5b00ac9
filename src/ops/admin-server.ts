import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { TouchlineError } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { addControlRoutes, type AdminControls } from './admin-controls.ts';
import { addKillRoute } from './kill-route.ts';

/** Whether a probe passes, and why not. */
export interface Probe {
  readonly ok: boolean;
  readonly reasons: readonly string[];
}

export interface AdminSources {
  /** Is the process alive and its engine making progress? A failing answer asks for a restart. */
  health(): Probe;
  /** Is it quoting, or able to? */
  ready(): Probe;
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** The whole status, as the terminal view shows it. */
  status(): unknown;
  /** Left out: nothing can be commanded. */
  readonly controls?: AdminControls;
  readonly clock: Clock;
}

/** The words of a command are short: a longer body is refused, and nothing of it is done. */
const LONGEST_BODY_BYTES = 16_384;
/** A request that has not come whole by then is refused, and its connection is closed. */
const REQUEST_WITHIN_MS = 10_000;
const LOOK_FOR_LATE_REQUESTS_MS = 1_000;

export interface AdminServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics`, `/healthz`, `/readyz`, `/status` and the controls on the given address; port 0 takes any free one.
 * Throws TouchlineError `port_in_use` when the port is taken, `cannot_listen` for any other reason.
 */
export async function startAdminServer(
  host: string,
  port: number,
  sources: AdminSources,
): Promise<AdminServer> {
  const server = fastify({
    logger: false,
    forceCloseConnections: true,
    ajv: { customOptions: STRICT },
    bodyLimit: LONGEST_BODY_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    http: { connectionsCheckingInterval: LOOK_FOR_LATE_REQUESTS_MS },
  });
  addRoutes(server, sources);
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    throw listenError(error, host, port);
  }
  const address = server.server.address();
  const boundPort = address !== null && typeof address === 'object' ? address.port : port;
  return { port: boundPort, url: adminUrl(host, boundPort), close: () => server.close() };
}

/** Where the server of a host is asked; an address of IPv6 stands in brackets. */
export const adminUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** By default unknown fields are taken out in silence: a mistyped `event` would then mean the whole account. */
const STRICT = { removeAdditional: false } as const;

function addRoutes(server: FastifyInstance, sources: AdminSources): void {
  server.get('/metrics', async (_request, reply) => {
    const exposition = await sources.metrics();
    return reply.type(exposition.contentType).send(exposition.text);
  });
  for (const [path, probe] of [
    ['/healthz', () => sources.health()],
    ['/readyz', () => sources.ready()],
  ] as const) {
    server.get(path, async (_request, reply) => {
      const result = probe();
      return reply.code(result.ok ? 200 : 503).send(result);
    });
  }
  server.get('/status', async () => sources.status());
  if (sources.controls === undefined) return;
  addControlRoutes(server, sources.controls);
  addKillRoute(server, sources.controls, sources.clock);
}

function listenError(error: unknown, host: string, port: number): TouchlineError {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const why = inUse ? 'the port is in use by another program' : String(error);
  return new TouchlineError(
    inUse ? 'port_in_use' : 'cannot_listen',
    `cannot serve metrics and health on ${host}:${port}: ${why}; choose another with ops.port (0 takes any)`,
    { host, port },
    error,
  );
}
