import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** A process of the soak, line by line. */
export interface Child {
  readonly pid: number;
  /** Resolves with what `read` returns for the first line for which that is not null. Rejects if the process ends first. */
  until<T>(what: string, read: (line: string) => T | null): Promise<T>;
  say(line: string): void;
  /** Resolves to the exit code; null if a signal ended the process. */
  exited(): Promise<number | null>;
  /** Asks the process to stop, and resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Ends the process at once, if it is still there. */
  end(): void;
}

/** Starts a Node program, which ends with this process. `onLine` receives each line of its output, `onError` each line of its stderr. */
export function startChild(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
  onError: (line: string) => void,
): Child {
  const child = spawn(process.execPath, args, { env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' });
  const end = (): void => void child.kill('SIGKILL');
  // Before the folder of its files is removed.
  process.prependOnceListener('exit', end);
  const codeOf = once(child, 'exit').then(([code]) => code as number | null);
  const watchers = new Set<(line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    onLine(line);
    for (const watch of watchers) watch(line);
  });
  createInterface({ input: child.stderr }).on('line', onError);
  return {
    pid: child.pid ?? NaN,
    until: (what, read) =>
      new Promise((resolve, reject) => {
        const watch = (line: string): void => {
          const found = read(line);
          if (found === null) return;
          watchers.delete(watch);
          resolve(found);
        };
        watchers.add(watch);
        codeOf.then(() => reject(new Error(`${args.join(' ')} ended before it told ${what}`)), reject);
      }),
    say: (line) => void child.stdin.write(`${line}\n`),
    exited: () => codeOf,
    stop: () => {
      child.kill('SIGTERM');
      return codeOf;
    },
    end,
  };
}

/** Settings of the person who runs the soak must not reach its daemon. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours = (name: string): boolean => name.startsWith('TOUCHLINE_') || name === 'NOTIFY_SOCKET';
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours(name)));
}
