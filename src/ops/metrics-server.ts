import { AccessCheck, type Tokens } from './access.ts';
import { type Address, isLoopback } from './addresses.ts';
import { guard, type Guard, listen, type Listener, PLAIN, shortRequestServer } from './listener.ts';

/** The result of a probe, and the reasons if it fails. */
export interface Probe {
  readonly ok: boolean;
  readonly reasons: readonly string[];
}

export interface MetricsSources {
  /** Whether the process is alive and its engine makes progress. A failure calls for a restart. */
  health(): Probe;
  /** Whether the daemon quotes or is able to. */
  ready(): Probe;
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/**
 * Serves `/metrics`, `/healthz` and `/readyz`, and accepts no command. On an address that other machines reach, metrics need a
 * token. Throws TouchlineError as `listen` does.
 */
export async function startMetricsServer(
  address: Address,
  sources: MetricsSources,
  { tokens, ...rest }: Omit<Guard, 'access'> & { readonly tokens: Tokens },
): Promise<Listener> {
  const server = shortRequestServer(PLAIN);
  guard(server, { ...rest, access: isLoopback(address.host) ? null : new AccessCheck(tokens) });
  server.get('/metrics', { config: { scope: 'read' } }, async (_request, reply) => {
    const exposition = await sources.metrics();
    return reply.type(exposition.contentType).send(exposition.text);
  });
  for (const [path, probe] of [
    ['/healthz', () => sources.health()],
    ['/readyz', () => sources.ready()],
  ] as const) {
    server.get(path, { config: { scope: null } }, async (_request, reply) => {
      const result = probe();
      return reply.code(result.ok ? 200 : 503).send(result);
    });
  }
  return listen(server, address, 'ops.port');
}
