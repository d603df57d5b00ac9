import process from 'node:process';
import { holdSignals } from '../app/adapters/early-signals.ts';

// What is imported above is loaded before anything is done: so the rest, of which there is much, is imported here.
if (['run', 'start'].includes(process.argv[2] ?? '')) holdSignals();
const { EXIT } = await import('../app/exit-codes.ts');
const { invoke } = await import('./invoke.ts');
const { leaveWhenNobodyReads } = await import('./output.ts');

leaveWhenNobodyReads(EXIT.ok);
process.exitCode = await invoke(process.argv);
