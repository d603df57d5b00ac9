import process from 'node:process';
import { holdSignals } from '../app/adapters/early-signals.ts';

/** Time that a slow reader has for the last lines of a log. */
const LEAVE_WITHIN_MS = 5_000;

// Static imports load before any code runs. The rest is large, so it is imported dynamically once signals are held.
const isDaemon = ['run', 'start'].includes(process.argv[2] ?? '');
if (isDaemon) holdSignals();
const { leaveWithin } = await import('../app/adapters/system-process.ts');
const { invoke } = await import('./program.ts');
const { leaveWhenNobodyReads } = await import('./output/output.ts');

leaveWhenNobodyReads();
process.exitCode = await invoke(process.argv);
if (isDaemon) leaveWithin(LEAVE_WITHIN_MS);
