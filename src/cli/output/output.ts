import { once } from 'node:events';
import process from 'node:process';
import { EXIT } from '../../app/run/exit-codes.ts';

/** A reader may stop early, as `head` does. That is no failure, but an earlier failure keeps its exit code. */
export function leaveWhenNobodyReads(exitCode: number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCode);
    process.stderr.write(`touchline: the output could not be written: ${error.code ?? error.message}\n`);
    process.exit(EXIT.failure);
  });
}

/** A command with open orders must not end when its output closes. Settles with the first error of either stream. */
export function stayWhenNobodyReads(): Promise<unknown> {
  process.stdout.removeAllListeners('error');
  return new Promise((resolve) => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', resolve);
  });
}

/** Writes lines only as fast as they are read. Otherwise a pipe would buffer all of them in our memory. */
export async function printAll(lines: Iterable<string>): Promise<void> {
  for (const line of lines) if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}
