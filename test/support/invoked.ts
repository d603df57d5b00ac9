import { afterEach, beforeEach, vi } from 'vitest';
import { invoke } from '../../src/cli/program.ts';

/** The result of a command. `lines` are those of stderr. */
export interface Invoked {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly lines: readonly string[];
}

/** Runs the command line in this process. The environment has nothing of Touchline's own except the key. */
export function commandLine(): (args: readonly string[], key?: string) => Promise<Invoked> {
  const written = { stdout: '', stderr: '' };
  beforeEach(() => {
    for (const name of ['stdout', 'stderr'] as const) {
      vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
        written[name] += String(chunk);
        return true;
      });
    }
    for (const name of Object.keys(process.env))
      if (name.startsWith('TOUCHLINE_')) vi.stubEnv(name, undefined);
  });
  const outputs = [process.stdout, process.stderr];
  const listening = outputs.map((stream) => stream.listeners('error'));
  afterEach(() => {
    // Each daemon listens until its process ends.
    for (const [i, stream] of outputs.entries())
      for (const added of stream.listeners('error').filter((each) => listening[i]?.includes(each) !== true))
        stream.off('error', added as (error: Error) => void);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return async (args, key) => {
    vi.stubEnv('TOUCHLINE_API_KEY', key);
    Object.assign(written, { stdout: '', stderr: '' });
    // Other tests of this process may have left theirs, and the process itself ends with the last.
    process.exitCode = undefined;
    const code = await invoke(['node', 'touchline', ...args]);
    process.exitCode = undefined;
    return { code, ...written, lines: written.stderr.trim().split('\n') };
  };
}
