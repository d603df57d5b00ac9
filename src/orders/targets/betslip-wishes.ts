import { marketKey } from '../../domain/exchange-prices.ts';
import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import type { IntentKey } from '../../domain/quote-intent.ts';
import { selectionIdOf } from '../../domain/selection.ts';
import type { BetslipWish } from '../betslips/desk.ts';
import type { BetslipNeed } from '../plan/betslips.ts';
import type { Obstacle } from '../send-gate.ts';
import type { Judge, MarketPlacing } from './judge.ts';
import type { Targets } from './targets.ts';

/** What a quote, or its order, wants of betslips. It stands until what it wants changes, because plans are made many times a second. */
export class QuoteWish implements BetslipWish {
  readonly quote: IntentKey;
  readonly market: BetslipRequest;
  readonly selection: SelectionId;
  readonly need: BetslipNeed;
  readonly isSendable: true;
  /** The quote that needs a betslip for its own order; null while its order is there. */
  readonly #wanted: MarketPlacing | null;
  readonly #judge: Judge;
  readonly #targets: Targets;
  /** Both null until they are asked for. */
  #key: string | null;
  #reduces: boolean | null;

  constructor(judge: Judge, targets: Targets, of: Serving, wanted: MarketPlacing | null) {
    [this.#judge, this.#targets, this.#wanted] = [judge, targets, wanted];
    [this.quote, this.market, this.selection, this.need] = [of.key, of.market, of.selection, of.need];
    [this.isSendable, this.#key, this.#reduces] = [true, null, null];
  }

  get key(): string {
    return (this.#key ??= marketKey(this.market));
  }

  get value(): number {
    return this.#targets.valueOf(this.quote);
  }

  /** The quote that waits to be placed; null while its order is there, or has begun. */
  get placing(): MarketPlacing | null {
    return this.need === 'order' ? this.#wanted : null;
  }

  get reduces(): boolean {
    const { placing } = this;
    return placing !== null && (this.#reduces ??= this.#judge.reduces(placing));
  }

  /** What the order would do to risk may have changed. */
  forgetRisk(): void {
    this.#reduces = null;
  }

  foresee(isPinned: boolean): Obstacle | null {
    return this.#wanted === null ? null : this.#judge.foresee(this.#wanted, isPinned);
  }
}

/** What a market wants whose betslip is to be ready before an order is. It comes before every quote, and may use the reserve. */
class StandByWish implements BetslipWish {
  readonly key: string;
  readonly market: BetslipRequest;
  readonly selection: SelectionId;
  readonly need = 'order';
  readonly value = MOST_VALUE;
  readonly reduces = true;
  readonly isSendable = true;
  readonly placing = null;

  constructor(market: BetslipRequest) {
    [this.key, this.market, this.selection] = [marketKey(market), market, selectionIdOf(market)];
  }

  foresee(): null {
    return null;
  }
}

/** More than any quote is worth a second, in micros. */
const MOST_VALUE = 1e15;

/** A quote, or an order of it, that needs a betslip. */
interface Serving {
  readonly key: IntentKey;
  readonly selection: SelectionId;
  readonly market: BetslipRequest;
  readonly need: BetslipNeed;
}

/** What the targets of all events, and their orders, want of betslips. */
export class BetslipWishes {
  readonly #judge: Judge;
  readonly #targets: Targets;
  readonly #quotes = new Map<IntentKey, QuoteWish>();
  readonly #orders = new Map<EventKey, readonly QuoteWish[]>();
  #standBy: readonly StandByWish[] = [];
  /** Changed since the last call of `take`. */
  #isChanged = false;

  constructor(judge: Judge, targets: Targets) {
    [this.#judge, this.#targets] = [judge, targets];
  }

  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** The quote needs a betslip for its order, or, with `placing`, its order has begun. */
  want(placing: MarketPlacing, need: Extract<BetslipNeed, 'order' | 'placing'>): void {
    const { key, market, intent } = placing;
    const before = this.#quotes.get(key);
    const of = { key, market, need, selection: intent.selectionId };
    this.#quotes.set(key, new QuoteWish(this.#judge, this.#targets, of, placing));
    if (before?.need !== need || before.key !== marketKey(market)) this.#isChanged = true;
  }

  /** The quote needs no betslip, or not yet. */
  delete(key: IntentKey): void {
    if (this.#quotes.delete(key)) this.#isChanged = true;
  }

  /** The orders of an event that are there. Orders that had only begun are among them. */
  serve(event: EventKey, orders: readonly Serving[]): void {
    if (isSame(this.#orders.get(event) ?? [], orders)) return;
    this.#isChanged = true;
    if (orders.length === 0) this.#orders.delete(event);
    else
      this.#orders.set(
        event,
        orders.map((order) => new QuoteWish(this.#judge, this.#targets, order, null)),
      );
  }

  /** Keeps the betslips of these markets open, whatever is quoted there, in place of those before. */
  standBy(markets: readonly BetslipRequest[]): void {
    const now = new Map(markets.map((market) => [marketKey(market), market]));
    if (now.size === this.#standBy.length && this.#standBy.every(({ key }) => now.has(key))) return;
    this.#standBy = Array.from(now.values(), (market) => new StandByWish(market));
    this.#isChanged = true;
  }

  /** What the event's orders would do to risk may have changed. */
  forgetRisk(event: EventKey): void {
    for (const key of this.#targets.of(event)?.intents.keys() ?? []) this.#quotes.get(key)?.forgetRisk();
  }

  /** All of them, for a plan that takes account of every change so far. */
  take(): readonly (QuoteWish | StandByWish)[] {
    this.#isChanged = false;
    return this.all();
  }

  all(): readonly (QuoteWish | StandByWish)[] {
    const all: (QuoteWish | StandByWish)[] = [...this.#quotes.values(), ...this.#standBy];
    for (const orders of this.#orders.values()) for (const order of orders) all.push(order);
    return all;
  }
}

const isSame = (before: readonly QuoteWish[], now: readonly Serving[]): boolean =>
  before.length === now.length &&
  now.every(({ key, need, market }, at) => {
    const wish = before[at];
    return wish?.quote === key && wish.need === need && wish.key === marketKey(market);
  });
