import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { patient } from './patience.ts';

export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Every awaited event comes much sooner, on however busy a machine. */
const LONGEST_WAIT_MS = patient(50_000);

/**
 * Processes of tests start hundreds of times. Their compiled code is kept, so each starts in half the processor time.
 */
const COMPILED = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
};

const running = new Set<ChildProcess>();
/** A failed test leaves its processes running. */
afterAll(() => running.forEach((child) => void child.kill('SIGKILL')));

/** A real process under test. */
export interface Run {
  readonly child: ChildProcess;
  readonly exit: Promise<Exit>;
  /**
   * Resolves with the text written from `offset` on once it matches. Rejects when the process ends first, or after 50 s,
   * and longer on a slow machine. Both streams count, stdout before stderr.
   */
  until(pattern: RegExp, offset?: number): Promise<string>;
  /** The number of characters written so far. */
  written(): number;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a process in the project's root. `environment` is added to ours, without Touchline's own variables. */
export function launch(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run {
  const env = { ...cleanEnvironment(), ...COMPILED, ...environment };
  const child = spawn(command, args, { cwd: PROJECT_ROOT, env });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  const watchers = new Set<() => void>();
  const notice = (): void => watchers.forEach((watch) => watch());
  child.stdout.on('data', (chunk: Buffer) => ((stdout += chunk.toString()), notice()));
  child.stderr.on('data', (chunk: Buffer) => ((stderr += chunk.toString()), notice()));
  const exit = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  const until = (pattern: RegExp, offset = 0): Promise<string> =>
    new Promise((resolve, reject) => {
      const giveUp = (what: string): void =>
        reject(new Error(`${what} ${String(pattern)}:\n${stdout}${stderr}`));
      const limit = setTimeout(() => giveUp(`nothing in ${LONGEST_WAIT_MS} ms like`), LONGEST_WAIT_MS);
      const watch = (): void => {
        const text = (stdout + stderr).slice(offset);
        if (!pattern.test(text)) return;
        watchers.delete(watch);
        clearTimeout(limit);
        resolve(text);
      };
      watchers.add(watch);
      watch();
      exit.then(() => giveUp('ended before'), reject).finally(() => clearTimeout(limit));
    });
  const written = (): number => stdout.length + stderr.length;
  return { child, exit, until, written, kill: (signal) => void child.kill(signal) };
}

/** The daemon on the runtime that runs the tests. */
export const touchline = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run =>
  launch(process.execPath, ['src/cli/main.ts', ...args], environment);

function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours = (name: string): boolean => name.startsWith('TOUCHLINE_') || name === 'NOTIFY_SOCKET';
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours(name)));
}

/** The JSON object on the last line of stdout. */
export function lastJson(exit: Exit): Record<string, unknown> {
  return JSON.parse(exit.stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}
