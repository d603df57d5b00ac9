/** The showings of an event by the exchange: the best prices of each side, and their lists if the strategy reads them. */
import { NO_MINIMUM, type PriceLevel, type PriceList } from '../../../domain/price-list.ts';
import { priceOf, type Tick } from '../../../domain/ladder.ts';
import { midProbability } from '../../../domain/odds.ts';
import type { Direction } from '../../../domain/selection.ts';
import type { EventTape } from '../../tape.ts';
import type { RecordedExchange } from '../exchange/recorded-exchange.ts';
import { priceListOf } from '../exchange/selection-book.ts';
import { NONE, type SideBook } from '../exchange/side-book.ts';

/** The offers that takers of one direction are shown. */
export interface ShownSide {
  readonly tick: Tick;
  readonly best: PriceLevel;
  /** Null where lists are not taken. */
  readonly list: PriceList | null;
}

/** The prices of a selection when they were shown: what `for` takers and `against` takers get. Null: no offer. */
export type Shown = Readonly<Record<Direction, ShownSide | null>>;

/** The showing of an event at an instant. */
export interface Showing {
  readonly atMs: number;
  /** How many rows of the tape the exchange had applied. */
  readonly row: number;
  /** Whether the recording lacked data then. */
  readonly inGap: readonly boolean[];
  readonly selections: readonly Shown[];
}

export const NOTHING_SHOWN: Shown = { for: null, against: null };

interface Version {
  for: number;
  against: number;
}

/** Takes showings from the books. A selection that shows the same as before is the same object. */
export class Showings {
  readonly #exchange: RecordedExchange;
  readonly #tape: EventTape;
  /** The number of levels in lists; 0 takes no lists. */
  readonly #depth: number;
  readonly #versions: readonly Version[];
  readonly #last: Shown[];

  constructor(exchange: RecordedExchange, tape: EventTape, depth: number) {
    this.#exchange = exchange;
    this.#tape = tape;
    this.#depth = depth;
    this.#versions = tape.selections.map(() => ({ for: -1, against: -1 }));
    this.#last = tape.selections.map(() => NOTHING_SHOWN);
  }

  /** The present showing, and whether it differs from the one before. */
  take(nowMs: number, before: Showing | null): { readonly showing: Showing; readonly isNew: boolean } {
    let isNew = before === null;
    const selections = this.#tape.selections.map(({ market }, at) => {
      const shown = this.#exchange.open[market] === true ? this.#shown(at) : NOTHING_SHOWN;
      isNew ||= shown !== before?.selections[at];
      return shown;
    });
    const { row, inGap } = this.#exchange;
    return { showing: { atMs: nowMs, row, inGap, selections }, isNew };
  }

  #shown(at: number): Shown {
    const book = this.#exchange.books[at];
    const version = this.#versions[at];
    const last = this.#last[at];
    if (book === undefined || version === undefined || last === undefined) return NOTHING_SHOWN;
    if (version.for === book.against.version && version.against === book.for.version) return last;
    const forTakers = version.for === book.against.version ? last.for : this.#side(book.against, last.for);
    const againstTakers =
      version.against === book.for.version ? last.against : this.#side(book.for, last.against);
    [version.for, version.against] = [book.against.version, book.for.version];
    if (forTakers === last.for && againstTakers === last.against) return last;
    return (this.#last[at] = { for: forTakers, against: againstTakers });
  }

  /** The side as it is shown now; the former object if it is the same. */
  #side(side: SideBook, before: ShownSide | null): ShownSide | null {
    const tick = side.best;
    if (tick === NONE) return null;
    const maxMicros = side.stakes[tick] as number;
    if (this.#depth === 0 && before?.tick === tick && before.best.maxMicros === maxMicros) return before;
    const best = { price: priceOf(tick), minMicros: null, maxMicros };
    return { tick, best, list: this.#depth === 0 ? null : priceListOf(side, this.#depth) };
  }
}

/** The middle of both best prices, as a probability; null while a side is missing. */
export const midOf = ({ for: forTakers, against }: Shown): number | null =>
  midProbability(forTakers?.best.price ?? null, against?.best.price ?? null);

/** The best level alone as a list; empty without a side. */
export const bestOnly = (side: ShownSide | null): PriceList =>
  side === null ? [] : [side.best.price, NO_MINIMUM, side.best.maxMicros];
