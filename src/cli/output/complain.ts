import process from 'node:process';
import { VERSION } from '../../app/adapters/own-files.ts';
import { isReadByJournal } from '../../app/adapters/system-process.ts';
import { exitCodeOf } from '../../app/run/exit-codes.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { plainText } from '../../lib/plain-text.ts';
import { createStreamLogger } from '../../ops/logger.ts';
import { isLogged, logFailure } from './failures.ts';

/**
 * Prints an error on stderr without a stack, because the reader is an operator; in systemd's journal as a line of the log, unless
 * the log has shown it. Returns the exit code of the command.
 */
export function complain(error: unknown): number {
  if (isReadByJournal(process.stderr.fd, process.env)) complainToJournal(error);
  else
    for (const line of messageOf(error).split('\n')) process.stderr.write(`touchline: ${plainText(line)}\n`);
  return exitCodeOf(error);
}

function complainToJournal(error: unknown): void {
  if (isLogged(error)) return;
  const logger = createStreamLogger('error', process.stderr, { isJournal: true });
  logger.bind({ version: VERSION });
  logFailure(logger, error);
}

function messageOf(error: unknown): string {
  if (error instanceof TouchlineError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
