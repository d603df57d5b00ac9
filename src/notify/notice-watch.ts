import type { Moment } from '../lib/time.ts';
import type { Conditions, StrategyErrors, Totals } from './conditions.ts';
import type { Notice } from './notice.ts';
import type { NoticeLimit } from './notice-limit.ts';
import { type Trouble, TROUBLES } from './troubles.ts';

/** A trouble in force. */
interface Begun {
  /** Monotonic. */
  readonly sinceMs: number;
  readonly announced: boolean;
}

/** The day of the last look, and the totals at its beginning and at the last look. */
interface Day {
  readonly name: string;
  readonly before: Totals;
  last: Totals;
}

export interface NoticeWatchOptions {
  readonly limit: NoticeLimit;
  /** The name of the trading day that holds a wall-clock instant. */
  readonly dayOf: (wallMs: number) => string;
  readonly dailySummary: boolean;
}

const NOTHING: Totals = { ordersPlaced: 0, ordersRefused: 0, fills: 0, stakeMatched: 0, profit: 0 };

/**
 * Turns the state of a run into notices, look by look. A trouble is announced when it begins and when it ends. If the limits hold
 * back its beginning, it is announced as soon as they allow it, if it is still in force. Pure: the caller passes the instant.
 */
export class NoticeWatch {
  readonly #options: NoticeWatchOptions;
  readonly #begun = new Map<Trouble['kind'], Begun>();
  readonly #errors = new Map<string, { announced: number; seen: number }>();
  #hasStarted = false;
  #day: Day | null = null;

  constructor(options: NoticeWatchOptions) {
    this.#options = options;
  }

  /** The notices that are due now. Call it about once a second. */
  look(conditions: Conditions, now: Moment): readonly Notice[] {
    return [
      ...this.#start(conditions, now),
      ...TROUBLES.flatMap((trouble) => this.#trouble(trouble, conditions, now)),
      ...conditions.strategies.flatMap((strategy) => this.#strategy(strategy, now)),
      ...this.#summary(conditions.totals, now),
    ];
  }

  /** The notice of the end of the run; none if the limits hold it back. */
  stopped(text: string, isFailure: boolean, now: Moment): readonly Notice[] {
    const severity = isFailure ? 'warning' : 'info';
    return this.#admit(
      {
        kind: 'stopped',
        severity,
        phase: 'event',
        title: isFailure ? 'Stopped by a failure' : 'Stopped',
        text,
      },
      now,
    );
  }

  #start({ hasStarted, ordersLeftByCrash: left }: Conditions, now: Moment): readonly Notice[] {
    if (this.#hasStarted || !hasStarted) return [];
    this.#hasStarted = true;
    const start: Notice = {
      kind: 'started',
      severity: 'info',
      phase: 'event',
      title: 'Started',
      text: 'The account is read, and quoting may begin.',
    };
    const crash: Notice = {
      kind: 'orders_left_by_crash',
      severity: 'page',
      phase: 'event',
      title: 'The run before crashed with open orders',
      text: `It did not stop in order, and left ${left} open order${left === 1 ? '' : 's'}. Only its heartbeat protected them. This run has taken them over.`,
    };
    return [...this.#admit(start, now), ...(left > 0 ? this.#admit(crash, now) : [])];
  }

  #trouble(trouble: Trouble, conditions: Conditions, now: Moment): readonly Notice[] {
    const text = trouble.begins(conditions);
    if (text !== null) return this.#troubled(trouble, text, now);
    return trouble.isOver?.(conditions) === false ? [] : this.#over(trouble, now);
  }

  #troubled(trouble: Trouble, text: string, { monotonicMs }: Moment): readonly Notice[] {
    const { kind, severity, title } = trouble;
    const begun = this.#begun.get(kind);
    if (begun?.announced === true) return [];
    const announced = this.#options.limit.takes(trouble, monotonicMs);
    if (!announced && begun === undefined) this.#options.limit.suppress(kind);
    this.#begun.set(kind, { sinceMs: begun?.sinceMs ?? monotonicMs, announced });
    return announced ? [{ kind, severity, phase: 'begin', title, text }] : [];
  }

  #over({ kind, severity, title }: Trouble, { monotonicMs }: Moment): readonly Notice[] {
    const begun = this.#begun.get(kind);
    this.#begun.delete(kind);
    if (begun?.announced !== true) return [];
    const text = `It lasted ${lasting(monotonicMs - begun.sinceMs)}.`;
    return [{ kind, severity, phase: 'end', title, text }];
  }

  #strategy({ name, errors, last }: StrategyErrors, now: Moment): readonly Notice[] {
    const known = this.#errors.get(name) ?? { announced: 0, seen: 0 };
    if (errors === known.announced) return [];
    const { limit } = this.#options;
    const kind = 'strategy_errors';
    const passes = limit.takes({ kind, severity: 'warning' }, now.monotonicMs);
    if (!passes && errors > known.seen) limit.suppress(kind);
    // Errors that were held back stay new, so that the next notice counts them.
    this.#errors.set(name, { announced: passes ? errors : known.announced, seen: errors });
    if (!passes) return [];
    const text = `${errors - known.announced} new, ${errors} in this run; the last: ${last ?? 'not known'}.`;
    return [{ kind, severity: 'warning', phase: 'event', title: `Errors of the strategy ${name}`, text }];
  }

  #summary(totals: Totals, now: Moment): readonly Notice[] {
    const name = this.#options.dayOf(now.wallMs);
    const day = this.#day;
    if (day?.name === name) {
      day.last = totals;
      return [];
    }
    this.#day = { name, before: day === null ? NOTHING : day.last, last: totals };
    if (day === null || !this.#options.dailySummary) return [];
    const text = summaryOf(day.before, day.last);
    return this.#admit(
      { kind: 'daily_summary', severity: 'info', phase: 'event', title: `The day ${day.name}`, text },
      now,
    );
  }

  #admit(notice: Notice, { monotonicMs }: Moment): readonly Notice[] {
    if (this.#options.limit.takes(notice, monotonicMs)) return [notice];
    this.#options.limit.suppress(notice.kind);
    return [];
  }
}

function summaryOf(before: Totals, after: Totals): string {
  const grown = (name: keyof Totals): number => after[name] - before[name];
  return [
    `Profit ${grown('profit').toFixed(2)} USDT, stake matched ${grown('stakeMatched').toFixed(2)} USDT, ${grown('fills')} fills`,
    `${grown('ordersPlaced')} orders placed, ${grown('ordersRefused')} refused. Only this run is counted.`,
  ].join('; ');
}

function lasting(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
