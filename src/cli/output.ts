import process from 'node:process';

/** Whoever reads our output may stop early, as `head` does: that is no failure, but what has failed stays so. */
export function leaveWhenNobodyReads(exitCode: number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? exitCode);
  });
}

/** A command that has orders open must not end with its output. Settles with the first failure of either stream. */
export function stayWhenNobodyReads(): Promise<unknown> {
  process.stdout.removeAllListeners('error');
  return new Promise((resolve) => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', resolve);
  });
}
