import process from 'node:process';
import { vi } from 'vitest';
import { invoke } from '../../src/cli/program.ts';

/** The stdout of a command and its exit code, in this process. */
export async function commanded(
  ...args: readonly string[]
): Promise<readonly [code: number, stdout: string]> {
  let stdout = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += String(chunk);
    return true;
  });
  // Tests share a process: an earlier one may have left its exit code.
  process.exitCode = undefined;
  try {
    return [await invoke(['node', 'touchline', ...args]), stdout];
  } finally {
    spy.mockRestore();
    process.exitCode = undefined;
  }
}
