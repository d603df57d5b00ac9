import type { Mode } from '../../domain/mode.ts';
import type { LogQuestion } from '../../ops/log-memory.ts';
import type { LogLevel, LogLines } from '../../ops/logger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';
import type { LiveState } from '../../read-model/live/message.ts';
import type { Status } from '../../read-model/status.ts';
import type { RunSummary } from '../../read-model/summary.ts';
import { onHangUpSignal, onKillSignal, onStopSignals } from '../adapters/system-process.ts';

/** The parts of a run that a live view reads. */
export interface ShownRun {
  status(): Status;
  /** The state for pages, with the details of some events. */
  live(events: ReadonlySet<string>): LiveState;
}

/** The output of a run: a live view on a terminal, JSON lines elsewhere. */
export interface RunConsole {
  readonly logger: Logger;
  /** Whether the output is a terminal, which means that a person watches. */
  readonly isTerminal: boolean;
  /** Settles with the error when stdout or stderr can no longer be written. */
  readonly outputLost: Promise<unknown>;
  /** Log lines written so far. */
  readonly logLines: LogLines;
  /** The last lines of the log as JSON, the newest last. */
  logTail(): readonly string[];
  /** The newest lines of a kind that are kept, the newest last. */
  findInLog(question: LogQuestion): readonly string[];
  setLogLevel(level: LogLevel): void;
  /** Adds the fields to every line of the log from now on. A live view shows no common fields. */
  bindLog(fields: LogFields): void;
  /** Announces the start, before any other output. */
  banner(mode: Mode): void;
  /** Shows how the run stands, about twice a second. Called only if the output is a terminal. */
  show(run: ShownRun): void;
  /** Takes keys for these commands from now on. Does nothing without a terminal. */
  command(commands: KeyCommands): void;
  /** Shows the address of the dashboard, which works once. */
  dashboard(link: string): void;
  /** Shows the summary at the end. */
  finish(summary: RunSummary): void;
  /** Logs the error that ends the run. */
  failed(error: unknown): void;
}

/** What a person can do with a key. Each returns a text for the person. */
export interface KeyCommands {
  pause(): string;
  resume(): string;
  kill(): string;
}

/** The requests that people send by signal, from the first moment of a run. A request that cannot be served yet is kept. */
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

  /** Settles at the first signal to stop. */
  get stop(): Promise<string> {
    return this.#stop.promise;
  }

  /** Settles at the second signal to stop: the process must then end at once. */
  get force(): Promise<void> {
    return this.#force.promise;
  }

  /** Sets the handler of kills and passes it the signals that came before. */
  onKill(kill: (signal: string) => void): void {
    this.#kill = kill;
    this.#kept.splice(0).forEach(kill);
  }

  /** A signal to kill that no handler has taken; null if there is none. */
  get untakenKill(): string | null {
    return this.#kept[0] ?? null;
  }

  /** Sets the handler of reloads and calls it if signals came before; one reload serves several. */
  onReload(reload: (signal: string) => void): void {
    this.#reload = reload;
    if (this.#keptReload !== null) reload(this.#keptReload);
    this.#keptReload = null;
  }

  /** Restores the system's own handling of the signals. */
  ignore(): void {
    for (const ignore of this.#ignore) ignore();
  }
}

/** On a terminal SIGHUP means that it was closed, so the run stops. For a service the same signal means reload. */
const stopSignals = ({ isTerminal }: Pick<RunConsole, 'isTerminal'>): readonly NodeJS.Signals[] =>
  isTerminal ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];
