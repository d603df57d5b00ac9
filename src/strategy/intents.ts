import type { EventView, SelectionView } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import { LAST_TICK, priceOf } from '../domain/ladder.ts';
import {
  compareTicks,
  contractsMicros,
  convertedTick,
  isComplement,
  limitsCross,
  type PricedTick,
  type PriceKind,
  SELECTION_KINDS,
} from '../domain/odds.ts';
import { fromMicros, type Micros } from '../domain/money.ts';
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

/**
 * The rules of an intent. `selection`: it is part of the view. `self_cross`: no `for` quote of a selection matches its `against` quotes.
 * `hedge`: all of a hedge.
 *
 * @example
 * INTENT_RULES.includes('tick'); // true
 */
export const INTENT_RULES = [
  'selection',
  'direction',
  'tick',
  'price_kind',
  'no_tick',
  'size',
  'stake',
  'level',
  'value',
  'fair_probability',
  'lifetime',
  'reason',
  'mode',
  'take',
  'min_taker_stake',
  'keep_open',
  'exclude_danger',
  'source_minimums',
  'duplicate',
  'self_cross',
  'hedge',
] as const;

/**
 * A rule that an intent breaks.
 *
 * @example
 * const isSize = (rule: IntentRule): boolean => rule === 'size' || rule === 'stake';
 */
export type IntentRule = (typeof INTENT_RULES)[number];

/**
 * An intent that was refused.
 *
 * @example
 * const lineOf = ({ intent, rule }: RefusedIntent): string => `${intent}: ${rule}`;
 */
export interface RefusedIntent {
  /** The side that gets no quote for it; null: both. */
  readonly direction: Direction | null;
  readonly rule: IntentRule;
  /** The intent in words, or all of them that cross. */
  readonly intent: string;
}

/** A fault in the intents of an answer. */
export interface IntentFault {
  /** `invalid-intent`: one intent was dropped. `self-cross`: all intents of a selection were dropped. */
  readonly kind: 'invalid-intent' | 'self-cross';
  /** Null: a hedge is about its event. */
  readonly selectionId: SelectionId | null;
  /** How the rule is broken. */
  readonly message: string;
  readonly refused: RefusedIntent;
}

export type ReportFault = (fault: IntentFault) => void;

/** A rule that an intent breaks, and how. */
type Fault = readonly [rule: IntentRule, message: string];

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
  report: ReportFault,
): readonly QuoteIntent[] {
  const known = new Map(view.selections.map((selection) => [selection.selectionId, kindsOf(selection)]));
  const valid = new Map<IntentKey, QuoteIntent>();
  const takes = new Set<string>();
  for (const returned of intents) {
    // Copied, because the intents are kept until the next answer and the strategy may reuse its objects.
    const candidate = { ...(returned as Candidate) };
    const kinds = known.get(candidate.selectionId);
    const own = kinds === undefined ? NOT_IN_VIEW : inOwnTerms(candidate, kinds);
    const isSecond = (of: Candidate): boolean =>
      of.take === undefined ? valid.has(intentKey(of)) : takes.has(of.take);
    const fault = isFault(own) ? own : (faultOf(own) ?? (isSecond(own) ? DUPLICATE : null));
    if (fault === null && !isFault(own)) {
      valid.set(intentKey(own), intentOf(own));
      if (own.take !== undefined) takes.add(own.take);
    } else if (fault !== null) {
      ignoreRejection(returned);
      report(refusedFor(candidate, fault));
    }
  }
  return withoutSelfCrosses([...valid.values()].map(withValue), report);
}

const NOT_IN_VIEW: Fault = ['selection', 'selection is not part of the view'];
const DUPLICATE: Fault = ['duplicate', 'duplicate'];

const isFault = (of: Candidate | Fault): of is Fault => Array.isArray(of);

function refusedFor(candidate: Candidate, [rule, message]: Fault): IntentFault {
  const { selectionId } = candidate;
  const direction = DIRECTIONS.find((each) => each === candidate.direction) ?? null;
  const refused = { direction, rule, intent: inWords(candidate) };
  return { kind: 'invalid-intent', selectionId, message: shown(message, LONGEST_MESSAGE), refused };
}

/** A value of any kind could be as long as the memory. */
const LONGEST_MESSAGE = 200;
const LONGEST_VALUE = 40;

