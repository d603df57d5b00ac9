/**
 * `npm run check`: the static checks, two at a time, longest first. Prints one line per step, and the output of a step
 * that fails. All steps run even when one fails.
 *
 * Usage: node scripts/check.ts [step …]      (no step: all of them but the lint of streams)
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

interface Step {
  readonly name: string;
  /** A script and its arguments, run by this same node. */
  readonly command: readonly string[];
}

interface Outcome {
  readonly step: Step;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

/** Tests may import everything: the linter alone looks for cycles there. */
const CRUISED = ['src', 'strategies', 'bench', 'scripts'].filter((folder) => existsSync(folder));

const STEPS: readonly Step[] = [
  // The linter's type checker reports what `npm run types` reports: the program is read once for both.
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings', '--type-check', '.'] },
  // Modules that pages share with the daemon are checked again with the browser's types.
  {
    name: 'types of pages',
    command: ['node_modules/@typescript/native/bin/tsc', '-p', 'src/web/tsconfig.json', '--checkers', '1'],
  },
  {
    name: 'boundaries',
    command: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config=.dependency-cruiser.cjs',
      ...CRUISED,
    ],
  },
  { name: 'dead code', command: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
];

/**
 * The rules of streams need a linter that takes as long for them as all other checks together, and few changes touch a
 * stream: only `npm run lint:streams` runs this step.
 */
const LINT_STREAMS: Step = {
  name: 'lint streams',
  command: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'],
};

const WORKERS = 2;

/**
 * Type checker and linter are Go programs. At its default of 100 the collector takes a third of their processor time; at 1000
 * they use a tenth more memory than at 400 instead.
 */
const ENVIRONMENT = { GOGC: '1000', ...process.env };

async function run(step: Step): Promise<Outcome> {
  const started = performance.now();
  const child = spawn(process.execPath, step.command, {
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const seconds = (performance.now() - started) / 1000;
  return { step, passed: code === 0, seconds, output: Buffer.concat(chunks).toString().trim() };
}

function report({ step, passed, seconds, output }: Outcome): void {
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${step.name.padEnd(12)} ${seconds.toFixed(1)} s`);
  if (!passed) console.log(`${output}\n`);
}

/** Runs steps of the shared queue until it is empty. */
async function worker(queue: Step[], outcomes: Outcome[]): Promise<void> {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    const outcome = await run(step);
    report(outcome);
    outcomes.push(outcome);
  }
}

function chosenSteps(names: readonly string[]): Step[] {
  const all = [...STEPS, LINT_STREAMS];
  const unknown = names.filter((name) => !all.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Error(
      `no such step: ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`,
    );
  return names.length === 0 ? [...STEPS] : all.filter((step) => names.includes(step.name));
}

const names = process.argv.slice(2);
const queue = chosenSteps(names);
const outcomes: Outcome[] = [];
await Promise.all(Array.from({ length: WORKERS }, async () => worker(queue, outcomes)));
if (names.length === 0) console.log(`left out: ${LINT_STREAMS.name}, which \`npm run lint:streams\` runs`);
process.exitCode = outcomes.every((outcome) => outcome.passed) ? 0 : 1;
