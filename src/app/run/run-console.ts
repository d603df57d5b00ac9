import type { Mode } from '../../domain/mode.ts';
import type { LogLevel } from '../../ops/logger.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Status } from '../../read-model/status.ts';
import type { RunSummary } from '../../read-model/summary.ts';

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
