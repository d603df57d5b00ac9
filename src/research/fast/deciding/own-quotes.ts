/** Our orders as a view shows them. */
import type { OwnQuote, QuotePhase } from '../../../domain/event-view.ts';
import type { Direction } from '../../../domain/selection.ts';
import type { EventTape } from '../../tape.ts';
import { aheadAfter } from '../../tape-facts.ts';
import type { OwnOrder } from '../exchange/own-order.ts';
import type { Showing } from './showings.ts';

/** The facts that decide the phase of an order, and the stake before it. */
export interface QuoteMoment {
  readonly showing: Showing;
  readonly nowMs: number;
}

/** Reads the moment of the view, and notes that it was read. */
export type ReadMoment = () => QuoteMoment;

/** The stake before an order up to a row. */
interface Ahead {
  readonly micros: number;
  readonly row: number;
}

export class OwnQuotes {
  readonly #tape: EventTape;
  readonly #readMoment: ReadMoment;
  readonly #ahead = new WeakMap<OwnOrder, Ahead>();

  constructor(tape: EventTape, readMoment: ReadMoment) {
    [this.#tape, this.#readMoment] = [tape, readMoment];
  }

  /** Phase and stake are worked out when they are read. */
  of(orders: readonly OwnOrder[]): readonly OwnQuote[] {
    return orders.length === 0 ? NO_QUOTES : orders.map((order) => new LazyQuote(order, this));
  }

  phaseOf(order: OwnOrder): QuotePhase {
    const { nowMs, showing } = this.#readMoment();
    if (order.closeWanted) return 'closing';
    if (nowMs < order.answeredMs) return 'sent';
    return isShownResting(order, showing) ? 'resting' : 'delayed';
  }

  aheadOf(order: OwnOrder): number | null {
    const { showing } = this.#readMoment();
    if (!isShownResting(order, showing)) return null;
    const before = this.#ahead.get(order) ?? {
      micros: order.queueAheadMicros,
      row: firstRowFrom(this.#tape.updates.atMs, order.restedFromMs as number),
    };
    const micros = aheadAfter(this.#tape, order, before, showing.row);
    this.#ahead.set(order, { micros, row: Math.max(before.row, showing.row) });
    return micros;
  }
}

const NO_QUOTES: readonly OwnQuote[] = [];

/** All that the exchange knows reaches us with its showings. */
const isShownResting = ({ restedFromMs }: OwnOrder, { atMs }: Showing): boolean =>
  restedFromMs !== null && restedFromMs <= atMs;

/** The first row at an instant or after it. */
function firstRowFrom(atMs: Float64Array, fromMs: number): number {
  let [low, high] = [0, atMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((atMs[middle] as number) < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

class LazyQuote implements OwnQuote {
  readonly direction: Direction;
  readonly tick: number;
  readonly unfilledMicros: number;
  readonly take?: string;
  readonly #order: OwnOrder;
  readonly #quotes: OwnQuotes;

  constructor(order: OwnOrder, quotes: OwnQuotes) {
    [this.#order, this.#quotes] = [order, quotes];
    [this.direction, this.tick] = [order.direction, order.tick];
    this.unfilledMicros = order.stakeMicros - order.knownFilledMicros;
    if (order.take !== undefined) this.take = order.take.id;
  }

  get phase(): QuotePhase {
    return this.#quotes.phaseOf(this.#order);
  }

  get aheadMicros(): number | null {
    return this.#quotes.aheadOf(this.#order);
  }
}
