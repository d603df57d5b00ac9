import process from 'node:process';
import { exitCodeOf } from '../../app/run/exit-codes.ts';
import { TouchlineError } from '../../domain/errors.ts';

/** Prints an error on stderr without a stack, because the reader is an operator. Returns the exit code of the command. */
export function complain(error: unknown): number {
  const message = error instanceof TouchlineError ? error.message : describeUnexpected(error);
  process.stderr.write(message.replace(/^/gm, 'touchline: ') + '\n');
  return exitCodeOf(error);
}

function describeUnexpected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
