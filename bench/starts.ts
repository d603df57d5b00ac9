/**
 * `npm run bench:starts [-- --runs 20]`: how long a command takes to start. Prints the least time of all runs, because everything else
 * that the machine does only adds to it: until the end of the process, and of the processor. The first row is Node alone. `modules` counts
 * files, in a run of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = ['--disable-sigusr1', path.join(ROOT, 'src/cli/main.ts')];
const hook = (name: string): readonly string[] => [
  `--import=${new URL(`starts/${name}.ts`, import.meta.url).href}`,
];

const COMMANDS = [
  '--version',
  '--help',
  'status --help',
  'run --help',
  'status --url http://127.0.0.1:1',
  'kill --url http://127.0.0.1:1 --help',
  'config show',
  'strategy list',
] as const;

/** A new folder of caches, so that the first run is that of a new user. */
const caches = mkdtempSync(path.join(tmpdir(), 'touchline-starts-'));

interface Ended {
  readonly wallMs: number;
  readonly stderr: string;
}

function run(args: readonly string[]): Ended {
  const environment = { ...process.env, XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: undefined };
  const fromMs = performance.now();
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: environment, cwd: ROOT });
  return { wallMs: performance.now() - fromMs, stderr };
}

const processorMs = (args: readonly string[]): number =>
  Number(/processor (\d+)/.exec(run([...hook('report-processor'), ...args]).stderr)?.[1]) / 1_000;

const modulesOf = (args: readonly string[]): number =>
  (
    JSON.parse(
      run([...hook('report-modules'), ...args])
        .stderr.trim()
        .split('\n')
        .at(-1) ?? '[]',
    ) as string[]
  ).length;

const least = (values: readonly number[]): string => Math.min(...values).toFixed(0);

function row(name: string, args: readonly string[], runs: number): Record<string, string | number> {
  const first = run(args).wallMs;
  const times = Array.from({ length: runs }, () => run(args).wallMs);
  const processor = Array.from({ length: runs }, () => processorMs(args));
  return {
    command: name,
    'first run, ms': first.toFixed(0),
    'later, ms': least(times),
    'processor, ms': least(processor),
    modules: modulesOf(args),
  };
}

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10' } } });
const runs = Math.max(1, Number(values.runs));
try {
  console.table([
    row('node -e 0', ['-e', '0'], runs),
    ...COMMANDS.map((command) => row(`touchline ${command}`, [...PROGRAM, ...command.split(' ')], runs)),
  ]);
} finally {
  rmSync(caches, { recursive: true });
}
