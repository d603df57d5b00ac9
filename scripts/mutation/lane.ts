import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';
import type { ReachingTest } from './reach.ts';

/** Asks a lane to run test files, in this order, until one fails. */
export interface LaneRequest {
  readonly tests: readonly string[];
}

/** A lane's process reports this. */
export type LaneReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begins'; readonly test: string }
  | { readonly kind: 'done'; readonly failed?: string };

/** How the tests judged the code of a lane. */
export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly test: string }
  | { readonly kind: 'timeout'; readonly test: string };

/** A test file hangs when it takes so many times its usual time, and this much more. On a busy machine both are longer. */
const SLOWER = 5;
const GRACE_MS = 10_000;

/** A process of tests loads a few hundred modules before its first test. */
const START_MS = 20_000;

/** A warm runner of tests over one copy of the project. A process in which a test hangs is ended, and the next call starts a new one. */
export class Lane {
  readonly #tree: string;
  #child: ChildProcess | undefined;

  constructor(tree: string) {
    this.#tree = tree;
  }

  /** Runs test files in their order, until the first failure or hang. */
  async judge(tests: readonly ReachingTest[]): Promise<Verdict> {
    const child = (this.#child ??= await started(this.#tree));
    const busy = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
    const allowed = new Map(
      tests.map(({ test, wallMs }, at) => [
        test,
        busy * ((at === 0 ? START_MS : 0) + GRACE_MS + SLOWER * wallMs),
      ]),
    );
    const verdict = await new Promise<Verdict>((resolve) => {
      let running = 'the start';
      const late = (): void => {
        resolve({ kind: 'timeout', test: running });
      };
      let timer = setTimeout(late, busy * START_MS);
      const done = (found: Verdict): void => {
        clearTimeout(timer);
        child.off('message', hear).off('close', end);
        resolve(found);
      };
      const end = (): void => {
        done({ kind: 'failed', test: running });
      };
      const hear = (report: LaneReport): void => {
        if (report.kind === 'done')
          done(report.failed === undefined ? { kind: 'passed' } : { kind: 'failed', test: report.failed });
        if (report.kind !== 'begins') return;
        running = report.test;
        clearTimeout(timer);
        timer = setTimeout(late, allowed.get(running) ?? busy * GRACE_MS);
      };
      child.on('message', hear).on('close', end);
      child.send({ tests: tests.map(({ test }) => test) } satisfies LaneRequest);
    });
    if (verdict.kind === 'timeout' || child.exitCode !== null) this.close();
    return verdict;
  }

  /** Ends the process with all that it started. */
  close(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function started(tree: string): Promise<ChildProcess> {
  const child = fork(`${tree}/scripts/mutation/lane-process.ts`, {
    cwd: tree,
    detached: true,
    env: { NODE_COMPILE_CACHE: `${tree}/var/compiled`, TEST_PATIENCE: '2', ...process.env, MUTATION: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let told = '';
  child.stderr?.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(-2_000)));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => {
      resolve();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      reject(new Error(`the runner of ${tree} ended with ${code} before it was ready: ${told}`));
    });
  });
  return child;
}
