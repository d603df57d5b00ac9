import process from 'node:process';
import { userInfo } from 'node:os';
import { TouchlineError, TransportError } from '../domain/errors.ts';
import { sleep } from '../ports/clock.ts';
import type { AdminClient } from './adapters/admin-client.ts';
import { adminClient } from './adapters/admin-client.ts';
import { systemClock } from './adapters/system-clock.ts';
import { readApiKey } from './api-key.ts';
import { closeOwnOrders, latchFromOutside } from './close-from-outside.ts';
import type { Config } from './config/load.ts';
import { connect } from './connect.ts';

export interface Operation {
  readonly config: Config;
  /** Address of the daemon's admin interface; null: that of the configuration. */
  readonly url: string | null;
}

const ANSWER_WITHIN_MS = 3_000;
const CLOSED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** How a kill went. `openOrders` are ours that are still open, null when that could not be found out. */
export interface KillReport {
  readonly by: 'daemon' | 'command';
  readonly openOrders: number | null;
  /** Where the next daemon finds that it must not trade. */
  readonly latchedIn: string | null;
}

/**
 * Stops everything: tells the daemon, and waits until it has closed its orders. When no daemon answers, closes the orders
 * and leaves the latch itself. Rejects with ConfigError when neither is possible.
 */
export async function kill(operation: Operation, reason: string): Promise<KillReport> {
  const daemon = clientOf(operation);
  try {
    await daemon.post('/kill', { reason, by: operator() });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return killWithoutDaemon(operation.config, reason, error);
  }
  return { by: 'daemon', openOrders: await untilClosed(daemon), latchedIn: 'the daemon' };
}

/** Lets the daemon trade again. Rejects with TransportError when none answers. */
export async function resume(operation: Operation, reason: string): Promise<void> {
  await clientOf(operation).post('/resume', { reason, by: operator() });
}

/** What keeps a selection (or each one) from being quoted. Rejects with TouchlineError `not_found`. */
export async function why(operation: Operation, selection: string | null): Promise<unknown> {
  const query = selection === null ? '' : `?selection=${encodeURIComponent(selection)}`;
  return clientOf(operation).get(`/why${query}`);
}

/** Exposure, states, guards and refusals. */
export const riskReport = (operation: Operation): Promise<unknown> => clientOf(operation).get('/risk');

function clientOf({ config, url }: Operation): AdminClient {
  return adminClient(url ?? `http://${config.ops.host}:${config.ops.port}`, ANSWER_WITHIN_MS);
}

const operator = (): string => `${userInfo().username} (pid ${process.pid})`;

async function untilClosed(daemon: AdminClient): Promise<number | null> {
  const untilMs = systemClock.monotonicMs() + CLOSED_WITHIN_MS;
  let open: number | null = null;
  while (open !== 0 && systemClock.monotonicMs() < untilMs) {
    const { openOrders } = (await daemon.get('/risk')) as { readonly openOrders: number };
    open = openOrders;
    if (open > 0) await sleep(systemClock, LOOK_EVERY_MS);
  }
  return open;
}

async function killWithoutDaemon(
  config: Config,
  reason: string,
  unreached: TransportError,
): Promise<KillReport> {
  const record = { by: operator(), reason, atMs: systemClock.wallMs() };
  // First the latch: a supervisor may be starting the daemon again at this very moment.
  const latchedIn = latchFromOutside(config, record, systemClock);
  const { restUrl, streamUrl } = config.exchange;
  if (restUrl === '') {
    const message = `${unreached.message}, and no exchange is configured where orders could be closed without it`;
    throw new TouchlineError('unavailable', message, {}, unreached);
  }
  await using exchange = connect({
    baseUrl: restUrl,
    streamUrl,
    apiKey: readApiKey(config.exchange, process.env),
  });
  const { open } = await closeOwnOrders(exchange);
  return { by: 'command', openOrders: open, latchedIn };
}
