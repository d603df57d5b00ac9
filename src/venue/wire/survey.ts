import type { Redact } from '../../domain/secret.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Counter, Metrics } from '../../ports/metrics.ts';

/** Kinds of parts that the exchange may send, that this client does not know, and that it can do without. */
export type UnknownKind = 'field' | 'tag' | 'value' | 'code' | 'bad-entry' | 'bad-frame';

/** Receives every part of the exchange's answers that is unknown or cannot be read. */
export interface Survey {
  note(kind: UnknownKind, name: string): void;
}

/** Beyond this many names, only the kind is counted: names come from outside and may be endless. */
const MOST_NAMES = 1000;

/** Counts every part, and logs each name when it first occurs. */
export class LoggingSurvey implements Survey {
  readonly #logger: Logger;
  readonly #counter: Counter<'kind'>;
  readonly #redact: Redact;
  readonly #counts = new Map<string, number>();

  constructor(logger: Logger, metrics: Metrics, redact: Redact) {
    this.#redact = redact;
    this.#logger = logger;
    this.#counter = metrics.counter(
      'venue_unknown_total',
      'Parts of answers and frames that this client does not know or cannot read',
      ['kind'],
    );
  }

  note(kind: UnknownKind, received: string): void {
    this.#counter.inc({ kind });
    const name = this.#redact(received);
    const key = `${kind} ${name}`;
    const seen = this.#counts.get(key);
    if (seen === undefined && this.#counts.size >= MOST_NAMES) return;
    this.#counts.set(key, (seen ?? 0) + 1);
    if (seen === undefined) this.#logger.warn('the exchange sent something unknown', { kind, what: name });
  }

  /** Counts by `<kind> <name>`. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/** Drops every note. */
export const silentSurvey: Survey = { note: () => undefined };
