/** How errors that end a command reach the log. */
import process from 'node:process';
import { exitCodeOf } from '../../app/run/exit-codes.ts';
import type { RunConsole } from '../../app/run/run-signals.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Logger } from '../../ports/logger.ts';

/** The errors that the log has shown. */
const logged = new WeakSet<object>();

/** Whether the log has shown the error. */
export const isLogged = (error: unknown): boolean => error instanceof Error && logged.has(error);

/** Logs an error that ends the command, at level fatal. */
export function logFailure(logger: Logger, error: unknown): void {
  if (error instanceof Error) logged.add(error);
  logger.fatal(`touchline ends with an error: ${reasonOf(error)}`, {
    exitCode: exitCodeOf(error),
    error,
  });
}

/** Logs the error that a run ends with, and passes it on. */
export async function failuresLogged(console: RunConsole, run: Promise<number>): Promise<number> {
  try {
    return await run;
  } catch (error) {
    console.failed(error);
    throw error;
  }
}

/** Logs an error that nothing catches. Node then writes it to stderr as well, and ends the process with exit code 1. */
export function logCrashes(logger: Logger): void {
  process.on('uncaughtExceptionMonitor', (error) =>
    logger.fatal(`the process ends because of a bug: ${reasonOf(error)}`, { exitCode: 1, error }),
  );
}
