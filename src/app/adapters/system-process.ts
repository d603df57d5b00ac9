import { spawn } from 'node:child_process';
import { existsSync, fstatSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import type { Clock } from '../../ports/clock.ts';

/** The heap may grow by this part of what is in use before V8 collects all of it. */
const HEAP_GROWTH_PERCENT = 25;

/**
 * Fits V8's collection of garbage to a process that runs for days under an even load.
 *
 * - Left alone, V8 lets garbage grow to three times what is in use, and the process keeps the memory of that peak for good.
 * - At the start nearly all that the daemon makes stays: markets, offers, memories. V8 concludes that objects made at these places of the
 *   code always stay, and puts them where only a collection of the whole heap finds them. Later nearly all of them are garbage at once.
 * - Little of the young part survives a collection, so that waking threads to share the work costs more than the work.
 */
export function tendHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--no-parallel-scavenge');
}

/** Two signals within this time are one request: npm passes on signals that the terminal has already sent to the whole group. */
const SAME_SIGNAL_MS = 400;

/** Calls `onStop` at the first of the signals and `onForce` at a later one. Returns a function that stops listening. */
export function onStopSignals(
  clock: Clock,
  signals: readonly NodeJS.Signals[],
  onStop: (signal: string) => void,
  onForce: () => void,
): () => void {
  let firstMs: number | null = null;
  const handle = (signal: string): void => {
    if (firstMs === null) {
      firstMs = clock.monotonicMs();
      onStop(signal);
    } else if (clock.monotonicMs() - firstMs > SAME_SIGNAL_MS) {
      onForce();
    }
  };
  for (const signal of signals) process.on(signal, handle);
  return () => {
    for (const signal of signals) process.off(signal, handle);
  };
}

/** Calls `onHangUp` at each SIGHUP. Returns a function that stops listening. */
export function onHangUpSignal(onHangUp: (signal: string) => void): () => void {
  const handle = (signal: string): void => onHangUp(signal);
  process.on('SIGHUP', handle);
  return () => process.off('SIGHUP', handle);
}

/** Calls `onKill` at each SIGUSR2. Returns a function that stops listening. */
export function onKillSignal(onKill: (signal: string) => void): () => void {
  const handle = (signal: string): void => onKill(signal);
  process.on('SIGUSR2', handle);
  return () => process.off('SIGUSR2', handle);
}

/**
 * Resolves once signals that arrived while the process was busy have reached their listeners. The event loop checks for signals
 * once a turn and may have done so in this turn, so this waits for the second turn.
 */
export const signalsHeard = (): Promise<void> =>
  new Promise((resolve) => void setImmediate(() => void setImmediate(resolve)));

/**
 * Ends a finished process, with the exit code that it has by then, if something keeps it alive for longer: a log without a
 * reader, or a name lookup without an answer. A supervisor waits for its end.
 */
export function leaveWithin(ms: number): void {
  setTimeout(() => leaveAtOnce(Number(process.exitCode ?? 0)), ms).unref();
}

/**
 * Ends the process at once, even while it waits for name lookups. A normal exit would wait for them, since they cannot be
 * cancelled. Instead another program replaces the process and exits.
 */
export function leaveAtOnce(exitCode: number): void {
  const { execPath, platform } = process;
  // The program file may have been replaced since the start.
  const isThere = existsSync(execPath);
  if (platform === 'win32' || process.execve === undefined || !isThere) process.exit(exitCode);
  process.emit('exit', exitCode);
  process.execve(execPath, [execPath, '--eval', `process.exit(${exitCode})`], {});
}

/**
 * Reports to systemd through its own helper, because the notification socket is a datagram socket, which this runtime cannot
 * open. Does nothing outside systemd, and never fails the daemon.
 */
export function notifySystemd(...messages: readonly string[]): void {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  try {
    const helper = spawn('systemd-notify', [...messages], { stdio: 'ignore' });
    helper.on('error', () => undefined);
    helper.unref();
  } catch {
    // Some errors, such as out of memory, are thrown synchronously. The watchdog notices the missing message.
  }
}

/** Interval of the messages to systemd's watchdog, half of its timeout; null if it has none. */
export function watchdogIntervalMs(): number | null {
  const patienceUs = Number(process.env['WATCHDOG_USEC']);
  return Number.isFinite(patienceUs) && patienceUs > 0 ? patienceUs / 2000 : null;
}

/** Whether systemd's journal reads the stream: it names the stream's device and inode. Other readers want plain JSON. */
export function isReadByJournal(fd: number, { JOURNAL_STREAM: journal }: NodeJS.ProcessEnv): boolean {
  if (journal === undefined) return false;
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return journal === `${dev}:${ino}`;
  } catch {
    return false;
  }
}
