import process from 'node:process';

/** Whoever stops a program that is not loaded yet may end it: it has begun nothing. */
const HELD = ['SIGUSR2', 'SIGHUP'] as const;

const came = new Set<(typeof HELD)[number]>();
const note = (signal: NodeJS.Signals): void => void came.add(signal as (typeof HELD)[number]);

/**
 * Keeps signals to kill and to reload that come while the program is loaded, which takes a second: they would end it, and
 * the service manager would start it again, not killed. Imports nothing that has to be loaded.
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
