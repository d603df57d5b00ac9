/**
 * `npm run check`: every static check, two at a time, longest first. Quiet when green: one line per step; a step
 * that fails shows its output. All steps run even when one fails.
 *
 * Usage: node scripts/check.ts [step …]      (no step: all of them)
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

interface Step {
  readonly name: string;
  /** A script and its arguments, run by this very node. */
  readonly command: readonly string[];
}

interface Outcome {
  readonly step: Step;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

const CRUISED = ['src', 'strategies', 'test', 'bench', 'scripts'].filter((folder) => existsSync(folder));

const STEPS: readonly Step[] = [
  { name: 'lint', command: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'] },
  { name: 'types', command: ['node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json'] },
  { name: 'format', command: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'] },
  {
    name: 'boundaries',
    command: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config=.dependency-cruiser.cjs',
      ...CRUISED,
    ],
  },
  { name: 'dead code', command: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
];

const WORKERS = 2;

async function run(step: Step): Promise<Outcome> {
  const started = performance.now();
  const child = spawn(process.execPath, step.command, { stdio: ['ignore', 'pipe', 'pipe'] });
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
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${step.name.padEnd(10)} ${seconds.toFixed(1)} s`);
  if (!passed) console.log(`${output}\n`);
}

/** Takes steps off the shared queue until it is empty. */
async function worker(queue: Step[], outcomes: Outcome[]): Promise<void> {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    const outcome = await run(step);
    report(outcome);
    outcomes.push(outcome);
  }
}

function chosenSteps(names: readonly string[]): Step[] {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) throw new Error(`no such step: ${unknown.join(', ')}`);
  return STEPS.filter((step) => names.length === 0 || names.includes(step.name));
}

const queue = chosenSteps(process.argv.slice(2));
const outcomes: Outcome[] = [];
await Promise.all(Array.from({ length: WORKERS }, async () => worker(queue, outcomes)));
process.exitCode = outcomes.every((outcome) => outcome.passed) ? 0 : 1;
