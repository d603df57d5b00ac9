import process from 'node:process';
import { TouchlineError } from '../domain/errors.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { CommanderError } from 'commander';

/** Says what went wrong in one line, without a stack: the reader is an operator. */
function complain(error: unknown): void {
  const message = error instanceof TouchlineError ? error.message : describeUnexpected(error);
  process.stderr.write(message.replace(/^/gm, 'touchline: ') + '\n');
}

function describeUnexpected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function main(): Promise<number> {
  try {
    await createProgram().parseAsync(process.argv);
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    // Commander has already said what is wrong with the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    complain(error);
    return exitCodeOf(error);
  }
}

/** Whoever reads our output may stop early, as `head` does: that is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.ok);
});

process.exitCode = await main();
