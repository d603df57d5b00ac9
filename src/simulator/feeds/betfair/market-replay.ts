import { toMicros } from '../../../domain/money.ts';
import { tickOf } from '../../../domain/ladder.ts';
import { isBetter, SELECTION_KINDS } from '../../../domain/odds.ts';
import { type Direction, DIRECTIONS, opposite } from '../../../domain/selection.ts';
import type { Intervention, Market, SimEventName, SimOutcome } from '../../core/api.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import { isSameEvent } from '../../core/catalogue.ts';
import { type RecordedTrade, RunnerBook } from './book.ts';
import { eventOf, identify, type MarketIdentity, outcomeOf, resultOf } from './identity.ts';
import type { MarketChange, MarketDefinition, RunnerChange } from './message.ts';

/** Name of the background participant that holds the recorded stake. */
const RECORDED = 'recorded';

/** Counts of a replay, for reports. */
export interface ReplayCounts {
  trades: number;
  /** Stake that accounts got from recorded trades. */
  tradedWithAccountsMicros: number;
  /** Skipped prices outside the ladder, and skipped runners that the market does not define. */
  skipped: number;
}

/**
 * A recorded market: folded from its changes, and from `announce` on replayed on the exchange. `wallMs` maps recorded
 * time to exchange time.
 */
export class MarketReplay {
  readonly #marketId: string;
  readonly #wallMs: (recordedMs: number) => number;
  readonly #counts: ReplayCounts;
  readonly #books = new Map<number, RunnerBook>();
  #definition: MarketDefinition | null = null;
  #identity: MarketIdentity | null = null;
  #announced = false;
  #inRunning = false;
  #suspended = false;
  /** Suspended by intervention, until an intervention resumes it. */
  #held = false;
  #over = false;

  constructor(marketId: string, wallMs: (recordedMs: number) => number, counts: ReplayCounts) {
    this.#marketId = marketId;
    this.#wallMs = wallMs;
    this.#counts = counts;
  }

  /** Whether this is the event's market; false until the market is defined. */
  plays(event: SimEventName): boolean {
    return this.#identity !== null && isSameEvent(this.#identity, event);
  }

