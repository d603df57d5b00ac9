/**
 * `npm run ten-questions`: starts the embedded exchange and a daemon with a journal, asks the ten questions of the operating guide,
 * and prints how long each answer takes. Exits with 1 if a command fails.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = path.join(import.meta.dirname, '..');
const MAIN = path.join(ROOT, 'src/cli/main.ts');
const GUIDE = readFileSync(path.join(ROOT, 'docs/operating.md'), 'utf8');
/** Long enough for orders, fills and mark-outs. */
const TRADES_MS = 45_000;
const KEY = { TOUCHLINE_API_KEY: 'ten-questions' };
/** Comes back by itself only when a person leaves. */
const STAYS = 'touchline status --watch';

/** The commands in the guide's table, in order. */
function questions(): readonly (readonly [question: string, command: string])[] {
  const section = GUIDE.slice(GUIDE.indexOf('## Ten questions'));
  const rows = section.slice(0, section.indexOf('\n## ', 1)).matchAll(/^\| (.*?) +\| `(touchline [^`]*)`/gm);
  return [...rows].map(([, question = '', command = '']) => [question, command]);
}

const folder = mkdtempSync(path.join(tmpdir(), 'touchline-questions-'));
const exchange = spawn(process.execPath, [MAIN, 'sim', '--key', 'ten-questions', '--speed', '20'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const addresses = await new Promise<{ rest: string; stream: string }>((resolve) => {
  exchange.stdout.once('data', (chunk: Buffer) => {
    resolve(JSON.parse(chunk.toString().split('\n')[0] ?? '') as { rest: string; stream: string });
  });
});
const config = path.join(folder, 'touchline.toml');
writeFileSync(
  config,
  `[exchange]\nrestUrl = "${addresses.rest}"\nstreamUrl = "${addresses.stream}"\n[orders]\ndropCopyEveryS = 60\n[strategy]\nname = "symmetric"\n` +
    `[universe]\nmarketTypes = ["wdw"]\n[journal]\npath = "${path.join(folder, 'journal.sqlite')}"\n[ops]\nport = 0\n[admin]\nport = 9565\n`,
);
const daemon = spawn(process.execPath, [MAIN, 'run', '--json', '--config', config], {
  env: { ...process.env, ...KEY },
  stdio: 'ignore',
});
const ask = (args: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...args, '--config', config], {
    encoding: 'utf8',
    env: { ...process.env, ...KEY },
  });

/** The id of a selection that the daemon has chosen. */
function someSelection(): string {
  const { stdout, stderr } = ask(['why', '--json']);
  if (stdout === '') throw new Error(`touchline why names no selection: ${stderr}`);
  const [first] = JSON.parse(stdout) as readonly { readonly selectionId: string }[];
  if (first === undefined) throw new Error('the daemon has chosen no selection');
  return first.selectionId;
}

try {
  await pause(TRADES_MS);
  const selection = someSelection();
  for (const [question, command] of questions()) {
    if (command === STAYS) {
      console.log(`${'-'.padStart(8)}  ${command.padEnd(40)} stays on the screen: left out`);
      continue;
    }
    const args = command
      .split(' ')
      .slice(1)
      .map((word) => (word === 'SELECTION' ? selection : word));
    const started = performance.now();
    const { status, stdout, stderr } = ask(args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${seconds.padStart(6)} s  ${command.padEnd(40)} ${question}`);
    if (status === 0) continue;
    console.log(`exit code ${status}\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
} finally {
  daemon.kill('SIGTERM');
  await once(daemon, 'exit');
  exchange.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
