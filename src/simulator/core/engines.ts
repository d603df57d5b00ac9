/**
 * The matching engine of the accounts, and the same engine under other fill models beside it. The others go first: what ends an order
 * of an account has reached them by then.
 */
import type { Tick } from '../../domain/ladder.ts';
import type { MatchingEngine } from './matching-engine.ts';
import type { EventRecord, MarketBook, OrderRecord } from './model.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import type { ShadowFills } from './shadow-fills.ts';

export class Engines {
  readonly #own: MatchingEngine;
  readonly #shadows: readonly ShadowFills[];
  readonly #lifecycle: OrderLifecycle;

  constructor(own: MatchingEngine, shadows: readonly ShadowFills[], lifecycle: OrderLifecycle) {
    [this.#own, this.#shadows, this.#lifecycle] = [own, shadows, lifecycle];
    lifecycle.listen((order, by) => {
      for (const shadow of shadows) shadow.ended(order, by);
    });
  }

  /** Opens an accepted order. Until it reaches its book it neither takes nor rests. */
  accept(order: OrderRecord): void {
    order.shownMicros = this.#own.shownMicros(order);
    this.#lifecycle.open(order, {
      // A parlay takes whatever comes.
      takesNow: () => order.market === null || this.#own.shownMicros(order) > 0,
      arrive: () => {
        for (const shadow of this.#shadows) shadow.arrive(order);
        this.#own.arrive(order);
      },
    });
  }

  /** Something happens on a market, whatever the fill model. Returns what it came to for the accounts. */
  everywhere<T>(market: MarketBook, act: (engine: MatchingEngine, market: MarketBook) => T): T {
    for (const shadow of this.#shadows) shadow.act(market, act);
    return act(this.#own, market);
  }

  /** From now on the stake of this owner is the one of a recording. */
  follow(owner: string): void {
    for (const shadow of this.#shadows) shadow.follow(owner);
    this.#own.follow(owner);
  }

  /** Moves an order to another price, behind whoever rests there. */
  moveTo(order: OrderRecord, tick: Tick): void {
    for (const shadow of this.#shadows) shadow.moveTo(order, tick);
    this.#own.moveTo(order, tick);
  }

  /** Orders that may not stay open in play leave. */
  goInRunning(event: EventRecord): void {
    for (const shadow of this.#shadows) shadow.endAll(event, ({ terms }) => !terms.keepOpenIr);
  }

  /** No order of an event stays, and its books are empty. */
  end(event: EventRecord): void {
    for (const shadow of this.#shadows) shadow.endAll(event, () => true);
    for (const market of event.books.values()) this.everywhere(market, (_, { book }) => book.clear());
  }
}
