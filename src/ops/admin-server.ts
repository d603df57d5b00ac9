import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { TouchlineError } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { addControlRoutes, type AdminControls, adminUrl } from './admin-controls.ts';
import { addKillRoute } from './kill-route.ts';

/** The result of a probe, and the reason if it fails. */
export interface Probe {
  readonly ok: boolean;
  readonly reasons: readonly string[];
}

export interface AdminSources {
  /** Whether the process is alive and its engine makes progress. A failure calls for a restart. */
  health(): Probe;
  /** Whether the daemon quotes or is able to. */
  ready(): Probe;
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** The whole status, as the terminal view shows it. */
  status(): unknown;
  /** Absent: the server accepts no commands. */
  readonly controls?: AdminControls;
  readonly clock: Clock;
}

/** Commands are short. A longer body is refused and nothing of it is carried out. */
const LONGEST_BODY_BYTES = 16_384;
/** A request that is incomplete after this time is refused, and its connection is closed. */
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

/** By default the server removes unknown fields silently: a mistyped `event` would then apply to the whole account. */
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
