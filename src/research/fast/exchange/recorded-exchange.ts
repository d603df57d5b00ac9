/**
 * The exchange of one event as the recording shows it, with our orders in its books.
 *
 * The order of things at one instant: first what is due of our orders (arrivals, cancellations, lapses), in the order in which it was
 * planned; then the updates of the recording, in their order. This is the order of the embedded exchange, too.
 */
import type { FillModel } from '../../../fills/fill-model.ts';
import { Heap } from '../../../lib/heap.ts';
import { integerBetween, type Random } from '../../../lib/random.ts';
import { isPassiveDelay } from '../../../domain/bet-delay.ts';
import { floorTick, priceOf } from '../../../domain/ladder.ts';
import { cancelsLays, type ReducedMarket, reducedMarketOf, reducedPrice } from '../../../domain/reduction.ts';
import type { Turn } from '../../removals.ts';
import { type EventTape, type GapEdge, MARKET_STATE, OP, type Removal, type Updates } from '../../tape.ts';
import type { OwnOrder } from './own-order.ts';
import { type OnFill, SelectionBook } from './selection-book.ts';
import type { FastSettings } from '../settings.ts';

/** Callbacks of the exchange. Everything happens inside the call that causes it. */
export interface ExchangeListener {
  readonly onFill: OnFill;
  /** The order is closed and can have no further fill. */
  readonly onClosed: (order: OwnOrder) => void;
  /** The exchange has accepted an order, or no longer holds it. */
  readonly onQuotes: (selection: number) => void;
  /** The state of a market, by its position, has changed. */
  readonly onState: (market: number) => void;
  /** A runner of a market, by its position, was removed. Called after its orders are closed. */
  readonly onRemoval?: (market: number) => void;
  /** The event turns in play. Called before its orders are closed. */
  readonly onInPlay: () => void;
}

interface Task {
  readonly atMs: number;
  readonly seq: number;
  readonly kind: 'accept' | 'arrive' | 'cancel' | 'lapse';
  readonly order: OwnOrder;
  /** Of an arrival: how much longer the order waits if it would match at once. */
  readonly takersMs: number;
}

const isBefore = (a: Task, b: Task): boolean => (a.atMs === b.atMs ? a.seq < b.seq : a.atMs < b.atMs);

export class RecordedExchange {
  readonly books: readonly SelectionBook[];
  /** Whether each market matches now: it is neither suspended, closed nor in a gap of the recording. */
  readonly open: boolean[];
  inPlay = false;
  /** Of which markets the recording lacks the data now. Each gap makes a new list, so that what was shown keeps its own. */
  inGap: readonly boolean[];
  nowMs = -Infinity;
  /** How many rows of the recording were applied. */
  row = 0;
  readonly #tape: EventTape;
  readonly #settings: FastSettings;
  readonly #random: Random;
  readonly #listener: ExchangeListener;
  readonly #states: number[];
  readonly #betDelaysMs: number[];
  /** Per market: whether only orders wait for its delay that match at once. */
  readonly #isPassive: readonly boolean[];
  readonly #marketOf: Uint16Array;
  readonly #working = new Set<OwnOrder>();
  /** The recording has ended: what is on its way arrives nowhere. */
  #hasEnded = false;
  readonly #tasks = new Heap<Task>(isBefore);
  /** Per market: gaps of the recording that go on. */
  readonly #gaps: number[];
  #seq = 0;

