import type { EventView, SelectionView } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import {
  compareTicks,
  contractsMicros,
  convertedTick,
  isComplement,
  LAST_TICK,
  limitsCross,
  type PricedTick,
  priceOf,
  type PriceKind,
  SELECTION_KINDS,
} from '../domain/odds.ts';
import { EXCHANGE_MODES, modeOf } from '../domain/orders.ts';
import {
  type IntentKey,
  intentKey,
  kindOfIntent,
  type QuoteIntent,
  type SizedIntent,
  stakeAt,
} from '../domain/quote-intent.ts';
import { type Direction, DIRECTIONS } from '../domain/selection.ts';
import { plainText } from '../lib/plain-text.ts';
import { quoteValue } from './pricing/placement.ts';

/** A longer reason is cut. */
const LONGEST_REASON = 200;

/** Nothing awaits a promise that an async function returns. Without a handler, its rejection would end the process. */
export function ignoreRejection(answer: unknown): void {
  Promise.resolve(answer).catch(() => undefined);
}

/** A fault in the intents of an answer. */
export interface IntentFault {
  /** `invalid-intent`: one intent was dropped. `self-cross`: all intents of a selection were dropped. */
  readonly kind: 'invalid-intent' | 'self-cross';
  readonly selectionId: SelectionId;
  readonly message: string;
}

type Report = (fault: IntentFault) => void;

/** An intent as a strategy returned it, copied: it may have any field, of any value. */
type Candidate = Omit<QuoteIntent, 'stakeMicros'> &
  Partial<Pick<QuoteIntent, 'stakeMicros'> & Pick<SizedIntent, 'size'>>;

/** What the prices of our orders on a selection are, in each direction. */
type Kinds = Readonly<Record<Direction, PriceKind>>;

/**
 * The intents of an answer that a strategy may ask for, as copies in the exchange's own terms, with their sizes as stakes. Reports
 * each fault and drops what it concerns.
 */
export function validIntents(
  view: EventView,
  intents: readonly unknown[],
  report: Report,
): readonly QuoteIntent[] {
  const known = new Map(view.selections.map((selection) => [selection.selectionId, kindsOf(selection)]));
  const valid = new Map<IntentKey, QuoteIntent>();
  for (const returned of intents) {
    // Copied, because the intents are kept until the next answer and the strategy may reuse its objects.
    const candidate = { ...(returned as Candidate) };
    const kinds = known.get(candidate.selectionId);
    const own = kinds === undefined ? NOT_IN_VIEW : inOwnTerms(candidate, kinds);
    const fault =
      typeof own === 'string' ? own : (faultOf(own) ?? (valid.has(intentKey(own)) ? 'duplicate' : null));
    if (fault === null && typeof own !== 'string') valid.set(intentKey(own), intentOf(own));
    else if (fault !== null) {
      ignoreRejection(returned);
      report({ kind: 'invalid-intent', selectionId: candidate.selectionId, message: fault });
    }
  }
  return withoutSelfCrosses([...valid.values()].map(withValue), report);
}

const NOT_IN_VIEW = 'selection is not part of the view';

const kindsOf = ({ priceKinds = SELECTION_KINDS }: SelectionView): Kinds => priceKinds;

/**
 * A candidate in the terms of the exchange: a tick of the price of the selection becomes the first tick of our orders' ladder away
 * from fair, and its stake the one with the same contracts. A size is already meant for the order that results. Returns the fault if
 * that is not possible.
 */
function inOwnTerms(candidate: Candidate, kinds: Kinds): Candidate | string {
  const { direction, priceKind, tick, stakeMicros } = candidate;
  const fault = faultOfSide(candidate);
  if (fault !== null) return fault;
  const kind = kinds[direction];
  if (priceKind !== undefined)
    return priceKind === kind ? candidate : `priceKind ${String(priceKind)} is not the view's ${kind}`;
  if (!isComplement(kind)) return candidate;
  const ownTick = convertedTick(SELECTION_KINDS[direction], tick, kind);
  if (ownTick === null) return `no_tick: ${kind} has none for ${direction} at ${priceOf(tick)}`;
  const own = { ...candidate, priceKind: kind, tick: ownTick };
  if (stakeMicros === undefined || faultOfStake(candidate) !== null) return own;
  const size = { contractsMicros: Math.round(contractsMicros(stakeMicros, priceOf(tick))) };
  return { ...own, stakeMicros: stakeAt(size, kind, ownTick) };
}

/** The intent of a candidate without a fault. Nothing behind it knows sizes other than stakes, or texts of any length. */
function intentOf(candidate: Candidate): QuoteIntent {
  const intent = withStake(candidate);
  return intent.reason === undefined ? intent : { ...intent, reason: shortened(intent.reason) };
}

