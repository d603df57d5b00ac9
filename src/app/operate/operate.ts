export type { ResumeReport } from '../../engine/kill/resume.ts';
import { z } from 'zod';
import type { ResumeReport } from '../../engine/kill/resume.ts';
import { IN_MEMORY } from '../../engine/kill/kill-latch.ts';
import { latchOffline, type OfflineLatch, resumeOffline } from './offline.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { installationOf } from '../../storage/marked-journal.ts';
import { connect } from '../exchange/connect.ts';
import type { Config } from '../config/load.ts';
import { closeOurOrders } from './close-orders.ts';
import { readApiKey } from '../exchange/open-exchange.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { type AdminClient, adminClient } from '../adapters/admin-client.ts';
import type { TradingState } from '../../risk/index.ts';
import { adminUrl } from '../../ops/admin-server.ts';
import type { StateWish } from '../../ops/admin-controls.ts';
import { sleep } from '../../ports/clock.ts';
import type { InstallationId } from '../../domain/installation.ts';
import { ConfigError, TouchlineError, TransportError, VenueRejection } from '../../domain/errors.ts';
import { resolve } from 'node:path';
import { userInfo } from 'node:os';
import process from 'node:process';

// The parts of a daemon's answers that commands read. An answer without them came from another program.

/** Anything passes: the report of risk after the kill is what counts. */
export const KILL_ANSWER = z.unknown();

export const RISK_ANSWER = z.object({
  openOrders: z.number().nullable(),
  latchedIn: z.string().nullish(),
});

/** Reasons, one entry for each selection. */
export const WHY_ANSWER = z.array(z.object({ selectionId: z.string() }));

export const STATE_ANSWER = z.object({
  binding: z.enum(['active', 'reducing', 'halted']),
  by: z.string().optional(),
  why: z.string().optional(),
});

export const RESUME_ANSWER = z.object({
  released: z.array(z.string()),
  remaining: z.array(z.object({ what: z.string(), release: z.string() })),
  trading: z.boolean(),
  reducing: z.boolean(),
});

export interface Operation {
  /**
   * Reads the configuration; throws ConfigError. Not called if the daemon's address is known: a mistake in a file that is being
   * edited must not prevent a kill.
   */
  readonly config: () => Config;
  /** Address of the daemon's admin interface; null: the configured one. */
  readonly url: string | null;
}

const ANSWER_WITHIN_MS = 3_000;
const CLOSED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;

const RISK = { path: '/risk', shape: RISK_ANSWER };
const KILL = { path: '/kill', shape: KILL_ANSWER };
const RESUME = { path: '/resume', shape: RESUME_ANSWER };

/** The result of a kill. `openOrders` counts our orders that are still open; null if that could not be found out. */
export interface KillReport {
  readonly by: 'daemon' | 'command';
  readonly openOrders: number | null;
  /** Where the next daemon finds the kill; `IN_MEMORY` if no daemon will. */
  readonly latchedIn: string | null;
  /** Full path at which the command found no journal. */
  readonly noJournalAt?: string | null;
}

/** Daemon and permit accept no longer reason, and a kill must never fail because of its reason. */
const LONGEST_REASON = 500;
const LONGEST_NAME = 100;

/**
 * Stops all trading: commands the daemon to kill and waits until it has closed its orders. If the daemon does not answer, does
 * not confirm the kill or does not finish, this process latches the kill and closes the orders itself. Rejects with ConfigError
 * if neither is possible.
 */
export async function kill(operation: Operation, fullReason: string): Promise<KillReport> {
  const daemon = clientOf(operation);
  const reason = fullReason.slice(0, LONGEST_REASON);
  try {
    await daemon.post(KILL, { reason, by: operator() });
    return { by: 'daemon', ...(await untilClosed(daemon)) };
  } catch (error) {
    if (!(error instanceof TouchlineError)) throw error;
    return killWithoutDaemon(operation.config(), reason, error);
  }
}

/**
 * Resumes on a person's command: through the daemon or, if none answers, through the journal for the next one. Rejects with
 * TransportError if there is neither.
 */
export async function resume(operation: Operation, reason: string): Promise<ResumeReport> {
  try {
    return await clientOf(operation).post(RESUME, { reason, by: operator() });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const config = operation.config();
    if (config.journal.path === '') throw error;
    const record = { by: operator(), reason, atMs: systemClock.wallMs() };
    return resumeOffline(config, record, systemClock);
  }
}

/** The state in force in a scope after it was set. A wider scope or the kill switch may be stricter. */
export interface StateReport {
  readonly binding: TradingState;
  readonly by?: string | undefined;
  readonly why?: string | undefined;
}

/** Sets a trading state. Rejects with TouchlineError `usage` when the daemon does not know the event or selection. */
export async function setState(operation: Operation, wish: StateWish): Promise<StateReport> {
  const names = wish.event !== undefined || wish.selection !== undefined;
  const question = { path: '/state', shape: STATE_ANSWER, names };
  try {
    return await clientOf(operation).post(question, { ...wish, by: operator() });
  } catch (error) {
    if (!(error instanceof TouchlineError) || error.code !== 'not_found') throw error;
    const named = wish.event === undefined ? `--selection ${wish.selection}` : `--event ${wish.event}`;
    throw new TouchlineError('usage', `${named}: the daemon does not know it, or more than one of that name`);
  }
}

/** The reasons why a selection (or each one) is not quoted. Rejects with TouchlineError `not_found`. */
export async function why(operation: Operation, selection: string | null): Promise<unknown> {
  const query = selection === null ? '' : `?selection=${encodeURIComponent(selection)}`;
  return clientOf(operation).get({ path: `/why${query}`, shape: WHY_ANSWER, names: selection !== null });
}

/** Exposure, states, guards and refusals. */
export const riskReport = (operation: Operation): Promise<unknown> => clientOf(operation).get(RISK);

function clientOf({ config, url }: Operation): AdminClient {
  return adminClient(url ?? adminUrlOf(config()), ANSWER_WITHIN_MS);
}

const adminUrlOf = ({ ops: { host, port } }: Config): string => adminUrl(host, port);

const operator = (): string => `${userName()} (pid ${process.pid})`.slice(0, LONGEST_NAME);

/** The user of a container may have no name, and asking for it then throws. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

type Closed = Pick<KillReport, 'openOrders' | 'latchedIn'>;

async function untilClosed(daemon: AdminClient): Promise<Closed> {
  const untilMs = systemClock.monotonicMs() + CLOSED_WITHIN_MS;
  for (;;) {
    const { openOrders, latchedIn } = await daemon.get(RISK);
    const isOver = openOrders === 0 || systemClock.monotonicMs() >= untilMs;
    if (isOver) return { openOrders, latchedIn: latchedIn ?? null };
    await sleep(systemClock, LOOK_EVERY_MS);
  }
}

async function killWithoutDaemon(
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
    return { by: 'command', openOrders: await closeOpen(config), ...latch };
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

function keptIn(place: string | null): string {
  if (place === IN_MEMORY) return 'kept for this run alone: its journal is in memory';
  return place === null ? 'NOT LATCHED: a daemon that starts will trade' : `latched in ${place}`;
}

/** How a kill is kept, phrased for the end of a sentence. */
export function latchOf({ latchedIn, noJournalAt }: Pick<KillReport, 'latchedIn' | 'noJournalAt'>): string {
  const kept = keptIn(latchedIn);
  return typeof noJournalAt === 'string' ? `; ${kept}; there is no journal at ${noJournalAt}` : `; ${kept}`;
}
