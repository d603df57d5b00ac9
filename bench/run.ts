/**
 * Runs the benches, one process after the other:
 *
 *     npm run bench                                     everything
 *     npm run bench -- decode load [--json]             benches whose file names begin so; figures as JSON lines, too
 *     npm run bench -- --against COMMIT [decode load]   the same beside another commit, in interleaved rounds
 *                      [--rounds 5] [--tolerance 10]
 *
 * `--against` prints the medians of both trees and ends with exit code 1 when a figure of this tree is worse by more than
 * the tolerance in percent, and with 2 when the trees could not be compared.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compareAgainst } from './against.ts';
import { tableOf } from './comparison.ts';
import { JSON_OPTION } from './figures.ts';

const WORSE = 1;
const NOT_COMPARED = 2;

const OPTIONS = {
  against: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  tolerance: { type: 'string', default: '10' },
  json: { type: 'boolean', default: false },
} as const;

type Options = ReturnType<typeof optionsIn>;

function optionsIn(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const rounds = Number(values.rounds);
  const tolerancePercent = Number(values.tolerance);
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw new Error('--rounds: give a whole number of 1 or more');
  if (!(tolerancePercent >= 0)) throw new Error('--tolerance: give a percentage of 0 or more');
  const files = filesNamed(positionals);
  if (files.length === 0) throw new Error(`no bench is called ${positionals.join(' or ')}`);
  return { ...values, rounds, tolerance: tolerancePercent / 100, files };
}

const filesNamed = (starts: readonly string[]): readonly string[] =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.bench.ts'))
    .filter((name) => starts.length === 0 || starts.some((start) => name.startsWith(start)))
    .sort();

function runHere({ files, json }: Options): number {
  const failed = files.filter((file) => {
    console.log(`\n${file}`);
    const args = ['--expose-gc', `${import.meta.dirname}/${file}`, ...(json ? [JSON_OPTION] : [])];
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0;
  });
  return failed.length === 0 ? 0 : 1;
}

async function runAgainst(commit: string, options: Options): Promise<number> {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => stop.abort(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  const log = (line: string): void => console.error(line);
  try {
    const root = dirname(import.meta.dirname);
    const comparison = await compareAgainst({ ...options, root, commit, log, signal: stop.signal });
    console.log(tableOf(comparison));
    return comparison.figures.some(({ verdict }) => verdict === 'worse') ? WORSE : 0;
  } catch (error) {
    if (stop.signal.aborted) return 128 + constants.signals[stop.signal.reason as NodeJS.Signals];
    throw error;
  }
}

try {
  const options = optionsIn(process.argv.slice(2));
  const { against } = options;
  process.exitCode = against === undefined ? runHere(options) : await runAgainst(against, options);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = NOT_COMPARED;
}
