import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import type { IntentKey } from '../../domain/quote-intent.ts';
import type { BetslipWish } from '../betslips/desk.ts';
import { keyOf } from '../betslips/slot.ts';
import type { BetslipNeed } from '../plan/betslips.ts';
import type { Judge, MarketPlacing } from './judge.ts';
import type { Targets } from './targets.ts';

/** What a quote, or its order, wants of betslips. */
export interface QuoteWish extends BetslipWish {
  /** The quote that waits to be placed; null while its order is there. */
  readonly placing: MarketPlacing | null;
}

/** A quote that needs a betslip for its own order. */
interface Wanting {
  /** Names the market. */
  readonly key: string;
  readonly placing: MarketPlacing;
  readonly need: Extract<BetslipNeed, 'order' | 'placing'>;
  /** Whether the order certainly reduces risk; null until it is asked for. */
  reduces: boolean | null;
}

/** An order that is there. */
interface Serving {
  readonly key: IntentKey;
  readonly selection: SelectionId;
  readonly market: BetslipRequest;
  readonly need: Extract<BetslipNeed, 'next' | 'placing'>;
}

/** What the targets of all events, and their orders, want of betslips. */
export class BetslipWishes {
  readonly #judge: Judge;
  readonly #targets: Targets;
  readonly #quotes = new Map<IntentKey, Wanting>();
  readonly #orders = new Map<EventKey, readonly Serving[]>();
  /** Changed since the last call of `take`. */
  #isChanged = false;

  constructor(judge: Judge, targets: Targets) {
    [this.#judge, this.#targets] = [judge, targets];
  }

  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** The quote needs a betslip for its order, or, with `placing`, its order has begun. */
  want(placing: MarketPlacing, need: Wanting['need']): void {
    const before = this.#quotes.get(placing.key);
    const key = keyOf(placing.market);
    this.#quotes.set(placing.key, { key, placing, need, reduces: null });
    if (before?.need !== need || before.key !== key) this.#isChanged = true;
  }

  /** The quote needs no betslip, or not yet. */
  delete(key: IntentKey): void {
    if (this.#quotes.delete(key)) this.#isChanged = true;
  }

  /** The orders of an event that are there. Orders that had only begun are among them. */
  serve(event: EventKey, orders: readonly Serving[]): void {
    const before = this.#orders.get(event) ?? [];
    if (!isSame(before, orders)) this.#isChanged = true;
    if (orders.length === 0) this.#orders.delete(event);
    else this.#orders.set(event, orders);
  }

  /** What the event's orders would do to risk may have changed. */
  forgetRisk(event: EventKey): void {
    for (const key of this.#targets.of(event)?.intents.keys() ?? []) {
      const wanting = this.#quotes.get(key);
      if (wanting !== undefined) wanting.reduces = null;
    }
  }

  /** All of them, for a plan that takes account of every change so far. */
  take(): readonly QuoteWish[] {
    this.#isChanged = false;
    return this.all();
  }

  all(): readonly QuoteWish[] {
    const wanted = Array.from(this.#quotes.values(), (wanting) => this.#wishOf(wanting));
    const serving = [...this.#orders.values()].flat().map(({ key, selection, market, need }): QuoteWish => ({
      ...{ key: keyOf(market), market, selection, need, placing: null },
      ...{ value: this.#targets.valueOf(key), reduces: false },
      foresee: () => null,
    }));
    return [...wanted, ...serving];
  }

  #wishOf(wanting: Wanting): QuoteWish {
    const { key, placing, need } = wanting;
    if (need === 'order') wanting.reduces ??= this.#judge.reduces(placing);
    return {
      ...{
        key,
        market: placing.market,
        selection: placing.intent.selectionId,
        need,
        placing: need === 'order' ? placing : null,
      },
      value: this.#targets.valueOf(placing.key),
      reduces: wanting.reduces ?? false,
      foresee: (isPinned) => this.#judge.foresee(placing, isPinned),
    };
  }
}

const isSame = (a: readonly Serving[], b: readonly Serving[]): boolean =>
  a.length === b.length &&
  a.every(({ key, need }, at) => {
    const other = b[at];
    return other?.key === key && other.need === need;
  });
