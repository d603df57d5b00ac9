/** A paper run before an exchange in another process, with a look at all that it sends. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ExchangeProcess, temporaryFolder } from './exchange.ts';
import { touchline } from './process.ts';
import type { WireWatcher } from './wire-watcher.ts';

export const KEY = 'canary-key-of-an-account';

/** Everything that may leave a paper run. */
const ALLOWED = [
  /^GET \/v2\/(events|offers|xrates)\/$/,
  /^GET \/v2\/sports\/[^/]+\/bet_types\/[^/]+\/$/,
  /^UPGRADE \/v2\/stream$/,
  /^STREAM \["(register|unregister)_event","[^"]+","[^"]+"\]$/,
  /^STREAM \["list_registered_events"\]$/,
  /^STREAM \["echo","[\w-]+"\]$/,
];

/** The requests and commands that left, and may not. */
export const forbidden = ({ seen }: WireWatcher): string[] =>
  seen.filter((each) => !ALLOWED.some((allowed) => allowed.test(each)));

/** The configuration that `touchline init --paper` writes, with the addresses of this exchange. */
export async function drafted(folder: ReturnType<typeof temporaryFolder>, name: string): Promise<string[]> {
  const at = join(folder.path, name);
  const { code, stderr } = await touchline(['init', '--paper', '--yes', at]).exit;
  expect([code, stderr]).toEqual([0, '']);
  return ['--config', join(at, 'touchline.toml'), '--config', join(at, 'paper.toml')];
}

export const environment = (wire: WireWatcher): NodeJS.ProcessEnv => ({
  TOUCHLINE_API_KEY: KEY,
  TOUCHLINE_REST_URL: wire.rest,
  TOUCHLINE_STREAM_URL: wire.stream,
  TOUCHLINE_OPS_PORT: '0',
  TOUCHLINE_ADMIN_PORT: '0',
});

/** Has the exchange go wrong in this way. */
export async function fault(exchange: ExchangeProcess, ...faults: readonly object[]): Promise<void> {
  const answer = await fetch(new URL('faults', exchange.control), {
    method: 'POST',
    body: JSON.stringify(faults),
  });
  expect(answer.status).toBe(200);
}

/** Quotes that takers of the modelled market want: several selections, at its best prices, filled as soon as takers reach them. */
export const EAGER = [
  'paper.fills=touch',
  'strategy.parameters.halfSpread=0.0005',
  'strategy.parameters.minEdge=0',
  'paper.registeredEvents=8',
  'universe.maxEvents=4',
  'universe.maxSelections=8',
  'universe.marketTypes=wdw,ah,ou',
].flatMap((setting) => ['--set', setting]);
