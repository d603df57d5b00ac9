import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real process under test. */
export interface Run {
  readonly child: ChildProcess;
  readonly exit: Promise<Exit>;
  /**
   * Resolves with what was written from `offset` on once it matches; rejects when the process ends first. Both streams
   * count, stdout before stderr.
   */
  until(pattern: RegExp, offset?: number): Promise<string>;
  /** Characters written so far. */
  written(): number;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a process in the project's root; `environment` is added to ours, less everything of Touchline's own. */
export function launch(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(command, args, { cwd: PROJECT_ROOT, env: { ...cleanEnvironment(), ...environment } });
  let [stdout, stderr] = ['', ''];
  const watchers = new Set<() => void>();
  const notice = (): void => watchers.forEach((watch) => watch());
  child.stdout.on('data', (chunk: Buffer) => ((stdout += chunk.toString()), notice()));
  child.stderr.on('data', (chunk: Buffer) => ((stderr += chunk.toString()), notice()));
  const exit = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const until = (pattern: RegExp, offset = 0): Promise<string> =>
    new Promise((resolve, reject) => {
      const watch = (): void => {
        const text = (stdout + stderr).slice(offset);
        if (!pattern.test(text)) return;
        watchers.delete(watch);
        resolve(text);
      };
      watchers.add(watch);
      watch();
      const ended = (): void => reject(new Error(`ended before ${String(pattern)}:\n${stdout}${stderr}`));
      exit.then(ended, reject);
    });
  const written = (): number => stdout.length + stderr.length;
  return { child, exit, until, written, kill: (signal) => void child.kill(signal) };
}

/** The daemon by the runtime that runs the tests. */
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
