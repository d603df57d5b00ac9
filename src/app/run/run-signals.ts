import type { Mode } from '../../domain/mode.ts';
import type { LogLevel } from '../../ops/logger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Status } from '../../read-model/status.ts';
import type { RunSummary } from '../../read-model/summary.ts';
import { onHangUpSignal, onKillSignal, onStopSignals } from '../adapters/system-process.ts';

/** Where a run shows itself: a live view on a terminal, JSON lines elsewhere. */
export interface RunConsole {
  readonly logger: Logger;
  /** Whether a person sits in front of it. */
  readonly isTerminal: boolean;
  /** Settles with what keeps stdout or stderr from being written, once there is such a thing. */
  readonly outputLost: Promise<unknown>;
  setLogLevel(level: LogLevel): void;
  /** Says what is being started, before anything else. */
  banner(mode: Mode): void;
  /** Shows the status; called about twice a second. Does nothing where there is no terminal. */
  show(status: Status): void;
  /** The last word. */
  finish(summary: RunSummary): void;
}

/** What people ask of a run by signals, from its first moment on: what is asked before it can be done is kept. */
export class RunSignals {
  readonly #stop = Promise.withResolvers<string>();
  readonly #force = Promise.withResolvers<void>();
  readonly #ignore: readonly (() => void)[];
  readonly #kept: string[] = [];
  #keptReload: string | null = null;
  #kill = (signal: string): void => void this.#kept.push(signal);
  #reload = (signal: string): void => void (this.#keptReload = signal);

  constructor(clock: Clock, console: Pick<RunConsole, 'isTerminal'>) {
    this.#ignore = [
      onStopSignals(clock, stopSignals(console), this.#stop.resolve, this.#force.resolve),
      onKillSignal((signal) => this.#kill(signal)),
      ...(console.isTerminal ? [] : [onHangUpSignal((signal) => this.#reload(signal))]),
    ];
  }

  /** Settles with the first signal to stop. */
  get stop(): Promise<string> {
    return this.#stop.promise;
  }

  /** Settles at the second: at once, then. */
  get force(): Promise<void> {
    return this.#force.promise;
  }

  /** Who kills from now on, and is told of the signals that came before. */
  onKill(kill: (signal: string) => void): void {
    this.#kill = kill;
    this.#kept.splice(0).forEach(kill);
  }

  /** A signal to kill that nobody has taken, null when there is none. */
  get untakenKill(): string | null {
    return this.#kept[0] ?? null;
  }

  /** Who reads the settings anew from now on, at once when a signal came before: one reading serves for several. */
  onReload(reload: (signal: string) => void): void {
    this.#reload = reload;
    if (this.#keptReload !== null) reload(this.#keptReload);
    this.#keptReload = null;
  }

  /** Leaves the signals to the system again. */
  ignore(): void {
    for (const ignore of this.#ignore) ignore();
  }
}

/** A terminal that is closed hangs up: nobody watches any more. A service is told to reload by the same signal. */
const stopSignals = ({ isTerminal }: Pick<RunConsole, 'isTerminal'>): readonly NodeJS.Signals[] =>
  isTerminal ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];