/** Any value in a few characters. */
export const shown = (value: unknown, most = LONGEST_VALUE): string => {
  const text = plainText(typeof value === 'object' && value !== null ? 'an object' : String(value));
  return (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed();
};

/** The intent as its strategy wrote it. */
function inWords({ selectionId, direction, tick, level, take, stakeMicros, size }: Candidate): string {
  const at = isInteger(tick, 0, LAST_TICK) ? `${shown(priceOf(tick))} (tick ${tick})` : `tick ${shown(tick)}`;
  const amount = size === undefined ? `stake ${usdt(stakeMicros)}` : sizeInWords(size);
  const place = take === undefined ? `level ${shown(level)}` : `take ${shown(take)}`;
  return `${shown(direction)} at ${at}, ${amount}, ${place}, on ${shown(selectionId, LONGEST_ID)}`;
}

const LONGEST_ID = 120;

const usdt = (micros: unknown): string =>
  isInteger(micros, 0) ? `${fromMicros(micros as Micros)} USDT` : shown(micros);

function sizeInWords(size: unknown): string {
  const [first] = typeof size === 'object' && size !== null ? Object.entries(size) : [];
  return first === undefined ? `size ${shown(size)}` : `${shown(first[0])} ${shown(first[1])}`;
}

const kindsOf = ({ priceKinds = SELECTION_KINDS }: SelectionView): Kinds => priceKinds;

/**
 * A candidate in the terms of the exchange: a tick of the price of the selection becomes the first tick of our orders' ladder away
 * from fair, and its stake the one with the same contracts. A size is already meant for the order that results. Returns the fault if
 * that is not possible.
 */
function inOwnTerms(candidate: Candidate, kinds: Kinds): Candidate | Fault {
  const { direction, priceKind, tick, stakeMicros } = candidate;
  const fault = faultOfSide(candidate);
  if (fault !== null) return fault;
  const kind = kinds[direction];
  if (priceKind !== undefined)
    return priceKind === kind
      ? candidate
      : ['price_kind', `priceKind ${String(priceKind)} is not the view's ${kind}`];
  if (!isComplement(kind)) return candidate;
  const ownTick = convertedTick(SELECTION_KINDS[direction], tick, kind);
  if (ownTick === null) return ['no_tick', `no_tick: ${kind} has none for ${direction} at ${priceOf(tick)}`];
  const own = { ...candidate, priceKind: kind, tick: ownTick };
  if (stakeMicros === undefined || faultOfStake(candidate) !== null) return own;
  const size = { contractsMicros: Math.round(contractsMicros(stakeMicros, priceOf(tick))) };
  return { ...own, stakeMicros: stakeAt(size, kind, ownTick) };
}

/** The intent of a candidate without a fault. Nothing behind it knows sizes other than stakes, or texts of any length. */
function intentOf(candidate: Candidate): QuoteIntent {
  const intent = ownMinimums(withStake(candidate));
  return intent.reason === undefined ? intent : { ...intent, reason: shortened(intent.reason) };
}

/** The strategy may reuse the object in which it names the minimums of sources. */
const ownMinimums = (intent: QuoteIntent): QuoteIntent =>
  intent.sourceMinStakesMicros === undefined
    ? intent
    : { ...intent, sourceMinStakesMicros: { ...intent.sourceMinStakesMicros } };

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
function faultOfSide({ direction, tick }: Candidate): Fault | null {
  if (!DIRECTIONS.includes(direction)) return ['direction', `direction ${String(direction)} is not known`];
  return isInteger(tick, 0, LAST_TICK) ? null : ['tick', `tick ${tick} is not on the ladder`];
}

/** The fault of one intent in its own terms; null when it is valid. */
function faultOf(intent: Candidate): Fault | null {
  const stakeFault = faultOfStake(intent);
  if (stakeFault !== null) return stakeFault;
  if (!isInteger(intent.level, 0))
    return ['level', `level ${intent.level} is not a whole number of 0 or more`];
  if (!Number.isFinite(intent.valueMicrosPerS ?? 0))
    return ['value', `value ${intent.valueMicrosPerS} is not finite`];
  const fair = intent.fairProbability ?? 0.5;
  if (!(fair > 0 && fair < 1))
    return ['fair_probability', `fair probability ${intent.fairProbability} is not between 0 and 1`];
  return faultOfTerms(intent);
}

/** The fault of the stake, or of the size that takes its place. */
function faultOfStake(intent: Candidate): Fault | null {
  const sizeFault = intent.size === undefined ? null : faultOfSize(intent, intent.size);
  if (sizeFault !== null) return sizeFault;
  const { stakeMicros } = withStake(intent);
  if (isInteger(stakeMicros, 1)) return null;
  return ['stake', `stake ${stakeMicros} is not a whole number of micros above 0`];
}

const MEASURES = ['stakeMicros', 'liabilityMicros', 'contractsMicros'] as const;

/** Exactly one measure, and no stake beside it: otherwise the strategy would have said two things. */
function faultOfSize(intent: Candidate, size: unknown): Fault | null {
  if (intent.stakeMicros !== undefined) return ['size', 'has both stakeMicros and size'];
  const amounts = new Map(typeof size === 'object' && size !== null ? Object.entries(size) : []);
  const measure = MEASURES.find((name) => amounts.has(name));
  if (measure === undefined || amounts.size > 1) return ['size', `size is not one of ${MEASURES.join(', ')}`];
  const amount: unknown = amounts.get(measure);
  if (isInteger(amount, 1)) return null;
  return ['size', `size.${measure} ${String(amount)} is not a whole number of micros above 0`];
}

function faultOfTerms(intent: Candidate): Fault | null {
  const { lifetimeS, reason } = intent;
  if (lifetimeS !== undefined && !isInteger(lifetimeS, 1))
    return ['lifetime', `lifetimeS ${String(lifetimeS)} is not a whole number of seconds above 0`];
  if (reason !== undefined && typeof reason !== 'string')
    return ['reason', `reason is not a text but ${typeof reason}`];
  return faultOfMode(intent) ?? faultOfMatching(intent);
}

function faultOfMode(intent: Candidate): Fault | null {
  const { take, mode, byHand } = intent;
  // The limits on takes let pass what a person quotes.
  if (byHand !== undefined) return ['take', 'byHand names the quote of a person: a strategy has none'];
  if (mode !== undefined && !EXCHANGE_MODES.includes(mode))
    return ['mode', `mode ${String(mode)} is not known`];
  if (take === undefined)
    return mode === 'take_only' ? ['mode', 'mode take_only needs take: an id, for one order'] : null;
  if (typeof take !== 'string' || !TAKE_ID.test(take))
    return ['take', `take ${String(take)} is not an id: 1 to 64 printable characters`];
  return mode === undefined || mode === 'take_only'
    ? null
    : ['mode', `mode ${mode} cannot stand beside take: a take never rests`];
}

/** The journal keeps the ids of takes for good. */
const TAKE_ID = /^[\x20-\x7e]{1,64}$/;

/** The fault of what the order asks for beside its price and stake. */
function faultOfMatching(intent: Candidate): Fault | null {
  const { keepOpenInRunning: keeps, excludeDanger, take } = intent;
  if (keeps !== undefined && typeof keeps !== 'boolean')
    return ['keep_open', `keepOpenInRunning ${String(keeps)} is neither true nor false`];
  if (keeps === true && take !== undefined)
    return ['keep_open', 'keepOpenInRunning cannot stand beside take: a take never rests'];
  if (excludeDanger !== undefined && typeof excludeDanger !== 'boolean')
    return ['exclude_danger', `excludeDanger ${String(excludeDanger)} is neither true nor false`];
  return faultOfMinTaker(intent) ?? faultOfSources(intent.sourceMinStakesMicros);
}

function faultOfMinTaker(intent: Candidate): Fault | null {
  const least = intent.minTakerWantStakeMicros;
  if (least === undefined) return null;
  const named = `minTakerWantStakeMicros ${String(least)}`;
  if (!isInteger(least, 1)) return ['min_taker_stake', `${named} is not a whole number of micros above 0`];
  if (modeOf(intent) !== 'dark') return ['min_taker_stake', `${named} needs the mode dark`];
  const { stakeMicros } = withStake(intent);
  return least <= stakeMicros
    ? null
    : ['min_taker_stake', `${named} is more than the stake of the order, ${stakeMicros}`];
}

/** Far more sources than an exchange has. */
const MOST_SOURCES = 50;

function faultOfSources(minimums: unknown): Fault | null {
  if (minimums === undefined) return null;
  const isNamed = typeof minimums === 'object' && minimums !== null && !Array.isArray(minimums);
  if (!isNamed) return ['source_minimums', 'sourceMinStakesMicros names no sources'];
  const entries: readonly (readonly [string, unknown])[] = Object.entries(minimums);
  if (entries.length > MOST_SOURCES)
    return ['source_minimums', `sourceMinStakesMicros names more than ${MOST_SOURCES} sources`];
  const wrong = entries.find(([, micros]) => !isInteger(micros, 1));
  if (wrong === undefined) return null;
  const [name, micros] = wrong;
  const amount = `sourceMinStakesMicros.${shown(name)} ${shown(micros)}`;
  return ['source_minimums', `${amount} is not a whole number of micros above 0`];
}

function isInteger(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** A `for` order takes our resting `against` order at its own price or above. Every `for` must lie above every `against`. */
function withoutSelfCrosses(intents: readonly QuoteIntent[], report: ReportFault): readonly QuoteIntent[] {
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
    const own = intents.filter((intent) => intent.selectionId === selectionId);
    const refused = { direction: null, rule: 'self_cross', intent: crossInWords(own) } as const;
    const message = 'its for and against quotes would match each other';
    report({ kind: 'self-cross', selectionId, message, refused });
  }
  return crossed.size === 0 ? intents : intents.filter(({ selectionId }) => !crossed.has(selectionId));
}

/** The prices that cross. */
function crossInWords(intents: readonly QuoteIntent[]): string {
  const priceOfSide = (side: Direction): string =>
    intents
      .filter(({ direction }) => direction === side)
      .slice(0, MOST_NAMED)
      .map(({ tick }) => priceOf(tick))
      .join(', ');
  return `for at ${priceOfSide('for')} and against at ${priceOfSide('against')}, on ${shown(intents[0]?.selectionId, LONGEST_ID)}`;
}

/** Prices of a side that a message names. */
const MOST_NAMED = 5;
