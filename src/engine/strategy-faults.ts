import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { Direction } from '../domain/selection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import { problemInWords, type StrategyProblem, type StrategyProblemKind } from '../strategy/host.ts';
import { INTENT_RULES } from '../strategy/intents.ts';
import { seldom } from '../lib/line-limit.ts';
import type { Decision } from './turn.ts';

export { problemInWords, type StrategyProblem, type StrategyProblemKind } from '../strategy/host.ts';

const KINDS: Readonly<Record<StrategyProblemKind, true>> = {
  threw: true,
  'invalid-intent': true,
  'self-cross': true,
  'owner-absent': true,
  completed: true,
  'too-many-intents': true,
  'too-many-emissions': true,
  'too-many-lines': true,
  'hedge-refused': true,
  slow: true,
};

/**
 * Counts every fault of the named strategies, and logs the first of each kind, rule, strategy and event within a minute.
 */
export function strategyFaults(
  strategies: readonly string[],
  clock: Clock,
  logger: Logger,
  metrics: Metrics,
): (problem: StrategyProblem) => void {
  const counter = metrics.counter(
    'touchline_strategy_problems_total',
    'Faults of strategies',
    ['strategy', 'kind'],
    strategies.flatMap((strategy) => Object.keys(KINDS).map((kind) => ({ strategy, kind }))),
  );
  const refusals = metrics.counter(
    'touchline_strategy_refused_intents_total',
    'Intents of strategies that were refused, by the rule that they break',
    ['strategy', 'rule'],
    strategies.flatMap((strategy) => INTENT_RULES.map((rule) => ({ strategy, rule }))),
  );
  const lastRefusal = metrics.gauge(
    'touchline_strategy_refused_intent_timestamp_seconds',
    'Time of the last intent that was refused, in Unix seconds; 0 before the first',
    ['strategy'],
    strategies.map((strategy) => ({ strategy })),
  );
  const isDue = seldom(clock);
  return ({ refused, ...problem }) => {
    const { strategy, kind } = problem;
    counter.inc({ strategy, kind });
    if (refused !== undefined) {
      refusals.inc({ strategy, rule: refused.rule });
      lastRefusal.set(clock.wallMs() / 1_000, { strategy });
    }
    const named = refused === undefined ? {} : { intent: refused.intent, rule: refused.rule };
    if (isDue(`${kind} ${refused?.rule} ${strategy} ${eventKey(problem)}`))
      logger.warn('strategy fault', { ...problem, ...named });
  };
}

/** A strategy throws on an event and has not answered there since. */
export interface StrategyThrow {
  readonly strategy: string;
  /** The message of the last throw. */
  readonly message: string;
  /** Wall-clock milliseconds of the first throw in a row. */
  readonly sinceMs: number;
  /** Number of throws in a row. */
  readonly times: number;
}

/** The events on which a strategy throws, until it answers there again. */
export class StrategyThrows {
  readonly #throws = new Map<EventKey, StrategyThrow>();

  /** An event without a view is skipped: the strategy was not called. */
  onDecision({ event, view, problems, turn }: Decision): void {
    if (view === null) return;
    const key = eventKey(event);
    const thrown = problems.find(({ kind }) => kind === 'threw');
    if (thrown === undefined) {
      this.#throws.delete(key);
      return;
    }
    const { sinceMs, times } = this.#throws.get(key) ?? { sinceMs: turn.wallMs, times: 0 };
    const { strategy, message } = thrown;
    this.#throws.set(key, { strategy, message, sinceMs, times: times + 1 });
  }

  /** Forgets every other event. */
  keepOnly(asked: ReadonlySet<EventKey>): void {
    for (const key of this.#throws.keys()) if (!asked.has(key)) this.#throws.delete(key);
  }

  on(event: EventName): StrategyThrow | null {
    return this.#throws.get(eventKey(event)) ?? null;
  }
}

/** Faults that leave quotes out of an answer. */
const REFUSALS: ReadonlySet<StrategyProblemKind> = new Set<StrategyProblemKind>([
  'invalid-intent',
  'self-cross',
  'completed',
  'too-many-intents',
]);

/** A quote that the host leaves out of a strategy's answers on an event. */
export interface RefusedQuote extends Pick<StrategyProblem, 'kind' | 'strategy' | 'selectionId'> {
  /** Null: both. */
  readonly direction: Direction | null;
  /** The intent, the rule and how it is broken, in words. */
  readonly message: string;
  /** Wall-clock milliseconds of the first answer in a row that has it. */
  readonly sinceMs: number;
  /** The number of these answers. */
  readonly times: number;
}

/** What the host refuses on each event, until an answer of the strategy no longer has it. */
export class RefusedQuotes {
  readonly #quotes = new Map<EventKey, ReadonlyMap<string, RefusedQuote>>();

  /** An event without a view is skipped: the strategy was not called. */
  onDecision({ event, view, problems, turn }: Decision): void {
    if (view === null) return;
    const before = this.#quotes.get(eventKey(event));
    const quotes = new Map<string, RefusedQuote>();
    for (const problem of problems) {
      if (!REFUSALS.has(problem.kind)) continue;
      const { kind, strategy, refused } = problem;
      // No selection shows an intent for a selection that is not in the view: it counts for the whole event.
      const isElsewhere = refused === undefined || refused.rule === 'selection';
      const selectionId = isElsewhere ? null : problem.selectionId;
      const direction = isElsewhere ? null : refused.direction;
      const key = [kind, refused?.rule, selectionId, direction].join(' ');
      const { sinceMs, times } = before?.get(key) ?? { sinceMs: turn.wallMs, times: 0 };
      if (quotes.has(key)) continue;
      const message = problemInWords(problem);
      quotes.set(key, { kind, strategy, selectionId, direction, message, sinceMs, times: times + 1 });
    }
    if (quotes.size === 0) this.#quotes.delete(eventKey(event));
    else this.#quotes.set(eventKey(event), quotes);
  }

  /** Forgets every other event. */
  keepOnly(asked: ReadonlySet<EventKey>): void {
    for (const key of this.#quotes.keys()) if (!asked.has(key)) this.#quotes.delete(key);
  }

  on(event: EventName): readonly RefusedQuote[] {
    return [...(this.#quotes.get(eventKey(event))?.values() ?? [])];
  }

  /** What is refused on one side of a selection; the selection's own refusals come first. */
  of(event: EventName, selectionId: SelectionId, direction: Direction): RefusedQuote | null {
    const all = this.on(event).filter(
      (quote) =>
        (quote.selectionId === null || quote.selectionId === selectionId) &&
        (quote.direction === null || quote.direction === direction),
    );
    return all.find((quote) => quote.selectionId !== null) ?? all[0] ?? null;
  }
}

/** The name of a refusal among the reasons. */
export const refusalCode = ({ kind }: Pick<RefusedQuote, 'kind'>): string => kind.replaceAll('-', '_');

export const refusedInWords = ({ strategy, message, sinceMs, times }: RefusedQuote): string =>
  `${strategy}: refused: ${message} (${times}x since ${new Date(sinceMs).toISOString()})`;

export const throwInWords = ({ strategy, message, sinceMs, times }: StrategyThrow): string =>
  `${strategy} throws: ${message} (${times}x since ${new Date(sinceMs).toISOString()})`;
