import process from 'node:process';
import { holdSignals, refuseDebuggerSignal } from '../app/adapters/early-signals.ts';
import { keepCompiledModules } from '../app/adapters/compiled-modules.ts';
import { leaveWithin, tendHeap } from '../app/adapters/system-process.ts';

/** Time that a slow reader has for the last lines of a log. */
const LEAVE_WITHIN_MS = 5_000;

// Static imports load before any code runs. The rest is large, so it is imported dynamically once signals are held.
const [command, ...args] = process.argv.slice(2);
refuseDebuggerSignal();
const isDaemon = ['run', 'start'].includes(command ?? '');
if (isDaemon) {
  holdSignals();
  tendHeap();
} else keepCompiledModules();
const { leaveWhenNobodyReads } = await import('./output/output.ts');
leaveWhenNobodyReads();

/** A kill must reach the daemon before the other commands would be loaded. Null for everything else. */
async function killAtOnce(): Promise<number | null> {
  if (command !== 'kill') return null;
  const { quickKill } = await import('./quick-kill.ts');
  return quickKill(args);
}

async function invokeAny(): Promise<number> {
  const { invoke } = await import('./program.ts');
  return invoke(process.argv);
}

process.exitCode = (await killAtOnce()) ?? (await invokeAny());
if (isDaemon) leaveWithin(LEAVE_WITHIN_MS);
