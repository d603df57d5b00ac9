import type { EventView } from '../domain/event-view.ts';
import { type EventName, eventNameOf } from '../domain/events.ts';
import { EXCHANGE_MODES, modeOf } from '../domain/exchange-mode.ts';
import type { SelectionId } from '../domain/ids.ts';
import { LAST_TICK } from '../domain/odds.ts';
import { type IntentKey, intentKey, type QuoteIntent } from '../domain/quote-intent.ts';
import { DIRECTIONS } from '../domain/selection.ts';
import { reasonOf } from '../lib/reason.ts';
import { quoteValue } from './pricing/value.ts';
import type { StrategyPlugin } from './sdk.ts';

export type StrategyProblemKind =
  /** `quote` threw, or did not answer an array: the event gets no quotes. */
  | 'threw'
  /** One intent was left out. */
  | 'invalid-intent'
  /** A selection whose own two sides would have matched each other was left out. */
  | 'self-cross'
  /** The event belongs to a strategy that does not run: it gets no quotes. */
  | 'owner-absent';

export interface StrategyProblem extends EventName {
  readonly kind: StrategyProblemKind;
  readonly strategy: string;
  readonly selectionId: SelectionId | null;
  readonly message: string;
  readonly error?: unknown;
}

/** What a strategy wants on an event, checked, and what was wrong with its answer. */
export interface StrategyAnswer {
  readonly intents: readonly QuoteIntent[];
  readonly problems: readonly StrategyProblem[];
}

export interface StrategyHost {
  readonly name: string;
  /** Asks the strategy. Never throws. */
  quote(view: EventView): StrategyAnswer;
}

/** A host whose strategy may be given other parameters. */
export interface AdjustableHost<P> extends StrategyHost {
  /** From the next view on. */
  setParameters(parameters: P): void;
}

/**
 * Runs a strategy and lets nothing through that no strategy may ask for. A strategy that throws costs the event its
 * quotes and nothing else.
 */
export function createStrategyHost<P>(plugin: StrategyPlugin<P>, parameters: P): AdjustableHost<P> {
  let current = parameters;
  return {
    name: plugin.name,
    setParameters: (next) => void (current = next),
    quote(view) {
      const problems: StrategyProblem[] = [];
      const report: Report = (found) =>
        void problems.push({ strategy: plugin.name, ...eventNameOf(view), ...found });
      try {
        const intents: unknown = plugin.quote(view, current);
        if (!Array.isArray(intents)) throw notIntents(intents);
        return { intents: checked(view, intents, report), problems };
      } catch (error) {
        report({ kind: 'threw', selectionId: null, message: reasonOf(error), error });
        return { intents: [], problems };
      }
    },
  };
}

function notIntents(answer: unknown): TypeError {
  forgetPromise(answer);
  return new TypeError('a strategy answers an array of intents, and answers at once');
}

/** Nobody waits for what an async function promises; broken without anybody listening, it would end the process. */
function forgetPromise(answer: unknown): void {
  Promise.resolve(answer).catch(() => undefined);
}

type Report = (found: Omit<StrategyProblem, 'strategy' | keyof EventName>) => void;

function checked(view: EventView, intents: readonly unknown[], report: Report): readonly QuoteIntent[] {
  const known = new Set(view.selections.map(({ selectionId }) => selectionId));
  const kept = new Map<IntentKey, QuoteIntent>();
  for (const candidate of intents) {
    // A copy: a strategy may use its objects again, and what is wanted is held until it wants something else.
    const intent = { ...(candidate as QuoteIntent) };
    const fault = faultOf(intent, known) ?? (kept.has(intentKey(intent)) ? 'duplicate' : null);
    if (fault === null) kept.set(intentKey(intent), intent);
    else {
      forgetPromise(candidate);
      report({ kind: 'invalid-intent', selectionId: intent.selectionId, message: fault });
    }
  }
  return withoutSelfCrosses([...kept.values()].map(withValue), report);
}

/** A strategy that tells what it holds for fair and not what a quote is worth gets a value from that. */
function withValue(intent: QuoteIntent): QuoteIntent {
  const { fairProbability, valueMicrosPerS } = intent;
  if (fairProbability === undefined || valueMicrosPerS !== undefined) return intent;
  return { ...intent, valueMicrosPerS: quoteValue(intent, fairProbability) };
}

/** What is wrong with one intent, null when nothing is. */
function faultOf(intent: QuoteIntent, known: ReadonlySet<SelectionId>): string | null {
  if (!known.has(intent.selectionId)) return 'selection is not part of the view';
  if (!DIRECTIONS.includes(intent.direction)) return `direction ${String(intent.direction)} is not known`;
  if (!isInteger(intent.tick, 0, LAST_TICK)) return `tick ${intent.tick} is not on the ladder`;
  if (!isInteger(intent.stakeMicros, 1)) return `stake ${intent.stakeMicros} is not positive and whole`;
  if (!isInteger(intent.level, 0)) return `level ${intent.level} is not a whole number from 0`;
  if (!Number.isFinite(intent.valueMicrosPerS ?? 0)) return `value ${intent.valueMicrosPerS} is not finite`;
  const fair = intent.fairProbability ?? 0.5;
  if (!(fair > 0 && fair < 1)) return `fair probability ${intent.fairProbability} is not within 0 and 1`;
  return modeFault(intent);
}

/** The daemon places orders of the default mode alone. */
function modeFault(intent: QuoteIntent): string | null {
  const mode = modeOf(intent);
  if (mode === 'make_and_take') return null;
  return EXCHANGE_MODES.includes(mode) ? `${mode} is not placed yet` : `mode ${String(mode)} is not known`;
}

function isInteger(value: number, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

/**
 * A resting `for` order takes from our resting `against` order at its price or above: the first must be the higher.
 */
function withoutSelfCrosses(intents: readonly QuoteIntent[], report: Report): readonly QuoteIntent[] {
  const highestAgainst = new Map<SelectionId, number>();
  for (const { selectionId, direction, tick } of intents) {
    if (direction === 'for') continue;
    highestAgainst.set(selectionId, Math.max(tick, highestAgainst.get(selectionId) ?? tick));
  }
  const crossed = new Set<SelectionId>();
  for (const { selectionId, direction, tick } of intents) {
    const meets = direction === 'for' && tick <= (highestAgainst.get(selectionId) ?? -1);
    if (meets) crossed.add(selectionId);
  }
  for (const selectionId of crossed) {
    report({ kind: 'self-cross', selectionId, message: 'its own sides would match each other' });
  }
  return crossed.size === 0 ? intents : intents.filter(({ selectionId }) => !crossed.has(selectionId));
}