  constructor(
    tape: EventTape,
    model: FillModel,
    settings: FastSettings,
    random: Random,
    listener: ExchangeListener,
  ) {
    this.#tape = tape;
    this.#settings = settings;
    this.#random = random;
    this.#listener = listener;
    this.books = tape.selections.map(() => new SelectionBook(model, this.#onFill));
    this.open = tape.markets.map(() => true);
    this.#states = tape.markets.map(() => MARKET_STATE.open);
    this.#gaps = tape.markets.map(() => 0);
    this.inGap = tape.markets.map(() => false);
    this.#betDelaysMs = tape.markets.map(() => 0);
    this.#isPassive = tape.markets.map(({ betDelayModels }) => isPassiveDelay(betDelayModels));
    this.#marketOf = Uint16Array.from(tape.selections, ({ market }) => market);
  }

  /** When our orders need the exchange next; Infinity without such a task. */
  get nextTaskMs(): number {
    return this.#tasks.peek()?.atMs ?? Infinity;
  }

  /** Runs the earliest task of our orders. */
  runTask(): void {
    const task = this.#tasks.pop();
    if (task === undefined) return;
    this.nowMs = task.atMs;
    const { order } = task;
    if (order.closed) return;
    if (this.#hasEnded) this.#finish(order);
    else if (task.kind === 'accept') this.#accept(order);
    else if (task.kind === 'arrive') this.#reach(order, task.takersMs);
    else this.close(order);
  }

  /** A create request reaches the exchange at `atMs`. */
  place(order: OwnOrder, atMs: number): void {
    this.#plan('accept', order, atMs);
  }

  /** A request to close an order reaches the exchange at `atMs`. */
  cancel(order: OwnOrder, atMs: number): void {
    this.#plan('cancel', order, atMs + this.#settings.closeLatencyMs);
  }

  /** An order reaches its book now, without any delay. */
  stand(order: OwnOrder): void {
    this.#working.add(order);
    this.#arrive(order);
  }

  /** An order leaves the exchange now. */
  close(order: OwnOrder): void {
    (this.books[order.selection] as SelectionBook).withdraw(order);
    this.#finish(order);
  }

  /** Whether it holds orders of ours on both sides of a selection. */
  isQuoted(selection: number): boolean {
    let [isFor, isAgainst] = [false, false];
    for (const order of this.#working) {
      if (order.selection !== selection) continue;
      if (order.direction === 'for') isFor = true;
      else isAgainst = true;
    }
    return isFor && isAgainst;
  }

  get isOver(): boolean {
    return this.open.every((_, market) => this.isMarketClosed(market));
  }

  isMarketClosed(market: number): boolean {
    return ((this.#states[market] as number) & STATE_BITS) === MARKET_STATE.closed;
  }

  /** The recorded delay of new orders in a market. */
  betDelayMs(market: number): number {
    return this.#betDelaysMs[market] as number;
  }

  /** Applies one update of the recording, which has no clear (`explicitLevels`). */
  apply({ op, of, tick, micros }: Updates, at: number): void {
    this.row = at + 1;
    const kind = op[at] as number;
    const subject = of[at] as number;
    if (kind === OP.state) return this.#setState(subject, tick[at] as number, micros[at] as number);
    const book = this.books[subject] as SelectionBook;
    const open = this.open[this.#marketOf[subject] as number] as boolean;
    const resting = kind === OP.restingFor || kind === OP.tradedFor ? 'for' : 'against';
    if (kind <= OP.restingAgainst)
      book.level(resting, tick[at] as number, micros[at] as number, open, this.nowMs);
    else if (open) book.trade(resting, tick[at] as number, micros[at] as number, this.nowMs);
  }

  /** A gap of the recording begins or ends, or a runner is removed. */
  pass(turn: Turn): void {
    if ('gap' in turn) this.#passGapEdge(turn.gap);
    else this.#remove(turn.removal);
  }

  /** Closes every order: the event is over. */
  end(): void {
    this.#hasEnded = true;
    for (const order of this.#working) this.close(order);
  }

  /** The recording lacks data from now on, or has them again. In between nothing is matched and nothing is shown. */
  #passGapEdge({ isBegin, market: only }: GapEdge): void {
    for (const market of this.open.keys()) {
      if (only !== null && market !== only) continue;
      this.#gaps[market] = (this.#gaps[market] as number) + (isBegin ? 1 : -1);
      this.inGap = this.#gaps.map((gaps) => gaps > 0);
      this.#setOpen(market);
      this.#listener.onState(market);
    }
  }

  /** Orders on the runner are void. Orders against the others are cancelled or reduced, orders for them stay. */
  #remove({ market, selection, factor }: Removal): void {
    const reduced = reducedMarketOf(this.#tape.markets[market]?.marketType ?? '');
    for (const order of this.#working) {
      if (this.#marketOf[order.selection] !== market) continue;
      if (order.selection === selection) this.close(order);
      else if (order.direction === 'against' && reduced !== null && factor !== null)
        this.#reduce(order, reduced, factor);
    }
    this.#listener.onRemoval?.(market);
  }

  /** A kept order goes to the tick that honours its reduced price, behind whoever is there. An order in its delay keeps its delay. A take that waits keeps waiting. */
  #reduce(order: OwnOrder, market: ReducedMarket, factor: number): void {
    const tick = cancelsLays(market, factor)
      ? null
      : floorTick(reducedPrice(market, priceOf(order.tick), [factor]));
    if (tick === null) return this.close(order);
    if (tick === order.tick) return;
    const book = this.books[order.selection] as SelectionBook;
    const isResting = order.resting !== null;
    if (isResting) book.withdraw(order);
    order.tick = tick;
    if (isResting) book.arrive(order, false, this.nowMs);
  }

  #plan(kind: Task['kind'], order: OwnOrder, atMs: number, takersMs = 0): void {
    this.#tasks.push({ atMs, seq: this.#seq++, kind, order, takersMs });
  }

  /**
   * The order gets its delays by the state of its market now: in play, the recorded bet delay or else the exchange's own. Where the recorded delay is
   * passive, only an order waits for it that would match at once.
   */
  #accept(order: OwnOrder): void {
    const market = this.#marketOf[order.selection] as number;
    if (this.isMarketClosed(market)) {
      order.refused = true;
      return this.#finish(order);
    }
    this.#working.add(order);
    this.#listener.onQuotes(order.selection);
    this.#plan('lapse', order, order.expiryMs);
    const { placementDelayMs, inPlayDelayMs } = this.#settings;
    const delayMs = integerBetween(this.#random, ...placementDelayMs);
    const betDelayMs = this.#betDelaysMs[market] as number;
    const furtherMs =
      betDelayMs > 0 || !this.inPlay ? betDelayMs : integerBetween(this.#random, ...inPlayDelayMs);
    const takersMs = betDelayMs > 0 && this.#isPassive[market] === true ? furtherMs : 0;
    const allMs = delayMs + furtherMs - takersMs;
    if (allMs <= 0) this.#reach(order, takersMs);
    else this.#plan('arrive', order, this.nowMs + allMs, takersMs);
  }

  /** The order is at its book, and waits if it is to wait and would match. */
  #reach(order: OwnOrder, takersMs: number): void {
    const book = this.books[order.selection] as SelectionBook;
    if (takersMs > 0 && this.#isOpen(order) && book.takes(order))
      this.#plan('arrive', order, this.nowMs + takersMs);
    else this.#arrive(order);
  }

  #isOpen({ selection }: OwnOrder): boolean {
    return this.open[this.#marketOf[selection] as number] as boolean;
  }

  #arrive(order: OwnOrder): void {
    order.restedFromRow = this.row;
    const book = this.books[order.selection] as SelectionBook;
    book.arrive(order, this.#isOpen(order), this.nowMs);
  }

  #setState(market: number, state: number, betDelayMs: number): void {
    if (this.isMarketClosed(market)) return;
    if ((state & MARKET_STATE.inPlay) !== 0 && !this.inPlay) this.#turnInPlay();
    this.#states[market] = state;
    this.#betDelaysMs[market] = betDelayMs;
    if ((state & STATE_BITS) === MARKET_STATE.closed) this.#closeMarket(market);
    this.#setOpen(market);
    this.#listener.onState(market);
  }

  /** The exchange closes the orders of an event that turns in play, but those that are to stay open. */
  #turnInPlay(): void {
    this.#listener.onInPlay();
    for (const order of this.#working) if (order.matching.keepOpenInRunning !== true) this.close(order);
    this.inPlay = true;
  }

  #closeMarket(market: number): void {
    for (const order of this.#working) {
      if (this.#marketOf[order.selection] === market) this.close(order);
    }
  }

  #setOpen(market: number): void {
    const isOpen =
      this.#gaps[market] === 0 && ((this.#states[market] as number) & STATE_BITS) === MARKET_STATE.open;
    if (this.open[market] === isOpen) return;
    this.open[market] = isOpen;
    if (isOpen)
      for (const [at, book] of this.books.entries()) if (this.#marketOf[at] === market) book.resume();
  }

  readonly #onFill: OnFill = (order, tick, stakeMicros, cause) => {
    this.#listener.onFill(order, tick, stakeMicros, cause);
    if (order.filledMicros >= order.stakeMicros) this.#finish(order);
  };

  #finish(order: OwnOrder): void {
    order.closed = true;
    if (this.#working.delete(order)) this.#listener.onQuotes(order.selection);
    this.#listener.onClosed(order);
  }
}

/** A state without `MARKET_STATE.inPlay`. */
const STATE_BITS = 3;
