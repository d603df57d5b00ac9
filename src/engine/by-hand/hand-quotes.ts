import { type Observable, Subject } from 'rxjs';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { BetId, EventKey, RequestUuid, SelectionId } from '../../domain/ids.ts';
import type { Tick } from '../../domain/ladder.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import type { PriceKind } from '../../domain/odds.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';

/** A quote that a person wants, as it is persisted. Tick and stake are the exchange's own terms. */
export interface HandQuote {
  readonly id: string;
  readonly event: EventName;
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  readonly priceKind: PriceKind;
  readonly tick: Tick;
  /** The whole stake, matched or not. */
  readonly stakeMicros: Micros;
  readonly by: string;
  readonly why: string;
  /** Wall-clock milliseconds, like `untilMs`. */
  readonly atMs: number;
  /** When it ends by itself; null: it stands until it is matched or withdrawn. */
  readonly untilMs: number | null;
  /** Counts its orders: each has an id of its own, and so exists once. */
  readonly generation: number;
}

/** An order of a person's quote. */
interface HandOrder {
  readonly quote: string;
  readonly generation: number;
  readonly sinceMs: number;
  /** `told`: only fills of it are known. */
  state: 'told' | 'open' | 'over';
  filledMicros: Micros;
  readonly fills: Map<BetId, Micros>;
}

interface Pause {
  readonly failures: number;
  readonly untilMs: number;
}

/** An order that ends sooner, with stake left, has failed. */
const SHORT_LIFE_MS = 30_000;
/** The pauses after failures in a row. */
const PAUSE_MS = { first: 5_000, longest: 600_000 };
/** Each order lives so long, if the configuration allows it; then the next one follows. */
const LIFETIME_S = 600;
/** More than any quote of a strategy is worth: a person's quote comes first. */
const VALUE_MICROS_PER_S = 1e9;
/** What is left of a stake after rounding. */
const DUST_MICROS = 10_000;

const NO_INTENTS: readonly QuoteIntent[] = [];

/**
 * Quotes of persons. They are intents like those of the strategy whose event it is, beside its own: admission, gate, limits and budgets judge them
 * alike. At most their stake is ever matched: one order after the other, each for what is left. An order that failed is tried again after a pause.
 */
export class HandQuotes {
  readonly #quotes = new Map<string, HandQuote>();
  /** The orders of this run, and those that the journal's fills name. */
  readonly #orders = new Map<RequestUuid, HandOrder>();
  readonly #pauses = new Map<string, Pause>();
  readonly #change$ = new Subject<void>();
  readonly #wake$ = new Subject<EventName>();

  /** Emits after each change that must survive a restart. */
  get change$(): Observable<void> {
    return this.#change$;
  }

  /** Events to decide again. */
  get wake$(): Observable<EventName> {
    return this.#wake$;
  }

  place(quote: HandQuote): void {
    this.#quotes.set(quote.id, quote);
    this.#tell(quote.event);
  }

  /** Moves a quote to another tick. Its order is closed before the next one is placed. */
  move(id: string, tick: Tick): void {
    const quote = this.#quotes.get(id);
    if (quote === undefined || quote.tick === tick) return;
    this.#pauses.delete(id);
    this.place({ ...quote, tick, generation: quote.generation + 1 });
  }

