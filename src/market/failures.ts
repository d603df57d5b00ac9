import type { StreamEntry, StreamFrame } from '../domain/stream.ts';
import { InvariantError } from '../lib/assert.ts';
import type { Logger } from '../ports/logger.ts';
import { knownValues, type Metrics } from '../ports/metrics.ts';

/** The entries of a stream. */
const TAGS: Readonly<Record<StreamEntry['tag'], true>> = {
  event: true,
  remove_event: true,
  clear_events: true,
  sync: true,
  offer: true,
  remove_offer: true,
  event_score: true,
  event_red_cards: true,
  event_time: true,
  pmm: true,
  betslip: true,
  betslip_closed: true,
  order: true,
  bet: true,
  balance: true,
  other: true,
};

/** Bad data is counted and skipped. A broken invariant is passed on and stops the daemon. */
export class MarketFailures {
  readonly #logger: Logger;
  readonly #dropped;
  readonly #failed;

  constructor(logger: Logger, metrics: Metrics) {
    this.#logger = logger;
    this.#dropped = metrics.counter(
      'touchline_market_dropped_frames_total',
      'Frames of an earlier connection',
    );
    this.#failed = metrics.counter(
      'touchline_market_failed_entries_total',
      'Entries not applied',
      ['tag'],
      knownValues('tag', Object.keys(TAGS)),
    );
  }

  /** A frame of an earlier connection was dropped. */
  droppedFrame({ epoch }: StreamFrame): void {
    this.#dropped.inc();
    this.#logger.debug('dropped a frame of an earlier connection', { epoch });
  }

  /** An entry could not be applied. The rest of its frame was applied. */
  failedEntry(entry: StreamEntry, error: unknown): void {
    if (error instanceof InvariantError) throw error;
    this.#failed.inc({ tag: entry.tag });
    this.#logger.error('a stream entry could not be applied', { tag: entry.tag, error });
  }
}
