import { resolve } from 'node:path';
import process from 'node:process';
import { ConfigError, TouchlineError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { InstallationId } from '../../domain/installation.ts';
import { MODES } from '../../domain/mode.ts';
import { installationOf } from '../../storage/marked-journal.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/load.ts';
import { connect } from '../exchange/connect.ts';
import { readApiKey } from '../exchange/open-exchange.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { closeOurOrders } from './close-orders.ts';
import { operator } from './daemon.ts';
import { holderIn } from './holder.ts';
import { type KillReport, latchOf } from './kill-report.ts';
import { latchOffline, type OfflineLatch } from './offline.ts';

/**
 * Latches a kill and closes our orders from here, because no daemon did it: `unreached` says why. Rejects with the error that
 * prevented it; the message reports where the kill is latched.
 */
export async function killWithoutDaemon(
  config: Config,
  reason: string,
  unreached: TouchlineError,
): Promise<KillReport> {
  const record = { by: operator(), reason, atMs: systemClock.wallMs() };
  // Latch first: a supervisor may be starting the daemon again at this moment.
  const latch = latchOffline(config, record, systemClock);
  if (config.exchange.restUrl === '') {
    const message = `${unreached.message}, and no exchange is configured where orders could be closed without it`;
    throw new TouchlineError('unavailable', `${message}${latchOf(latch)}`, {}, unreached);
  }
  try {
    const holder = holderIn(unreached);
    const named = holder === null ? {} : { holder: holder.who };
    // Paper orders ended with their daemon. The exchange has none, and the account's others are not ours.
    const openOrders = MODES[config.mode].actsOnExchange ? await closeOpen(config) : 0;
    return { by: 'command', openOrders, ...latch, ...named };
  } catch (error) {
    throw withLatch(error, latch);
  }
}

async function closeOpen(config: Config): Promise<number> {
  const { restUrl, streamUrl } = config.exchange;
  const apiKey = readApiKey(config.exchange, process.env);
  await using exchange = connect({ baseUrl: restUrl, streamUrl, apiKey });
  const results = await closeOurOrders(exchange, { installation: installationAt(config.journal.path) });
  const unlisted = results.find(({ orderId }) => orderId === null);
  if (unlisted !== undefined) {
    const closed = results.filter(({ result }) => result === 'closed').length;
    const message = `${closed} closed; the orders still open are not known: ${unlisted.why}`;
    throw new TouchlineError('not_told', message);
  }
  const open = results.filter(({ result }) => result === 'still open');
  const firstWhy = open.find((each) => each.why !== undefined)?.why;
  if (firstWhy !== undefined)
    throw new TouchlineError('still_open', `${open.length} still open: ${firstWhy}`);
  return open.length;
}

/**
 * The installation that the journal names. Null if it names none: a kill then closes the orders of any installation of Touchline.
 */
function installationAt(path: string): InstallationId | null {
  if (path === '') return null;
  try {
    return readJournal(resolve(path), systemClock, installationOf);
  } catch (error) {
    if (error instanceof TouchlineError) return null;
    throw error;
  }
}

/** Orders may be open, so the error also reports where the kill is latched. */
function withLatch(error: unknown, latch: OfflineLatch): unknown {
  if (!(error instanceof TouchlineError)) return error;
  const message = `our orders could not be closed from here: ${error.message}${latchOf(latch)}`;
  if (error instanceof VenueRejection) return new VenueRejection(error.code, error.status, message);
  if (error instanceof TransportError)
    return new TransportError(error.outcome, message, error.details, error);
  return error instanceof ConfigError
    ? new ConfigError(message, error.details)
    : new TouchlineError(error.code, message, error.details, error);
}
