/**
 * Share of a core under 200 events of 150 offers every 2 s over a real socket, beside a client that only receives.
 * Server and clients are processes of their own. `node bench/load.bench.ts`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { figure } from './figures.ts';

const SECONDS = 30;

function start(script: string, ...args: readonly string[]): ChildProcess {
  const path = new URL(`./load/${script}`, import.meta.url).pathname;
  return spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child process has no output to read');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line;
}

interface Usage {
  readonly share: number;
  readonly frames: number;
  readonly elapsedMs: number;
}

const measure = async (mode: string, port: string): Promise<Usage> =>
  JSON.parse(await firstLine(start('client.ts', mode, port, String(SECONDS)))) as Usage;

const percent = (share: number): string => `${(share * 100).toFixed(1)} % of a core`;

const server = start('server.ts');
try {
  const port = await firstLine(server);
  const [bare, full] = await Promise.all([measure('receive', port), measure('daemon', port)]);
  const rate = (full.frames / full.elapsedMs) * 1000;
  console.log(
    `${rate.toFixed(0)} frames of 150 offers a second: receive only ${percent(bare.share)}, ` +
      `decode and join ${percent(full.share)}`,
  );
  figure('load, receive only', bare.share * 100, '% of a core');
  figure('load, decode and join', full.share * 100, '% of a core');
} finally {
  server.kill();
}
