import { EXCHANGE_MODES as MODES, OPEN_STATUSES } from '../../domain/orders.ts';
import type { Redact } from '../../domain/secret.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Counter, knownValues, type Metrics } from '../../ports/metrics.ts';

/** The published values of the exchange's open sets. Another value is kept as it is, counted and logged. */
const values = (...list: string[]): ReadonlySet<string> => new Set(list);

export const SPORTS = values(
  'fb',
  'fb_ht',
  'fb_et',
  'fb_corn',
  'fb_corn_ht',
  'fb_htft',
  'basket',
  'basket_ht',
  'tennis',
  'cricket',
  'horse',
  'esports',
  'politics',
  'af',
  'baseball',
  'ih',
  'rl',
  'ru',
  'mma',
  'boxing',
  'golf',
  'darts',
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
/** Pause between two lines about the same number, or about further names of a kind. */
const LOG_AGAIN_MS = 10_000;

/**
 * Counts every part, and logs each name when it first occurs; beyond `MOST_NAMES` names, one of each kind now and then. A number out of
 * bounds is logged by its name and by what is used instead: at once, then now and then for as long as it occurs.
 */
export class LoggingSurvey implements Survey {
  readonly #logger: Logger;
  readonly #counter: Counter<'kind'>;
  readonly #outOfBounds: Counter<'number'>;
  readonly #redact: Redact;
  readonly #counts = new Map<string, number>();
  readonly #monotonicMs: () => number;
  /** Monotonic instant of the last line about each subject. */
  readonly #loggedMs = new Map<string, number>();

  /** `numbers` names the numbers that have bounds. */
  constructor(
    { logger, metrics, clock }: { readonly logger: Logger; readonly metrics: Metrics; readonly clock: Clock },
    redact: Redact,
    numbers: readonly string[] = [],
  ) {
    this.#redact = redact;
    this.#logger = logger;
    this.#monotonicMs = () => clock.monotonicMs();
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
    if (kind === 'out-of-bounds') return this.#noteOutOfBounds(name);
    const key = `${kind} ${name}`;
    const isNew = !this.#counts.has(key);
    const isOneTooMany = isNew && this.#counts.size >= MOST_NAMES;
    if (!isOneTooMany) this.#count(key);
    if (isOneTooMany ? this.#mayLog(kind) : isNew)
      this.#logger.warn('the exchange sent something unknown', { kind, what: name });
  }

  /** Numbers have few names, and endless values. What is used instead tells a wait that is too long from one that is too short. */
  #noteOutOfBounds(what: string): void {
    const number = what.slice(0, what.indexOf('='));
    this.#outOfBounds.inc({ number });
    const times = this.#count(`out-of-bounds ${number}`);
    if (this.#mayLog(`${number}${what.slice(what.lastIndexOf(','))}`))
      this.#logger.error('the exchange sent a number out of bounds', { what, times });
  }

  #count(key: string): number {
    const times = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, times);
    return times;
  }

  #mayLog(subject: string): boolean {
    const nowMs = this.#monotonicMs();
    if (nowMs < (this.#loggedMs.get(subject) ?? -Infinity) + LOG_AGAIN_MS) return false;
    this.#loggedMs.set(subject, nowMs);
    return true;
  }

  /** Counts by `<kind> <name>`. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/** Drops every note. */
export const silentSurvey: Survey = { note: () => undefined };
