import { eventKey, type EventName, type Score } from '../../domain/events.ts';
import { haveSameMatching, modeOf } from '../../domain/orders.ts';
import type { EventKey } from '../../domain/ids.ts';
import { type IntentKey, kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import { selectionFrom } from '../../domain/selection.ts';
import { invariant } from '../../lib/assert.ts';
import type { Owners } from '../state/context.ts';
import { byKey, type WaitingQuote } from './reconcile.ts';

/** The quotes that are wanted on an event. */
export interface EventTargets {
  readonly event: EventName;
  readonly intents: ReadonlyMap<IntentKey, QuoteIntent>;
  /** The score of the view that decided them; null if none was known. */
  readonly score: Score | null;
  /** Nothing is wanted, and what rests stays. */
  readonly isLeft: boolean;
}

/** A quote with one of these codes could be created now if others did not come first. */
const TURN_CODES: ReadonlySet<WaitingQuote['code']> = new Set<WaitingQuote['code']>([
  'in_flight_limit',
  'strategy_turn',
]);

const NO_INTENTS: EventTargets['intents'] = new Map();

/** The quotes that are wanted on all events, and why some of them wait. */
export class Targets {
  readonly #owners: Pick<Owners, 'of'>;
  readonly #byEvent = new Map<EventKey, EventTargets>();
  readonly #values = new Map<IntentKey, number>();
  readonly #waiting = new Map<IntentKey, WaitingQuote>();
  /** How many quotes of each strategy wait for their turn to be created. */
  readonly #contending = new Map<string, number>();
  #contendersRevision = 0;

  constructor(owners: Pick<Owners, 'of'>) {
    this.#owners = owners;
  }

  /**
   * Replaces the quotes of an event. An empty set means that nothing is wanted, not that the targets are unknown. Returns whether other
   * orders are wanted than before.
   */
  set(event: EventName, intents: readonly QuoteIntent[], score: Score | null = null): boolean {
    const key = eventKey(event);
    const [before, now] = [this.#byEvent.get(key), byKey(intents)];
    this.#byEvent.set(key, { event, intents: now, score, isLeft: false });
    for (const each of before?.intents.keys() ?? []) if (!now.has(each)) this.#values.delete(each);
    for (const [each, { valueMicrosPerS = 0 }] of now) this.#values.set(each, valueMicrosPerS);
    return before === undefined || before.isLeft || !areSame(before.intents, now);
  }

  /** Wants nothing on an event, and leaves what rests there. Returns the quotes that were wanted. */
  leave(event: EventName): Iterable<IntentKey> {
    const before = this.#byEvent.get(eventKey(event))?.intents ?? NO_INTENTS;
    this.#byEvent.set(eventKey(event), { event, intents: NO_INTENTS, score: null, isLeft: true });
    for (const each of before.keys()) this.#values.delete(each);
    return before.keys();
  }

  /** The value of a quote, in micros per second. */
  valueOf(key: IntentKey): number {
    return this.#values.get(key) ?? 0;
  }

  of(event: EventKey): EventTargets | undefined {
    return this.#byEvent.get(event);
  }

  delete(event: EventKey): void {
    for (const each of this.#byEvent.get(event)?.intents.keys() ?? []) this.#values.delete(each);
    this.#byEvent.delete(event);
  }

  events(): Iterable<EventKey> {
    return this.#byEvent.keys();
  }

  knows(event: EventName): boolean {
    return this.#byEvent.has(eventKey(event));
  }

  /** Whether an order for the intent serves the quote as it is wanted now. */
  wants(key: IntentKey, intent: QuoteIntent): boolean {
    for (const { intents } of this.#byEvent.values()) {
      const now = intents.get(key);
      if (now !== undefined) return isSame(now, intent);
    }
    return false;
  }

  waits(quote: WaitingQuote): void {
    this.served(quote.key);
    this.#waiting.set(quote.key, quote);
    this.#contends(quote, 1);
  }

  served(key: IntentKey): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#waiting.delete(key);
    this.#contends(waiting, -1);
  }

  waiting(): readonly WaitingQuote[] {
    return [...this.#waiting.values()];
  }

  /** The strategies with quotes that wait for their turn to be created. */
  contenders(): Iterable<string> {
    return this.#contending.keys();
  }

  /** Changes with the set of contenders. */
  get contendersRevision(): number {
    return this.#contendersRevision;
  }

  #contends({ code, intent }: WaitingQuote, by: 1 | -1): void {
    if (!TURN_CODES.has(code)) return;
    const strategy = ownerOf(this.#owners, intent);
    const before = this.#contending.get(strategy) ?? 0;
    const count = before + by;
    if (before === 0 || count === 0) this.#contendersRevision++;
    if (count > 0) this.#contending.set(strategy, count);
    else this.#contending.delete(strategy);
  }
}

export function eventOf({ selectionId }: Pick<QuoteIntent, 'selectionId'>): EventName {
  const event = selectionFrom(selectionId);
  invariant(event !== null, 'the selection of a quote names no event', { selectionId });
  return event;
}

/** The strategy that owns the event of a quote. */
export const ownerOf = (owners: Pick<Owners, 'of'>, quote: Pick<QuoteIntent, 'selectionId'>): string =>
  owners.of(eventOf(quote));

const areSame = (a: ReadonlyMap<IntentKey, QuoteIntent>, b: ReadonlyMap<IntentKey, QuoteIntent>): boolean =>
  a.size === b.size &&
  [...a].every(([key, intent]) => {
    const other = b.get(key);
    return other !== undefined && isSame(intent, other);
  });

/** Returns whether an order for one intent serves the other without change. */
export const isSame = (a: QuoteIntent, b: QuoteIntent): boolean =>
  kindOfIntent(a) === kindOfIntent(b) &&
  a.tick === b.tick &&
  a.stakeMicros === b.stakeMicros &&
  modeOf(a) === modeOf(b) &&
  haveSameMatching(a, b);
