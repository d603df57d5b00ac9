import { spawn } from 'node:child_process';

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the program and all that it has started. */
  readonly signal?: AbortSignal;
}

/** Runs a program to its end and returns its output. Throws when it fails or is aborted. */
export async function runProcess(
  command: string,
  args: readonly string[],
  { cwd, env, signal }: RunOptions,
): Promise<string> {
  signal?.throwIfAborted();
  // The child has its own process group: a bench starts servers and clients, and all of them must end with it.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const endGroup = (): void => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  signal?.addEventListener('abort', endGroup);
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal?.throwIfAborted();
    if (status === 0) return output.stdout;
    throw new Error(`${[command, ...args].join(' ')} failed in ${cwd}:\n${output.stderr || output.stdout}`);
  } finally {
    signal?.removeEventListener('abort', endGroup);
  }
}

/** Kills a process group; it may have ended already. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
