import { seededRandom } from '../lib/random.ts';
import type { Secret } from '../domain/secret.ts';
import { startAdminServer } from '../ops/admin-server.ts';
import { createPrometheusMetrics } from '../ops/metrics.ts';
import type { PrometheusMetrics } from '../ops/metrics.ts';
import type { Journal } from '../ports/journal.ts';
import type { Venue } from '../ports/venue.ts';
import { createMemoryJournal } from '../storage/memory-journal.ts';
import { openSqliteJournal } from '../storage/sqlite-journal.ts';
import { createVenue, undiciTransport, wsTransport } from '../venue/index.ts';
import { randomIds } from './adapters/random-ids.ts';
import { systemClock } from './adapters/system-clock.ts';
import { compose } from './compose.ts';
import type { Config } from './config/load.ts';
import { Daemon } from './daemon.ts';
import { riskLimitsOf } from './risk-limits.ts';
import type { RunConsole } from './run-console.ts';
import { runToEnd } from './run-loop.ts';

export interface DaemonRun {
  readonly config: Config;
  readonly apiKey: Secret;
  readonly kind: 'simulated' | 'live';
  readonly durationMs: number | null;
  readonly console: RunConsole;
  readonly force: () => void;
}

/** A daemon on the machine's clock, sockets and disk, with its metrics and health served. Answers the exit code. */
export async function runDaemon(run: DaemonRun): Promise<number> {
  const { config, console } = run;
  const metrics = createPrometheusMetrics({ processMetrics: true });
  const limits = riskLimitsOf(config);
  const journal = openJournal(config);
  const venue = openVenue(run, metrics);
  const logger = console.logger;
  const composed = await compose(config, limits, {
    venue,
    journal,
    clock: systemClock,
    ids: randomIds,
    logger,
    metrics,
  });
  const daemon = new Daemon(composed, journal, {
    strategy: config.strategy.name,
    exchange: new URL(config.exchange.restUrl).host,
  });
  const admin = await startAdminServer(config.ops.host, config.ops.port, {
    health: () => daemon.health(),
    ready: () => daemon.ready(),
    metrics: () => metrics.expose(),
    status: () => daemon.status(),
  });
  logger.info('metrics and health are served', { url: admin.url });
  try {
    return await runToEnd({
      ...run,
      daemon,
      clock: systemClock,
      drainTimeoutMs: config.orders.drainTimeoutS * 1000,
    });
  } finally {
    await admin.close();
  }
}

function openJournal(config: Config): Journal {
  return config.journal.path === ''
    ? createMemoryJournal(systemClock)
    : openSqliteJournal(config.journal.path, systemClock);
}

function openVenue({ config, apiKey, kind, console }: DaemonRun, metrics: PrometheusMetrics): Venue {
  const { restUrl, streamUrl, requestTimeoutS } = config.exchange;
  return createVenue({
    kind,
    apiKey,
    http: undiciTransport({ baseUrl: restUrl, clock: systemClock }),
    sockets: wsTransport({ url: streamUrl }),
    requestTimeoutMs: requestTimeoutS * 1000,
    clock: systemClock,
    random: seededRandom(systemClock.wallMs(), 'backoff'),
    logger: console.logger.child({ part: 'venue' }),
    metrics,
  });
}
