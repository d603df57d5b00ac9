import process from 'node:process';
import { holdSignals } from '../app/adapters/early-signals.ts';

/** Who reads the last lines of a log has so long. */
const LEAVE_WITHIN_MS = 5_000;

// What is imported above is loaded before anything is done: so the rest, of which there is much, is imported here.
const isDaemon = ['run', 'start'].includes(process.argv[2] ?? '');
if (isDaemon) holdSignals();
const { EXIT } = await import('../app/run/exit-codes.ts');
const { leaveWithin } = await import('../app/adapters/system-process.ts');
const { invoke } = await import('./invoke.ts');
const { leaveWhenNobodyReads } = await import('./output/output.ts');

leaveWhenNobodyReads(EXIT.ok);
process.exitCode = await invoke(process.argv);
if (isDaemon) leaveWithin(LEAVE_WITHIN_MS);
