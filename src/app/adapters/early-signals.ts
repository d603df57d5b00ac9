import process from 'node:process';

const HELD = ['SIGUSR2', 'SIGHUP', 'SIGINT', 'SIGTERM'] as const;

const came = new Set<(typeof HELD)[number]>();
const note = (signal: NodeJS.Signals): void => void came.add(signal as (typeof HELD)[number]);

/**
 * Keeps signals that arrive while the program is loading, which takes a second. Otherwise a kill signal would end the process,
 * and the service manager would start it again, not killed; and the first process of a container would miss any signal. Imports
 * nothing that takes time to load.
 */
export function holdSignals(): void {
  for (const signal of HELD) process.on(signal, note);
}

/**
 * Keeps SIGUSR1 from opening Node's debugger, through which every user of the machine could command the daemon. The option
 * `--disable-sigusr1` does this before any code runs; this serves a daemon that somebody starts without it.
 */
export function refuseDebuggerSignal(): void {
  process.on('SIGUSR1', () => undefined);
}

/** Passes the kept signals to the listeners that exist now. */
export function handOverSignals(): void {
  for (const signal of HELD) process.off(signal, note);
  for (const signal of came) process.emit(signal, signal);
  came.clear();
}
