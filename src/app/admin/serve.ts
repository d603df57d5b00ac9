import { LineLimit } from '../../lib/line-limit.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Tokens } from '../../ops/access.ts';
import { type AdminAccess, type AdminSources, startAdminServer } from '../../ops/admin-server.ts';
import { linkOf } from '../../ops/dashboard/links.ts';
import { type CodeWish, Sessions } from '../../ops/dashboard/sessions.ts';
import type { Listener, RefusalReason, RefusedRequest } from '../../ops/listener.ts';
import { type MetricsSources, startMetricsServer } from '../../ops/metrics-server.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import { randomToken } from '../adapters/this-machine.ts';
import type { Config } from '../config/load.ts';
import { certificateOf } from './certificate.ts';
import { leaveTokens, noteDaemon, runtimeTokens } from './rendezvous.ts';
import { sessionFile } from './session-file.ts';
import { configuredTokens, openTokens, randomTokens } from './tokens.ts';

export interface Served {
  /** Address of the admin interface. */
  readonly adminUrl: string;
  /** Address of metrics and health. */
  readonly metricsUrl: string;
  /** An address of the dashboard with a new code. */
  link(wish: CodeWish): string;
  close(): Promise<void>;
}

type Settings = Pick<Config, 'admin' | 'ops' | 'journal'>;

/**
 * Serves metrics and health at one address and the admin interface at another, and lets commands find its tokens. Throws ConfigError
 * if the tokens or the certificate cannot be used, and TouchlineError if an address cannot be listened on.
 */
export async function serve(
  config: Settings,
  sources: AdminSources & MetricsSources,
  logger: Logger,
  metrics: Metrics,
): Promise<Served> {
  const { clock } = sources;
  const { admin, ops } = config;
  const folder = tokensFolder(config, logger);
  const tokens = folder === null ? randomTokens() : openTokens(folder, config.journal.path || folder);
  const onEnded = endings(clock, logger);
  const sessions = sessionsIn(folder, tokens, onEnded, clock, logger);
  const onCode: AdminAccess['onCode'] = (what, scope, from) =>
    logger.info('a link to the dashboard', { what, scope, from });
  const guarded = { hosts: admin.hosts, tokens, onRefused: refusals(clock, logger, metrics) };
  const transport = { certificate: certificateOf(config), isBehindProxy: admin.behindProxy };
  const metricsServer = await startMetricsServer(ops, sources, guarded);
  try {
    const adminServer = await startAdminServer(admin, sources, {
      ...guarded,
      ...transport,
      sessions,
      onCode,
      onEnded,
      metrics,
    });
    const forget = announce(adminServer.url, { folder, tokens, logger });
    return {
      adminUrl: adminServer.url,
      metricsUrl: metricsServer.url,
      link: (wish) => linkOf(adminServer.url, sessions.issue(wish).code),
      close: async () => {
        forget();
        await closeAll(adminServer, metricsServer);
      },
    };
  } catch (error) {
    await metricsServer.close();
    throw error;
  }
}

const closeAll = async (...servers: readonly Listener[]): Promise<void> => {
  for (const server of servers) await server.close();
};

/** The folder of the tokens; null if there is none and none can be had. */
function tokensFolder(config: Settings, logger: Logger): string | null {
  const configured = configuredTokens(config);
  if (configured !== null || config.admin.port === 0) return configured;
  try {
    return runtimeTokens(config.admin.port);
  } catch (error) {
    logger.warn('links to the dashboard are not kept', { reason: reasonOf(error) });
    return null;
  }
}

const sessionsIn = (
  folder: string | null,
  tokens: Tokens,
  onEnded: AdminAccess['onEnded'],
  clock: Clock,
  logger: Logger,
): Sessions =>
  new Sessions({
    tokens,
    onEnded,
    file: folder === null ? null : sessionFile(folder),
    clock,
    token: randomToken,
    onProblem: (reason) => logger.warn('links to the dashboard are not kept', { reason }),
  });

interface Announced {
  readonly folder: string | null;
  readonly tokens: Tokens;
  readonly logger: Logger;
}

/** Without this note, commands need the configuration or a token. */
function announce(url: string, { folder, tokens, logger }: Announced): () => void {
  try {
    return folder === null ? leaveTokens(url, tokens) : noteDaemon(url, folder);
  } catch (error) {
    logger.warn('commands cannot find the tokens by the port: name the configuration or a token', {
      reason: reasonOf(error),
    });
    return () => undefined;
  }
}

/** A stranger must not fill the disk. */
const REFUSALS_LOGGED_A_MINUTE = 20;
const ENDINGS_LOGGED_A_MINUTE = 20;

/** Logs what ended before its time. */
function endings(clock: Clock, logger: Logger): AdminAccess['onEnded'] {
  const limit = new LineLimit(ENDINGS_LOGGED_A_MINUTE);
  return ({ what, scope, count, why }) => {
    const { passes, dropped } = limit.take(clock.monotonicMs());
    if (passes) logger.warn('access to the dashboard ended', { what, scope, count, why, dropped });
  };
}

const REASONS = [
  'host',
  'origin',
  'no_token',
  'wrong_token',
  'wrong_code',
  'scope',
  'no_seat',
] as const satisfies readonly RefusalReason[];

/** Logs and counts refused requests. */
function refusals(clock: Clock, logger: Logger, metrics: Metrics): (refused: RefusedRequest) => void {
  const limit = new LineLimit(REFUSALS_LOGGED_A_MINUTE);
  const counter = metrics.counter(
    'touchline_admin_refused_total',
    'Refused requests to metrics and admin interface',
    ['reason'],
    knownValues('reason', REASONS),
  );
  return ({ reason, method, path, from }) => {
    counter.inc({ reason });
    const { passes, dropped } = limit.take(clock.monotonicMs());
    if (dropped > 0) logger.warn('more requests were refused than are logged', { dropped });
    if (passes) logger.warn('request refused', { reason, method, path: path.slice(0, LONGEST_PATH), from });
  };
}

const LONGEST_PATH = 200;
