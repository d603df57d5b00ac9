import process from 'node:process';
import { EXIT } from './exit-codes.ts';
import { invoke } from './invoke.ts';

/** Whoever reads our output may stop early, as `head` does: that is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.ok);
});

process.exitCode = await invoke(process.argv);
