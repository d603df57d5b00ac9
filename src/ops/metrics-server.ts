import { AccessCheck, type Tokens } from './access.ts';
import { type Address, isLoopback } from './addresses.ts';
import type { Exposition, ExpositionFormat } from './metrics.ts';
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
  metrics(format: ExpositionFormat): Promise<Exposition>;
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
  server.get('/metrics', { config: { scope: 'read' } }, async (request, reply) => {
    const exposition = await sources.metrics(formatFor(request.headers.accept));
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

const OPEN_METRICS = 'application/openmetrics-text';

/**
 * The format that a scraper prefers by its `Accept` header: OpenMetrics 1.0.0 if it ranks it above, or equal to, the plain
 * format; the plain format without a header.
 */
export function formatFor(accept = ''): ExpositionFormat {
  const ranges = accept.split(',').map(rangeOf);
  const weightOf = (...types: readonly string[]): number =>
    Math.max(0, ...ranges.filter(({ type }) => types.includes(type)).map(({ weight }) => weight));
  const open = weightOf(OPEN_METRICS);
  return open > 0 && open >= weightOf('text/plain', 'text/*') ? 'openmetrics' : 'prometheus';
}

/** A media range. A version of OpenMetrics other than 1.0.0 is not served, so it weighs nothing. */
function rangeOf(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const valueOf = (name: string): string | undefined =>
    parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
  const isServed = type !== OPEN_METRICS || (valueOf('version') ?? '1.0.0') === '1.0.0';
  return { type, weight: isServed ? Number(valueOf('q') ?? 1) || 0 : 0 };
}
