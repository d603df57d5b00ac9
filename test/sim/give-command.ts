import type { Run } from './world.ts';

/** Gives a command. Returns whether the daemon survived it. */
export function commanded(run: Run, command: () => void): boolean {
  try {
    command();
  } catch (error) {
    if (run.process.alive) throw error;
  }
  return run.process.alive;
}