  withdraw(id: string): void {
    const quote = this.#quotes.get(id);
    if (quote === undefined || !this.#quotes.delete(id)) return;
    this.#pauses.delete(id);
    for (const [uuid, order] of this.#orders)
      if (order.quote === id && order.state !== 'open') this.#orders.delete(uuid);
    this.#tell(quote.event);
  }

  /** A kill ends them all. */
  withdrawAll(): void {
    for (const { id } of this.records()) this.withdraw(id);
  }

  /** Ends those whose time is over. */
  expire(wallMs: number): void {
    for (const { id, untilMs } of this.records())
      if (untilMs !== null && untilMs <= wallMs) this.withdraw(id);
  }

  /** The event is over. */
  forget(event: EventName): void {
    for (const { id } of this.of(event)) this.withdraw(id);
  }

  /** The quotes of an event. */
  of(event: EventName): readonly HandQuote[] {
    if (this.#quotes.size === 0) return [];
    const key = eventKey(event);
    return this.records().filter((quote) => isOn(quote, key));
  }

  get(id: string): HandQuote | null {
    return this.#quotes.get(id) ?? null;
  }

  /** How many there are. */
  get size(): number {
    return this.#quotes.size;
  }

  records(): readonly HandQuote[] {
    return [...this.#quotes.values()];
  }

  /** Takes over those of an earlier run. Whatever became of their last orders, they get new ones. */
  restore(quotes: readonly HandQuote[]): void {
    for (const quote of quotes) this.#quotes.set(quote.id, { ...quote, generation: quote.generation + 1 });
  }

  /** How much of a quote is matched. */
  filledMicros(id: string): Micros {
    return this.#ordersOf(id).reduce((sum, order) => sum + filledOf(order), 0);
  }

  /** What is wanted on an event now. A quote waits until its earlier order has ended. */
  intentsOn(event: EventName, nowMs: number): readonly QuoteIntent[] {
    if (this.#quotes.size === 0) return NO_INTENTS;
    return this.of(event).flatMap((quote) => {
      const orders = this.#ordersOf(quote.id);
      const earlier = orders.filter(({ generation }) => generation !== quote.generation);
      const isPaused = nowMs < (this.#pauses.get(quote.id)?.untilMs ?? -Infinity);
      if (isPaused || earlier.some(({ state }) => state === 'open')) return [];
      const matchedMicros = earlier.reduce((sum, order) => sum + filledOf(order), 0);
      return [intentOf(quote, quote.stakeMicros - matchedMicros)];
    });
  }

  /** An order of ours has changed. */
  onOrder(order: Pick<LiveOrder, 'requestUuid' | 'take' | 'filledMicros' | 'state'>, nowMs: number): void {
    const known = this.#orderOf(order.requestUuid, order.take, nowMs);
    if (known === null) return;
    known.filledMicros = Math.max(known.filledMicros, order.filledMicros);
    const isOver = isTerminal(order.state);
    const isNews = isOver && known.state !== 'over';
    known.state = isOver ? 'over' : 'open';
    if (isNews) this.#ended(known, nowMs);
    if (isOver && !this.#quotes.has(known.quote)) this.#orders.delete(order.requestUuid);
  }

  /** A fill of ours was booked. After a restart earlier ones are booked again. */
  onFill(fill: Pick<Fill, 'requestUuid' | 'take' | 'betId' | 'stakeMicros'>, nowMs: number): void {
    if (fill.requestUuid === null) return;
    const known = this.#orderOf(fill.requestUuid, fill.take, nowMs);
    known?.fills.set(fill.betId, fill.stakeMicros);
  }

  #orderOf(uuid: RequestUuid, take: LiveOrder['take'], nowMs: number): HandOrder | null {
    if (take?.byHand === undefined) return null;
    const known = this.#orders.get(uuid);
    if (known !== undefined) return known;
    const generation = Number(take.id.slice(take.byHand.length + 1));
    const order: HandOrder = {
      quote: take.byHand,
      generation,
      sinceMs: nowMs,
      state: 'told',
      filledMicros: 0,
      fills: new Map(),
    };
    this.#orders.set(uuid, order);
    return order;
  }

  #ended({ quote: id, generation, sinceMs }: HandOrder, nowMs: number): void {
    const quote = this.#quotes.get(id);
    if (quote === undefined) return;
    if (quote.stakeMicros - this.filledMicros(id) < DUST_MICROS) return this.withdraw(id);
    this.#pauseAfter(id, nowMs - sinceMs < SHORT_LIFE_MS, nowMs);
    // An earlier order stood in the way of the present one, which has its own id.
    const next = generation === quote.generation ? { ...quote, generation: generation + 1 } : quote;
    this.place(next);
  }

  #pauseAfter(id: string, hasFailed: boolean, nowMs: number): void {
    const quote = this.#quotes.get(id);
    if (!hasFailed || quote === undefined) return void this.#pauses.delete(id);
    const failures = (this.#pauses.get(id)?.failures ?? 0) + 1;
    const pauseMs = Math.min(PAUSE_MS.longest, PAUSE_MS.first * 2 ** (failures - 1));
    this.#pauses.set(id, { failures, untilMs: nowMs + pauseMs });
  }

  #ordersOf(id: string): readonly HandOrder[] {
    return [...this.#orders.values()].filter(({ quote }) => quote === id);
  }

  #tell(event: EventName): void {
    this.#change$.next();
    this.#wake$.next(event);
  }
}

const isOn = ({ event }: HandQuote, key: EventKey): boolean => eventKey(event) === key;

/** An order's own count may come before its bets, or after them. */
const filledOf = ({ filledMicros, fills }: HandOrder): Micros =>
  Math.max(
    filledMicros,
    [...fills.values()].reduce((sum, micros) => sum + micros, 0),
  );

function intentOf(quote: HandQuote, stakeMicros: Micros): QuoteIntent {
  const { id, selectionId, direction, priceKind, tick, generation, by, why } = quote;
  return {
    selectionId,
    direction,
    priceKind,
    tick,
    stakeMicros,
    level: 0,
    take: `${id}/${generation}`,
    byHand: id,
    // It rests, and yet there is one order for it alone.
    mode: 'make_and_take',
    lifetimeS: LIFETIME_S,
    valueMicrosPerS: VALUE_MICROS_PER_S,
    reason: `${why} (by hand: ${by})`,
  };
}
