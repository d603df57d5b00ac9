import type { InstallationId } from '../../domain/installation.ts';
import type { WatchdogSettings } from './watchdog.ts';

/** The input of the watchdog's thread: plain data, which a structured clone preserves. */
export interface WatchdogTask {
  readonly memory: SharedArrayBuffer;
  readonly settings: WatchdogSettings;
  /** Null if no order is on an exchange: the orders end with the process. */
  readonly exchange: ExchangeAccess | null;
  /** The run that each log line names. */
  readonly runId: string;
  /** Where the hang is recorded; null if the journal is in memory. `like` is the path whose owner gets the file. */
  readonly hangFile: { readonly path: string; readonly like: string } | null;
}

/** The watchdog's own way to the account. */
export interface ExchangeAccess {
  readonly restUrl: string;
  readonly apiKey: string;
  readonly installation: InstallationId;
}

/** The message by which the thread learns of another key. */
export type ReplacedKey = Pick<ExchangeAccess, 'apiKey'>;
