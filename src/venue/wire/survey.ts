import { EXCHANGE_MODES as MODES, OPEN_STATUSES } from '../../domain/orders.ts';
import type { Redact } from '../../domain/secret.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Counter, knownValues, type Metrics } from '../../ports/metrics.ts';

/** The published values of the exchange's open sets. Another value is kept as it is, counted and logged. */
const values = (...list: string[]): ReadonlySet<string> => new Set(list);

export const SPORTS = values(
  ...['fb', 'fb_ht', 'fb_et', 'fb_corn', 'fb_corn_ht', 'fb_htft', 'basket', 'basket_ht', 'tennis', 'cricket'],
  ...['horse', 'esports', 'politics', 'af', 'baseball', 'ih', 'rl', 'ru', 'mma', 'boxing', 'golf', 'darts'],
);
export const EVENT_TYPES = values('normal', 'multirunner');
export const IR_STATUSES = values('pre_event', 'in_running');
export const ORDER_TYPES = values('normal', 'lay', 'parlay');
export const ORDER_STATUSES = values(
  ...OPEN_STATUSES,
  'done',
  'failed',
  'reconciled',
  'partial_void',
  'full_void',
);
export const CLOSE_REASONS = values('order_filled', 'cancelled', 'timed_out', 'expired');
export const EXCHANGE_MODES = values(...MODES);
export const EXCHANGE_ROLES = values('maker', 'taker');
export const BET_STATUSES = values('success', 'inprogress', 'danger', 'unplaced', 'pending', 'failed');
export const QUOTE_STATUSES = values('success');
export const LEG_OUTCOMES = values('w', 'l', 'v', 'v/w', 'l/v', 'l/w', 'unknown');

/** Kinds of parts that the exchange may send, that this client does not know or believe, and that it can do without. */
const UNKNOWN_KINDS = ['field', 'tag', 'value', 'code', 'bad-entry', 'bad-frame', 'out-of-bounds'] as const;

export type UnknownKind = (typeof UNKNOWN_KINDS)[number];

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
  readonly #outOfBounds: Counter<'number'>;
  readonly #redact: Redact;
  readonly #counts = new Map<string, number>();
  /** How often each number was out of bounds. */
  readonly #times = new Map<string, number>();

  /** `numbers` names the numbers that have bounds. */
  constructor(logger: Logger, metrics: Metrics, redact: Redact, numbers: readonly string[] = []) {
    this.#redact = redact;
    this.#logger = logger;
    this.#counter = metrics.counter(
      'touchline_venue_unknown_total',
      'Parts of answers and frames that this client does not know or cannot read',
      ['kind'],
      knownValues('kind', UNKNOWN_KINDS),
    );
    this.#outOfBounds = metrics.counter(
      'touchline_venue_out_of_bounds_total',
      'Numbers of the exchange that cannot be meant, by object and field',
      ['number'],
      knownValues('number', numbers),
    );
  }

  note(kind: UnknownKind, received: string): void {
    this.#counter.inc({ kind });
    const name = this.#redact(received);
    if (kind === 'out-of-bounds') this.#noteOutOfBounds(name);
    const key = `${kind} ${name}`;
    const seen = this.#counts.get(key);
    if (seen === undefined && this.#counts.size >= MOST_NAMES) return;
    this.#counts.set(key, (seen ?? 0) + 1);
    if (seen !== undefined || kind === 'out-of-bounds') return;
    this.#logger.warn('the exchange sent something unknown', { kind, what: name });
  }

  /** Logs only times 1, 2, 4, 8 and so on of each number, whatever its values: a frame may have hundreds. */
  #noteOutOfBounds(what: string): void {
    const number = what.slice(0, what.indexOf('='));
    const times = (this.#times.get(number) ?? 0) + 1;
    this.#times.set(number, times);
    this.#outOfBounds.inc({ number });
    if ((times & (times - 1)) === 0)
      this.#logger.error('the exchange sent a number out of bounds', { what, times });
  }

  /** Counts by `<kind> <name>`. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/** Drops every note. */
export const silentSurvey: Survey = { note: () => undefined };