  /** Folds a change that happened before the replay begins. */
  fold(change: MarketChange): void {
    if (change.image) for (const book of this.#books.values()) book.clear();
    if (change.definition !== null) this.#define(change.definition);
    for (const runner of change.runners) this.#foldRunner(runner);
  }

  /** Puts the market as folded so far onto the exchange, unless it is over or not yet defined. */
  announce(market: Market, nowMs: number): void {
    const definition = this.#definition;
    this.#announced = true;
    if (definition === null) return;
    if (definition.status === 'CLOSED') {
      this.#over = true;
      return;
    }
    this.#applyDefinition(market, definition, nowMs);
    for (const [runnerId, book] of this.#books) this.#showBook(market, runnerId, book, nowMs);
  }

  /** Applies a change to the exchange: trades, then levels, then the end. */
  apply(market: Market, change: MarketChange, nowMs: number): void {
    if (this.#over) return;
    if (!this.#announced) this.announce(market, nowMs);
    if (change.image) this.#beginImage(market, change.runners, nowMs);
    if (change.definition !== null) {
      this.#define(change.definition);
      this.#applyDefinition(market, change.definition, nowMs);
    }
    for (const runner of change.runners) this.#applyRunner(market, runner, change.image, nowMs);
    if (change.definition?.status === 'CLOSED') this.#end(market, change.definition, nowMs);
  }

  /** Carries out suspend, resume and end. Returns false for other interventions, which the exchange then handles. */
  intervene(market: Market, act: Intervention, nowMs: number): boolean {
    if (this.#identity === null || this.#over) return false;
    if (act.kind === 'end') this.#endWith(market, this.#identity, act.result, nowMs);
    else if (act.kind === 'suspend' || act.kind === 'resume') {
      this.#hold(market, this.#identity, act.kind, nowMs);
    } else return false;
    return true;
  }

  #hold(market: Market, event: SimEventName, kind: 'suspend' | 'resume', nowMs: number): void {
    this.#held = kind === 'suspend';
    // A recorded suspension is lifted too; the next recorded status counts again.
    this.#suspended = this.#held;
    market.setSuspended(event, this.#held, nowMs);
  }

  #define(definition: MarketDefinition): void {
    this.#definition = definition;
    this.#identity ??= identify(this.#marketId, definition, this.#wallMs(definition.startMs));
    for (const { runnerId } of definition.runners) {
      if (!this.#books.has(runnerId)) this.#books.set(runnerId, new RunnerBook());
    }
  }

  #foldRunner(change: RunnerChange): void {
    const book = this.#books.get(change.runnerId);
    book?.takeTrades(change);
    book?.setLevels('against', change.toBack);
    book?.setLevels('for', change.toLay);
  }

  #applyDefinition(market: Market, definition: MarketDefinition, nowMs: number): void {
    const identity = this.#identity;
    if (identity === null) return;
    market.putEvent(eventOf(identity, definition, this.#wallMs(definition.startMs)), nowMs);
    if (definition.inPlay && !this.#inRunning) market.goInRunning(identity, nowMs);
    this.#inRunning ||= definition.inPlay;
    const suspended = this.#held || definition.status !== 'OPEN';
    if (suspended !== this.#suspended) market.setSuspended(identity, suspended, nowMs);
    this.#suspended = suspended;
  }

  #end(market: Market, definition: MarketDefinition, nowMs: number): void {
    const identity = this.#identity;
    if (identity !== null) this.#endWith(market, identity, resultOf(identity, definition), nowMs);
  }

  #endWith(market: Market, event: SimEventName, result: EventResult | null, nowMs: number): void {
    this.#over = true;
    if (result === null) market.voidEvent(event, nowMs);
    else market.settle(event, result, nowMs);
  }

  /** An image replaces the book. Levels that it repeats keep their place in the queue; only the others are removed. */
  #beginImage(market: Market, runners: readonly RunnerChange[], nowMs: number): void {
    for (const [runnerId, book] of this.#books) {
      const before = book.clear();
      if (this.#identity === null) continue;
      const at = outcomeOf(this.#identity, runnerId);
      const image = bookIn(runners, runnerId);
      for (const direction of DIRECTIONS) {
        const gone = before[direction].filter((price) => !image.resting[direction].has(price));
        this.#showChanges(market, at, book, direction, gone, nowMs);
      }
    }
  }

  #applyRunner(market: Market, change: RunnerChange, image: boolean, nowMs: number): void {
    const book = this.#books.get(change.runnerId);
    if (book === undefined || this.#identity === null) {
      this.#counts.skipped++;
      return;
    }
    const at = outcomeOf(this.#identity, change.runnerId);
    const trades = book.takeTrades(change);
    // The totals of an image are the new base of counting, not trades of this instant.
    if (!image) for (const trade of trades) this.#trade(market, at, book, trade, nowMs);
    this.#showChanges(market, at, book, 'against', book.setLevels('against', change.toBack), nowMs);
    this.#showChanges(market, at, book, 'for', book.setLevels('for', change.toLay), nowMs);
  }

  /**
   * A recorded taker first meets accounts that offer a better price than the recorded book did, then the price of the
   * trade. Background stake that it takes there is restored to the recorded size.
   */
  #trade(market: Market, at: SimOutcome, book: RunnerBook, trade: RecordedTrade, nowMs: number): void {
    const { resting, price } = trade;
    if (tickOf(price) === null) return void this.#counts.skipped++;
    this.#counts.trades++;
    let left = toMicros(trade.stake);
    for (const better of betterPrices(market, at, book, trade)) {
      if (left > 0) left -= this.#tradeAt(market, at, resting, better, left, nowMs);
    }
    if (left > 0) this.#tradeAt(market, at, resting, price, left, nowMs);
    this.#show(market, at, book, resting, price, nowMs);
  }

  #tradeAt(
    market: Market,
    at: SimOutcome,
    resting: Direction,
    price: number,
    micros: number,
    nowMs: number,
  ): number {
    const got = market.trade(at, resting, price, micros, nowMs);
    this.#counts.tradedWithAccountsMicros += got;
    return got;
  }

  #showBook(market: Market, runnerId: number, book: RunnerBook, nowMs: number): void {
    if (this.#identity === null) return;
    const at = outcomeOf(this.#identity, runnerId);
    for (const direction of DIRECTIONS) {
      this.#showChanges(market, at, book, direction, [...book.resting[direction].keys()], nowMs);
    }
  }

  #showChanges(
    market: Market,
    at: SimOutcome,
    book: RunnerBook,
    resting: Direction,
    prices: readonly number[],
    nowMs: number,
  ): void {
    for (const price of prices) this.#show(market, at, book, resting, price, nowMs);
  }

  #show(
    market: Market,
    at: SimOutcome,
    book: RunnerBook,
    resting: Direction,
    price: number,
    nowMs: number,
  ): void {
    if (tickOf(price) === null) return void this.#counts.skipped++;
    const size = book.resting[resting].get(price) ?? 0;
    market.setLevel(RECORDED, at, resting, price, toMicros(size), nowMs);
  }
}

/** A runner's book according to an image. */
function bookIn(runners: readonly RunnerChange[], runnerId: number): RunnerBook {
  const book = new RunnerBook();
  for (const runner of runners.filter((change) => change.runnerId === runnerId)) {
    book.setLevels('against', runner.toBack);
    book.setLevels('for', runner.toLay);
  }
  return book;
}

/** Prices better than the trade's for its taker at which only accounts rest, best first. */
function betterPrices(market: Market, at: SimOutcome, book: RunnerBook, trade: RecordedTrade): number[] {
  const taker = opposite(trade.resting);
  const levels = market.levels(at, trade.resting);
  const better = levels.filter(({ price }) => isBetter(SELECTION_KINDS[taker], price, trade.price));
  return better.map(({ price }) => price).filter((price) => !book.resting[trade.resting].has(price));
}
