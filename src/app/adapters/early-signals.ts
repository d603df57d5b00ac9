import process from 'node:process';

const HELD = ['SIGUSR2', 'SIGHUP', 'SIGINT', 'SIGTERM'] as const;

const came = new Set<(typeof HELD)[number]>();
const note = (signal: NodeJS.Signals): void => void came.add(signal as (typeof HELD)[number]);

/**
 * Keeps signals that come while the program is loaded, which takes a second. One to kill would end it, and the service
 * manager would start it again, not killed; the first process of a container would miss any. Imports nothing that has to
 * be loaded.
 */
export function holdSignals(): void {
  for (const signal of HELD) process.on(signal, note);
}

/** Tells those who listen from now on what came before. */
export function handOverSignals(): void {
  for (const signal of HELD) process.off(signal, note);
  for (const signal of came) process.emit(signal, signal);
  came.clear();
}
