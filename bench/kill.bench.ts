/**
 * Time from the start of `touchline kill` until its request has arrived at the daemon:
 *
 *     npm run bench -- kill
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leaveTokens } from '../src/app/admin/rendezvous.ts';
import { randomTokens } from '../src/app/admin/tokens.ts';
import { figure } from './figures.ts';

const RUNS = 11;
const COMMAND = join(import.meta.dirname, '../bin/touchline');

let arrived = (): void => undefined;
const daemon = createServer((request, response) => {
  if (request.url === '/kill') arrived();
  request.resume().on('end', () => response.end('{"openOrders":0,"latchedIn":"journal"}'));
});
daemon.listen(0, '127.0.0.1');
await once(daemon, 'listening');
const { port } = daemon.address() as AddressInfo;

/** The command looks for a token, as it does for a daemon. */
const forget = leaveTokens(`http://127.0.0.1:${port}`, randomTokens());

const folder = mkdtempSync(join(tmpdir(), 'touchline-kill-'));
const config = join(folder, 'touchline.toml');
writeFileSync(config, `[admin]\nport = ${port}\n`);

/** Runs the command once. Milliseconds until the kill arrived, and until the command ended. */
async function run(
  program: readonly string[],
  target: readonly string[],
): Promise<readonly [number, number]> {
  const startedMs = performance.now();
  let arrivedMs = NaN;
  arrived = () => void (arrivedMs = performance.now() - startedMs);
  const [file = '', ...args] = [...program, 'kill', '--reason', 'bench', ...target];
  const child = spawn(file, args, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0 || Number.isNaN(arrivedMs)) throw new Error(`${file} ended with ${code} and did not kill`);
  return [arrivedMs, performance.now() - startedMs];
}

async function bench(name: string, program: readonly string[], target: readonly string[]): Promise<void> {
  const runs: (readonly [number, number])[] = [];
  for (let n = 0; n < RUNS; n++) runs.push(await run(program, target));
  const sorted = (at: 0 | 1): readonly number[] => runs.map((each) => each[at]).sort((a, b) => a - b);
  const [arrivals, ends] = [sorted(0), sorted(1)];
  const median = arrivals[RUNS >> 1] ?? NaN;
  const ms = (value: number | undefined): string => `${(value ?? NaN).toFixed(0)} ms`;
  console.log(
    `kill, ${name}: at the daemon after ${ms(median)} (${ms(arrivals[0])} to ${ms(arrivals.at(-1))}), ` +
      `command over after ${ms(ends[RUNS >> 1])}`,
  );
  figure(`kill at the daemon, ${name}`, median, 'ms');
}

const targets = [
  ['by --config', ['--config', config]],
  ['by --url', ['--url', `http://127.0.0.1:${port}`]],
] as const;
for (const [name, target] of targets) await bench(name, [COMMAND], target);
/** For example the command of an installed package. */
const other = process.env['TOUCHLINE_COMMAND'];
if (other !== undefined)
  for (const [name, target] of targets) await bench(`${name}, other command`, [other], target);

daemon.closeAllConnections();
daemon.close();
rmSync(folder, { recursive: true });
forget();
