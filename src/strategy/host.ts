import type { EventView } from '../domain/event-view.ts';
import { type EventName, eventNameOf } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import { reasonOf } from '../lib/reason.ts';
import { ignoreRejection, validIntents } from './intents.ts';
import type { StrategyPlugin } from './sdk.ts';

export type StrategyProblemKind =
  /** `quote` threw, or did not return an array. The event gets no quotes. */
  | 'threw'
  /** An intent was invalid and was dropped. */
  | 'invalid-intent'
  /** The two sides of a selection would have matched each other. All its intents were dropped. */
  | 'self-cross'
  /** The event belongs to a strategy that does not run. It gets no quotes. */
  | 'owner-absent';

export interface StrategyProblem extends EventName {
  readonly kind: StrategyProblemKind;
  readonly strategy: string;
  readonly selectionId: SelectionId | null;
  readonly message: string;
  readonly error?: unknown;
}

/** The valid quotes that a strategy wants on an event, and the faults of its answer. */
export interface StrategyAnswer {
  readonly intents: readonly QuoteIntent[];
  readonly problems: readonly StrategyProblem[];
}

export interface StrategyHost {
  readonly name: string;
  /** Calls the strategy. Never throws: faults are in the answer. */
  quote(view: EventView): StrategyAnswer;
}

/** A host whose parameters can change while it runs. */
export interface AdjustableHost<P> extends StrategyHost {
  /** The parameters apply from the next view on. */
  setParameters(parameters: P): void;
}

/**
 * Runs a strategy and drops every intent that no strategy may ask for. An exception costs only that event its quotes.
 */
export function createStrategyHost<P>(plugin: StrategyPlugin<P>, parameters: P): AdjustableHost<P> {
  let current = parameters;
  return {
    name: plugin.name,
    setParameters(next) {
      current = next;
    },
    quote(view) {
      const problems: StrategyProblem[] = [];
      const report = (found: Omit<StrategyProblem, 'strategy' | keyof EventName>): void => {
        problems.push({ strategy: plugin.name, ...eventNameOf(view), ...found });
      };
      try {
        const intents: unknown = plugin.quote(view, current);
        if (!Array.isArray(intents)) throw notIntents(intents);
        return { intents: validIntents(view, intents, report), problems };
      } catch (error) {
        report({ kind: 'threw', selectionId: null, message: reasonOf(error), error });
        return { intents: [], problems };
      }
    },
  };
}

function notIntents(answer: unknown): TypeError {
  ignoreRejection(answer);
  return new TypeError('quote must return an array of intents, not a promise or anything else');
}