function withStake(candidate: Candidate): QuoteIntent {
  if (candidate.size === undefined) return candidate as QuoteIntent;
  const { size, ...rest } = candidate;
  return { ...rest, stakeMicros: stakeAt(size, kindOfIntent(rest), rest.tick) };
}

const shortened = (reason: string): string =>
  plainText(
    reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON - 1)}…` : reason,
  ).toWellFormed();

/** An intent with a fair probability and no value gets the value that follows from its fair probability. */
function withValue(intent: QuoteIntent): QuoteIntent {
  const { fairProbability, valueMicrosPerS } = intent;
  if (fairProbability === undefined || valueMicrosPerS !== undefined) return intent;
  return { ...intent, valueMicrosPerS: quoteValue(intent, fairProbability) };
}

/** The fault of the direction or the tick. */
function faultOfSide({ direction, tick }: Candidate): string | null {
  if (!DIRECTIONS.includes(direction)) return `direction ${String(direction)} is not known`;
  return isInteger(tick, 0, LAST_TICK) ? null : `tick ${tick} is not on the ladder`;
}

/** The fault of one intent in its own terms; null when it is valid. */
function faultOf(intent: Candidate): string | null {
  const stakeFault = faultOfStake(intent);
  if (stakeFault !== null) return stakeFault;
  if (!isInteger(intent.level, 0)) return `level ${intent.level} is not a whole number of 0 or more`;
  if (!Number.isFinite(intent.valueMicrosPerS ?? 0)) return `value ${intent.valueMicrosPerS} is not finite`;
  const fair = intent.fairProbability ?? 0.5;
  if (!(fair > 0 && fair < 1)) return `fair probability ${intent.fairProbability} is not between 0 and 1`;
  return faultOfTerms(intent);
}

/** The fault of the stake, or of the size that takes its place. */
function faultOfStake(intent: Candidate): string | null {
  const sizeFault = intent.size === undefined ? null : faultOfSize(intent, intent.size);
  if (sizeFault !== null) return sizeFault;
  const { stakeMicros } = withStake(intent);
  return isInteger(stakeMicros, 1) ? null : `stake ${stakeMicros} is not a whole number of micros above 0`;
}

const MEASURES = ['stakeMicros', 'liabilityMicros', 'contractsMicros'] as const;

/** Exactly one measure, and no stake beside it: otherwise the strategy would have said two things. */
function faultOfSize(intent: Candidate, size: unknown): string | null {
  if (intent.stakeMicros !== undefined) return 'has both stakeMicros and size';
  const amounts = new Map(typeof size === 'object' && size !== null ? Object.entries(size) : []);
  const measure = MEASURES.find((name) => amounts.has(name));
  if (measure === undefined || amounts.size > 1) return `size is not one of ${MEASURES.join(', ')}`;
  const amount: unknown = amounts.get(measure);
  if (isInteger(amount, 1)) return null;
  return `size.${measure} ${String(amount)} is not a whole number of micros above 0`;
}

/** The daemon places only orders of the default mode. */
function faultOfTerms(intent: Candidate): string | null {
  const { lifetimeS, reason } = intent;
  if (lifetimeS !== undefined && !isInteger(lifetimeS, 1))
    return `lifetimeS ${String(lifetimeS)} is not a whole number of seconds above 0`;
  if (reason !== undefined && typeof reason !== 'string') return `reason is not a text but ${typeof reason}`;
  const mode = modeOf(intent);
  if (mode === 'make_and_take') return null;
  return EXCHANGE_MODES.includes(mode) ? `${mode} is not placed yet` : `mode ${String(mode)} is not known`;
}

function isInteger(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** A `for` order takes our resting `against` order at its own price or above. Every `for` must lie above every `against`. */
function withoutSelfCrosses(intents: readonly QuoteIntent[], report: Report): readonly QuoteIntent[] {
  const highestAgainst = new Map<SelectionId, PricedTick>();
  for (const intent of intents) {
    if (intent.direction === 'for') continue;
    const against = { priceKind: kindOfIntent(intent), tick: intent.tick };
    const highest = highestAgainst.get(intent.selectionId);
    if (highest === undefined || compareTicks(against, highest) > 0)
      highestAgainst.set(intent.selectionId, against);
  }
  const crossed = new Set<SelectionId>();
  for (const intent of intents) {
    const against = intent.direction === 'for' ? highestAgainst.get(intent.selectionId) : undefined;
    if (against === undefined) continue;
    if (limitsCross({ priceKind: kindOfIntent(intent), tick: intent.tick }, against))
      crossed.add(intent.selectionId);
  }
  for (const selectionId of crossed) {
    report({ kind: 'self-cross', selectionId, message: 'its for and against quotes would match each other' });
  }
  return crossed.size === 0 ? intents : intents.filter(({ selectionId }) => !crossed.has(selectionId));
}
