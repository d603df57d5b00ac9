import process from 'node:process';
import { VERSION } from '../../app/adapters/own-files.ts';
import { isReadByJournal } from '../../app/adapters/system-process.ts';
import { exitCodeOf } from '../../app/run/exit-codes.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { plainText } from '../../lib/plain-text.ts';
import { isLogged, logFailure } from './failures.ts';

/**
 * Prints an error on stderr without a stack, because the reader is an operator; in systemd's journal as a line of the log, unless
 * the log has shown it. Resolves to the exit code of the command.
 */
export async function complain(error: unknown): Promise<number> {
  if (isReadByJournal(process.stderr.fd, process.env)) await complainToJournal(error);
  else
    for (const line of messageOf(error).split('\n')) process.stderr.write(`touchline: ${plainText(line)}\n`);
  return exitCodeOf(error);
}

async function complainToJournal(error: unknown): Promise<void> {
  if (isLogged(error)) return;
  const { createStreamLogger } = await import('../../ops/logger.ts');
  const logger = createStreamLogger('error', process.stderr, { isJournal: true });
  logger.bind({ version: VERSION });
  logFailure(logger, error);
}

function messageOf(error: unknown): string {
  if (error instanceof TouchlineError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
