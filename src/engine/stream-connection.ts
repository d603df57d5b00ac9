import { VenueRejection } from '../domain/errors.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Logger } from '../ports/logger.ts';
import type { Look } from './turn.ts';

/** The state of the stream's connection, as far as the engine needs it. */
export class StreamConnection {
  readonly #logger: Logger;
  readonly #onFatal: (error: unknown) => void;
  #now: Pick<Look, 'isSynced' | 'epoch'> = { isSynced: false, epoch: 0 };

  /** `onFatal`: called when the exchange refuses the stream for good. */
  constructor(logger: Logger, onFatal: (error: unknown) => void) {
    [this.#logger, this.#onFatal] = [logger, onFatal];
  }

  get now(): Pick<Look, 'isSynced' | 'epoch'> {
    return this.#now;
  }

  onSignal(signal: StreamSignal): void {
    const { kind, epoch } = signal;
    const isSynced = kind === 'frame' ? this.#now.isSynced : kind === 'synced';
    this.#now = { isSynced, epoch };
    if (kind === 'synced') this.#logger.info('stream synced', { epoch });
    if (kind !== 'closed') return;
    const { reason, retryInMs } = signal;
    this.#logger.warn('stream closed', { epoch, reason, retryInMs });
    if (retryInMs === null) this.#onFatal(streamRefused(reason));
  }
}

/** Without the stream nothing is quoted again, so the operator must be informed. */
const streamRefused = (reason: string): VenueRejection =>
  new VenueRejection('auth_rejected', 401, `the exchange refused the stream for good: ${reason}`);
