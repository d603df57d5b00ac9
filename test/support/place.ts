import { join } from 'node:path';
import { expect } from 'vitest';
import { notedTokens } from '../../src/app/admin/rendezvous.ts';
import { strongestToken } from '../../src/app/admin/tokens.ts';
import { patient } from './patience.ts';
import { type ExchangeProcess, exchangeSettings, launchExchange, type temporaryFolder } from './exchange.ts';
import { ownOrdersSince } from './own-orders.ts';
import { type Exit, type Run, touchline } from './process.ts';

export const KEY = { TOUCHLINE_API_KEY: 'test-key' };
/** No daemon listens here. */
export const NOBODY = ['--url', 'http://127.0.0.1:9'];

type Folder = ReturnType<typeof temporaryFolder>;

/** Address of the admin interface, once it is served. */
export const adminOf = (daemon: Run): Promise<string> => addressOf(daemon, 'the admin interface is served');

/** Address of metrics and health, once they are served. */
export const metricsOf = (daemon: Run): Promise<string> => addressOf(daemon, 'metrics and health are served');

async function addressOf(daemon: Run, message: string): Promise<string> {
  const line = new RegExp(`"url":"(http[^"]+)","msg":"${message}"`);
  return line.exec(await daemon.until(line))?.[1] ?? '';
}

/** A report of the daemon at the address of its admin interface. */
export async function reported(
  admin: string,
  path: '/status' | '/risk' | '/why' | `/${'fills' | 'profits' | 'hedge'}?${string}`,
): Promise<unknown> {
  const answer = await fetch(admin + path, { headers: { authorization: `Bearer ${tokenAt(admin)}` } });
  return answer.json();
}

/** The token that commands find for the daemon at this address. */
export function tokenAt(admin: string): string {
  const folder = notedTokens(Number(new URL(admin).port));
  return (folder === null ? null : strongestToken(folder)) ?? '';
}

/** An exchange, and the journal and settings of consecutive daemons that trade on it. */
export interface Place {
  readonly exchange: ExchangeProcess;
  readonly journal: string;
  readonly options: readonly string[];
}

export async function makePlace(folder: Folder, name: string): Promise<Place> {
  const exchange = await launchExchange();
  const journal = join(folder.path, `${name}.sqlite`);
  const config = folder.file(`${name}.toml`, exchangeSettings(exchange.rest, exchange.stream));
  return { exchange, journal, options: ['--config', config, '--set', `journal.path=${journal}`] };
}

/** A daemon. */
export const runAt = ({ options }: Place): Run => touchline(['run', '--json', ...options], KEY);

/** Runs a command on a daemon, or on the files that it left. */
export function operate({ options }: Place, args: readonly string[], target = NOBODY): Promise<Exit> {
  return touchline([...args, ...target, ...options], KEY).exit;
}

/** Ends a daemon, then its exchange. */
export async function endBoth({ exchange }: Place, daemon: Run): Promise<void> {
  daemon.kill('SIGTERM');
  await daemon.exit;
  exchange.run.kill('SIGTERM');
  await exchange.run.exit;
}

/**
 * Returns a function that waits until an order is created after this call. An order of an earlier run is logged as
 * live, too.
 */
export async function nextOrder({ exchange }: Place): Promise<() => Promise<void>> {
  const created = await ownOrdersSince(exchange);
  return () =>
    expect.poll(async () => (await created()).length, { timeout: patient(40_000) }).toBeGreaterThan(0);
}

const TURNS = /^touchline_engine_turns_total (\d+)$/m;

/** The number in the matching line of the metrics; 0 when there is none. */
export async function metricOf(metrics: string, line: RegExp): Promise<number> {
  return Number(line.exec(await (await fetch(`${metrics}/metrics`)).text())?.[1] ?? 0);
}

/** Waits until the daemon has viewed what it would quote this often: at least once each second. */
export async function turnsOn(metrics: string, times: number): Promise<void> {
  const turns = (): Promise<number> => metricOf(metrics, TURNS);
  const enough = (await turns()) + times;
  await expect.poll(turns, { timeout: patient(40_000), interval: 100 }).toBeGreaterThanOrEqual(enough);
}
