import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import { AccessCheck, type Tokens } from './access.ts';
import { addAdjustRoutes } from './commands/adjust-routes.ts';
import { AnsweredCommands, rememberAnswers } from './commands/answered-commands.ts';
import { reading } from './commands/command-schema.ts';
import { addControlRoutes } from './commands/control-routes.ts';
import type { AdminControls } from './commands/controls.ts';
import { addHandRoutes } from './commands/hand-routes.ts';
import { addHedgeRoutes } from './commands/hedge-routes.ts';
import { addKillRoute } from './commands/kill-route.ts';
import { addMoneyRoutes } from './commands/money-routes.ts';
import type { Address } from './addresses.ts';
import { LiveHub, type LiveSource } from './dashboard/live-hub.ts';
import { addLiveRoute } from './dashboard/live-route.ts';
import { addPageRoutes, type Pages } from './dashboard/page-routes.ts';
import { addParameterRoutes, type ParameterControls } from './dashboard/parameter-routes.ts';
import { addRecordRoutes, type RecordSource } from './dashboard/record-routes.ts';
import { addSessionRoutes, type OnCode } from './dashboard/session-routes.ts';
import type { Ended, Sessions } from './dashboard/sessions.ts';
import { guard, type Guard, listen, type Listener, shortRequestServer, type Transport } from './listener.ts';

export interface AdminSources {
  /** The whole status, as the terminal view shows it. */
  status(): unknown;
  readonly controls: AdminControls;
  /** The state that the dashboard shows. */
  readonly live: LiveSource;
  readonly parameters: ParameterControls;
  readonly records: RecordSource;
  readonly pages: Pages;
  readonly clock: Clock;
}

export interface AdminAccess extends Omit<Guard, 'access'>, Transport {
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  /** Measures what pages cost. */
  readonly metrics: Metrics;
  /** Learns of each code for the dashboard that was made or revoked. */
  readonly onCode: OnCode;
  /** Learns of pages that had to give their seat to others. */
  readonly onEnded: (ended: Ended) => void;
}

/**
 * Serves `/status`, the controls and the dashboard. Every request needs a token, on this machine too: other users have accounts here. Throws
 * TouchlineError as `listen` does.
 */
export async function startAdminServer(
  address: Address,
  sources: AdminSources,
  access: AdminAccess,
): Promise<Listener> {
  return listen(await adminServer(sources, access), address, 'admin.port');
}

/** The server before it listens. */
async function adminServer(
  sources: AdminSources,
  { tokens, sessions, onCode, metrics, ...access }: AdminAccess,
): Promise<FastifyInstance> {
  const { controls, live, pages, parameters, records, clock } = sources;
  const server = shortRequestServer(access);
  const check = new AccessCheck(tokens, (token) => sessions.grantOf(token)?.scope ?? null);
  guard(server, { ...access, access: check });
  const commands = new AnsweredCommands(clock);
  rememberAnswers(server, commands);
  endConnections(server);
  await describe(server);
  server.get('/status', reading('The live view as JSON.'), async () => sources.status());
  server.get('/openapi.json', reading('This description.'), async () => server.swagger());
  addControlRoutes(server, controls);
  addMoneyRoutes(server, controls);
  addHedgeRoutes(server, controls.hedge);
  addAdjustRoutes(server, controls.adjust);
  addHandRoutes(server, controls.hand);
  addKillRoute(server, controls, clock, commands);
  addSessionRoutes(server, sessions, access.onRefused, onCode);
  const hub = measuredHub(live, clock, { metrics, onEnded: access.onEnded });
  addLiveRoute(server, hub, sessions, check, access.onRefused);
  addParameterRoutes(server, parameters);
  addRecordRoutes(server, records);
  addPageRoutes(server, pages);
  return server;
}

/**
 * Ends each connection with its answer. A connection that waits for the next request may die meanwhile without a word (a machine that slept, another
 * network), and a browser would send the kill on it.
 */
function endConnections(server: FastifyInstance): void {
  server.addHook('onSend', async (_request, reply) => void reply.header('connection', 'close'));
}

/** Buckets in seconds: a state must not delay an order by more than a millisecond. */
const SENT_BUCKETS_S = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05];

function measuredHub(
  live: LiveSource,
  clock: Clock,
  { metrics, onEnded }: Pick<AdminAccess, 'metrics' | 'onEnded'>,
): LiveHub {
  const sent = metrics.histogram(
    'touchline_dashboard_seconds',
    'Time to compute and send a state to the pages of the dashboard',
    SENT_BUCKETS_S,
  );
  const viewers = metrics.gauge('touchline_dashboard_viewers', 'Pages of the dashboard that follow');
  const hub = new LiveHub(live, clock, {
    onSent: (tookMs) => sent.observe(tookMs / 1_000),
    onDisplaced: (scope) => onEnded({ what: 'seat', scope, count: 1, why: 'too many' }),
  });
  metrics.beforeExposing(() => viewers.set(hub.viewers));
  return hub;
}

/** The OpenAPI description of the admin interface. */
export async function adminDescription(sources: AdminSources, access: AdminAccess): Promise<unknown> {
  const server = await adminServer(sources, access);
  await server.ready();
  const description = server.swagger();
  await server.close();
  return description;
}

/** Routes that are added afterwards are part of the description. */
async function describe(server: FastifyInstance): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Touchline, admin interface', version: '1' },
      components: {
        securitySchemes: { token: { type: 'http', scheme: 'bearer', description: SCOPES_IN_WORDS } },
      },
      security: [{ token: [] }],
    },
  });
}

const SCOPES_IN_WORDS =
  'A token of the folder admin.tokens. Its scope is read, reduce or control; each contains those before it.';
