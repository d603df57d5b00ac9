import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Clock } from '../../ports/clock.ts';

/**
 * Signals that npm passes on arrive a second time when the terminal sent them to the whole group: two within this
 * time are one wish.
 */
const SAME_SIGNAL_MS = 400;

/** Calls `onStop` at the first of the signals, and `onForce` at a later one. Answers how to stop listening. */
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

/** Calls `onHangUp` at each SIGHUP. Answers how to stop listening. */
export function onHangUpSignal(onHangUp: (signal: string) => void): () => void {
  const handle = (signal: string): void => onHangUp(signal);
  process.on('SIGHUP', handle);
  return () => process.off('SIGHUP', handle);
}

/** Calls `onKill` at each SIGUSR2. Answers how to stop listening. */
export function onKillSignal(onKill: (signal: string) => void): () => void {
  const handle = (signal: string): void => onKill(signal);
  process.on('SIGUSR2', handle);
  return () => process.off('SIGUSR2', handle);
}

/**
 * Resolves when the signals that came while the process was busy were handed to their listeners. The loop looks for signals once a
 * turn, and may have looked already in this turn: the second turn surely looks.
 */
export const signalsHeard = (): Promise<void> =>
  new Promise((resolve) => void setImmediate(() => void setImmediate(resolve)));

/**
 * Ends a process whose work is done, with the exit code that it has by then, where something keeps it for longer: a log that
 * nobody reads, a name that no name server tells. Whoever starts it again waits for its end.
 */
export function leaveWithin(ms: number): void {
  setTimeout(() => leaveAtOnce(Number(process.exitCode ?? 0)), ms).unref();
}

/**
 * Ends the process whatever it waits for. Its own exit would wait for names that are being looked up, which cannot be taken back:
 * another program takes its place at once, and has nothing to wait for.
 */
export function leaveAtOnce(exitCode: number): void {
  const { execPath, platform } = process;
  // The program may have been replaced since the start.
  const isThere = existsSync(execPath);
  if (platform === 'win32' || process.execve === undefined || !isThere) process.exit(exitCode);
  process.emit('exit', exitCode);
  process.execve(execPath, [execPath, '--eval', `process.exit(${exitCode})`], {});
}

/**
 * Tells systemd about the service through its own helper, because the notification socket is a datagram socket, which
 * this runtime cannot open. Does nothing outside systemd, and never fails the daemon.
 */
export function notifySystemd(...messages: readonly string[]): void {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  try {
    const helper = spawn('systemd-notify', [...messages], { stdio: 'ignore' });
    helper.on('error', () => undefined);
    helper.unref();
  } catch {
    // Out of memory, for one, is thrown at once. The watchdog notices what was not told.
  }
}

/** How often systemd wants to hear that we are alive, half of its patience; null when it does not ask. */
export function watchdogIntervalMs(): number | null {
  const patienceUs = Number(process.env['WATCHDOG_USEC']);
  return Number.isFinite(patienceUs) && patienceUs > 0 ? patienceUs / 2000 : null;
}
