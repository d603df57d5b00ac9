import { randomToken } from '../../src/app/adapters/this-machine.ts';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { leaveTokens } from '../../src/app/admin/rendezvous.ts';
import { randomTokens } from '../../src/app/admin/tokens.ts';
import type { AdminControls, Kill } from '../../src/ops/commands/controls.ts';
import { type AdminSources, startAdminServer } from '../../src/ops/admin-server.ts';
import { Sessions } from '../../src/ops/dashboard/sessions.ts';
import { type Listener, PLAIN } from '../../src/ops/listener.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { noMetrics } from '../../src/ports/metrics.ts';

/** Ignores a reason that arrives after a kill. */
export const unexplained = (answer: object = {}): Kill => ({
  explain: () => undefined,
  answer: () => answer,
});

/** Controls that can do only this. */
export const controlsWith = (controls: Partial<AdminControls>): AdminControls => ({
  kill: () => unexplained(),
  pause: () => null,
  close: () => null,
  resume: () => null,
  setState: () => null,
  loosens: () => false,
  why: () => null,
  risk: () => null,
  payoff: () => null,
  see: () => null,
  hand: { quote: () => null, move: () => null, withdraw: () => null, quotes: () => [] },
  adjust: { adjust: () => null, loosens: () => false },
  hedge: { preview: () => null, make: () => null, progress: () => null },
  reconcile: async () => null,
  reconciliation: () => null,
  deposit: () => null,
  settlePaper: () => null,
  ...controls,
});

/** Tokens of all servers in this process. */
export const TOKENS = randomTokens();

/** Sessions of browsers that end with this process. */
export function sessionsInMemory(clock: Pick<Clock, 'wallMs'> = systemClock): Sessions {
  return new Sessions({
    file: null,
    clock,
    token: randomToken,
    onProblem: () => undefined,
    onEnded: () => undefined,
    tokens: TOKENS,
  });
}

/** The header with a scope's token. */
export const bearing = (scope: keyof typeof TOKENS = 'control') => ({
  authorization: `Bearer ${TOKENS[scope]}`,
});

/** Access with the tokens above, which ignores refused requests. */
export const ACCESS = {
  ...PLAIN,
  hosts: [],
  tokens: TOKENS,
  onRefused: () => undefined,
  onCode: () => undefined,
  sessions: sessionsInMemory(),
  metrics: noMetrics,
  onEnded: () => undefined,
};

/** The answers of a server whose daemon can do nothing. */
export const IDLE: AdminSources = {
  status: () => ({ mode: 'simulated' }),
  parameters: {
    list: () => ({ where: 'memory', strategies: [] }),
    preview: async () => [],
    change: async () => [],
  },
  records: {
    timeline: () => [],
    profits: () => [],
    fills: () => [],
    alerts: () => [],
    days: () => [],
    orders: () => [],
    log: () => [],
    findInLog: () => [],
  },
  live: () => ({ atMs: 0, frameAtMs: null, pieces: [] }),
  pages: { page: async () => ({ missing: 'not built' }), worker: async () => ({ missing: 'not built' }) },
  controls: controlsWith({}),
  clock: systemClock,
};

/** The answers that commands find at the address of a daemon that can do only this. Commands find its tokens, too. */
export async function adminServing(
  controls: Partial<AdminControls>,
  port = 0,
  idle: AdminSources = IDLE,
): Promise<Listener> {
  const sources = { ...idle, controls: controlsWith(controls) };
  const server = await startAdminServer({ host: '127.0.0.1', port }, sources, ACCESS);
  const forget = leaveTokens(server.url, TOKENS);
  return { ...server, close: async () => (forget(), server.close()) };
}
