import { TouchlineError, TransportError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type Clock, repeat } from '../../ports/clock.ts';
import type { RunSummary } from '../../read-model/summary.ts';
import { isUnquoted, whyUnquoted } from '../../read-model/unquoted.ts';
import { notifySystemd, watchdogIntervalMs } from '../adapters/system-process.ts';
import type { Daemon } from './daemon.ts';
import { EXIT } from './exit-codes.ts';
import type { RunConsole, RunSignals } from './run-signals.ts';

export interface RunOptions {
  readonly daemon: Daemon;
  readonly clock: Clock;
  readonly console: RunConsole;
  /** Null: runs until a signal. */
  readonly durationMs: number | null;
  /** Whether a run that quoted nothing has failed. */
  readonly mustQuote?: boolean;
  readonly drainTimeoutMs: number;
  readonly signals: Pick<RunSignals, 'stop' | 'force'>;
  /** Settles when the exchange, and every order on it, is gone for good; null if that cannot be known. */
  readonly exchangeEnded: Promise<TouchlineError> | null;
  /** Ends the process at once; called at the second signal. */
  readonly force: (exitCode: number) => void;
}

const SHOW_EVERY_MS = 500;

const isClean = (summary: RunSummary): boolean =>
  summary.orders_open_at_exit === 0 && summary.exchange_orders_open_at_exit !== null;

/** `why` is the reason why nothing is quoted, for a run that had to quote; null for any other. */
function exitCodeAfter(summary: RunSummary, why: string | null): number {
  if (!isClean(summary)) return EXIT.failure;
  if (why !== null && isUnquoted(summary)) throw new TouchlineError('unquoted', `nothing was quoted: ${why}`);
  return EXIT.ok;
}

/**
 * Runs a daemon until a signal, the end of its time, or a failure, then closes its orders. Resolves to the exit code; 0 means
 * that the exchange confirmed no open order. Throws the error that prevented the start or ended the run, after closing what may
 * be open, and TouchlineError `unquoted` after a run that had to quote and quoted nothing.
 */
export async function runToEnd(options: RunOptions): Promise<number> {
  const { daemon, clock, console, durationMs, drainTimeoutMs, signals, force } = options;
  const failures: unknown[] = [];
  const stopped = Promise.withResolvers<string>();
  void signals.stop.then(stopped.resolve);
  void signals.force.then(() => force(daemon.unlatched === null ? EXIT.failure : EXIT.unlatched));
  // The reader of our output may end first when a pipeline is interrupted. That is no failure.
  let isStopping = false;
  void console.outputLost.then((error) => {
    if (!isStopping) failures.push(lostOutput(error));
    stopped.resolve('the log cannot be written');
  });
  const exchange = watchExchange(options, (error) => {
    failures.push(error);
    stopped.resolve('the exchange ended');
  });
  // Without a terminal nobody looks, and a status costs milliseconds.
  const stopShowing = console.isTerminal
    ? repeat(clock, SHOW_EVERY_MS, () => console.show(daemon))
    : () => undefined;
  try {
    const failed = daemon.fatal.then((error) => {
      failures.push(error);
      return 'a failure';
    });
    const started = await Promise.race([daemon.start().then(() => null), stopped.promise, failed]);
    notifySystemd('READY=1');
    const timer =
      durationMs === null ? null : clock.after(durationMs, () => stopped.resolve('the time is over'));
    const stopWatchdog = feedWatchdog(clock, daemon);
    const reason = started ?? (await Promise.race([stopped.promise, failed]));
    isStopping = true;
    timer?.cancel();
    stopWatchdog();
    notifySystemd('STOPPING=1');
    const why = options.mustQuote === true ? whyUnquoted(daemon.status()) : null;
    const summary = await daemon.stop(reason, exchange.end === null ? drainTimeoutMs : 0);
    console.finish(summary);
    if (failures.length > 0) throw failures[0];
    if (daemon.unlatched !== null) throw daemon.unlatched;
    return exitCodeAfter(summary, why);
  } catch (error) {
    await daemon.abandon();
    throw besides(daemon.unlatched, causeOf(error, exchange));
  } finally {
    stopShowing();
  }
}

/** `end` is null while the exchange runs, or if its end cannot be known. */
interface WatchedExchange {
  readonly end: TouchlineError | null;
}

function watchExchange(
  { exchangeEnded, console }: RunOptions,
  onEnd: (error: TouchlineError) => void,
): WatchedExchange {
  const watched: { end: TouchlineError | null } = { end: null };
  void exchangeEnded?.then((error) => {
    console.logger.error('the exchange ended, and every order on it: the run ends, too', { error });
    watched.end = error;
    onEnd(error);
  });
  return watched;
}

/** Requests fail when the exchange ends, so its end is reported as the cause. */
const causeOf = (error: unknown, { end }: WatchedExchange): unknown =>
  error instanceof TransportError && end !== null ? end : error;

const lostOutput = (error: unknown): TouchlineError =>
  new TouchlineError('output_lost', `stopped: the log cannot be written (${String(error)})`, {}, error);

/** A kill that is latched nowhere decides the exit code. The other error is reported beside it. */
function besides(unlatched: TouchlineError | null, error: unknown): unknown {
  if (unlatched === null) return error;
  if (error instanceof TouchlineError && error.code === unlatched.code) return unlatched;
  return new TouchlineError(unlatched.code, `${unlatched.message}; besides: ${reasonOf(error)}`, {}, error);
}

/** Reports to systemd that the daemon is alive, while it is. */
function feedWatchdog(clock: Clock, daemon: Daemon): () => void {
  const everyMs = watchdogIntervalMs();
  if (everyMs === null) return () => undefined;
  return repeat(clock, everyMs, () => {
    if (daemon.health().ok) notifySystemd('WATCHDOG=1');
  });
}
