import { type EventName, eventKey } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Decision } from './turn.ts';

/** The strategy throws on an event, and has answered nothing since. */
export interface StrategyThrow {
  /** What it threw last. */
  readonly message: string;
  /** Wall-clock milliseconds of the first time in a row. */
  readonly sinceMs: number;
  /** How often in a row. */
  readonly times: number;
}

/** On which events the strategy throws, each until it answers there again. */
export class StrategyThrows {
  readonly #throws = new Map<EventKey, StrategyThrow>();

  /** An event without a view tells nothing: the strategy was not asked. */
  onDecision({ event, view, problems, turn }: Decision): void {
    if (view === null) return;
    const key = eventKey(event);
    const thrown = problems.find(({ kind }) => kind === 'threw');
    if (thrown === undefined) {
      this.#throws.delete(key);
      return;
    }
    const { sinceMs, times } = this.#throws.get(key) ?? { sinceMs: turn.wallMs, times: 0 };
    this.#throws.set(key, { message: thrown.message, sinceMs, times: times + 1 });
  }

  /** The strategy is asked about these events and no others from now on. */
  keepOnly(asked: ReadonlySet<EventKey>): void {
    for (const key of this.#throws.keys()) if (!asked.has(key)) this.#throws.delete(key);
  }

  on(event: EventName): StrategyThrow | null {
    return this.#throws.get(eventKey(event)) ?? null;
  }
}

/** In words. */
export const throwInWords = ({ message, sinceMs, times }: StrategyThrow): string =>
  `the strategy throws since ${new Date(sinceMs).toISOString()} (${times}x): ${message}`;
