import { once } from 'node:events';
import process from 'node:process';
import { EXIT } from '../../app/run/exit-codes.ts';

/** Whoever reads our output may stop early, as `head` does: that is no failure, but what has failed stays so. */
export function leaveWhenNobodyReads(exitCode: number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCode);
    process.stderr.write(`touchline: the output could not be written: ${error.code ?? error.message}\n`);
    process.exit(EXIT.failure);
  });
}

/** A command that has orders open must not end with its output. Settles with the first failure of either stream. */
export function stayWhenNobodyReads(): Promise<unknown> {
  process.stdout.removeAllListeners('error');
  return new Promise((resolve) => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', resolve);
  });
}

/** Writes lines no faster than they are read: a pipe would be given all of them, and hold them in our memory. */
export async function printAll(lines: Iterable<string>): Promise<void> {
  for (const line of lines) if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}
