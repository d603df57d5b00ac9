import process from 'node:process';
import { CommanderError } from 'commander';
import { EXIT } from '../app/run/exit-codes.ts';
import { TouchlineError } from '../domain/errors.ts';
import { exitCodeOf } from './output/exit-codes.ts';
import { createProgram } from './program.ts';

/** Runs the command that the arguments name, prints errors on stderr, and resolves to the exit code. Never throws. */
export async function invoke(argv: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(argv);
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    // Commander has already printed the fault in the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    complain(error);
    return exitCodeOf(error);
  }
}

/** Prints an error on one line, without a stack: the reader is an operator. */
function complain(error: unknown): void {
  const message = error instanceof TouchlineError ? error.message : describeUnexpected(error);
  process.stderr.write(message.replace(/^/gm, 'touchline: ') + '\n');
}

function describeUnexpected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
