/** The recorded books of an event, without any order of ours. */
import { probabilityOf } from '../domain/odds.ts';
import { priceOf } from '../domain/ladder.ts';
import { OP, type Updates } from '../research/tape.ts';
import type { FairOptions } from './options.ts';
import type { Reason } from './steps.ts';
import { clearSide, emptySide, setLevel, type Side, touchOf } from './touch.ts';

/** The part of a selection's fair value that its own book decides. */
export interface BookState {
  /** In log-odds; null without two sides. */
  readonly mid: number | null;
  readonly width: number;
  /** Null for a book that is good enough. */
  readonly why: Reason | null;
  /** Without two sides: how likely the selection may be, by the best price of takers `for`. */
  readonly atMost: number;
}

interface Book {
  readonly for: Side;
  readonly against: Side;
}

/** The books of so many selections. */
export class RecordedBooks {
  readonly #books: readonly Book[];
  readonly #options: FairOptions;

  constructor(selections: number, options: FairOptions) {
    this.#options = options;
    this.#books = Array.from({ length: selections }, () => ({
      for: emptySide('for'),
      against: emptySide('against'),
    }));
  }

  /** Applies an update of a selection. Trades say nothing of what rests: the levels of their instant do. */
  apply({ op, of, tick, micros }: Updates, at: number): void {
    const book = this.#books[of[at] as number] as Book;
    const kind = op[at];
    if (kind === OP.restingFor) setLevel(book.for, tick[at] as number, micros[at] as number);
    else if (kind === OP.restingAgainst) setLevel(book.against, tick[at] as number, micros[at] as number);
    else if (kind === OP.clear) {
      clearSide(book.for);
      clearSide(book.against);
    }
  }

  /** The very state of before if it is the same. */
  state(selection: number, before: BookState | null): BookState {
    const { for: forSide, against } = this.#books[selection] as Book;
    const { riskMicros, width: mostWidth } = this.#options;
    const [back, lay] = [touchOf(against, riskMicros), touchOf(forSide, riskMicros)];
    if (back === null || lay === null) {
      const atMost = back === null ? 1 : probabilityOf(priceOf(against.best));
      return before?.mid === null && before.atMost === atMost
        ? before
        : { mid: null, width: 0, why: 'a side is empty', atMost };
    }
    const width = back.logOdds - lay.logOdds;
    const isDeep = back.isDeep && lay.isDeep;
    const why = reasonOf(isDeep, width, mostWidth);
    const mid = (back.logOdds + lay.logOdds) / 2;
    const isSame = before?.mid === mid && before.width === width && before.why === why;
    return isSame ? before : { mid, width, why, atMost: 0 };
  }
}

function reasonOf(isDeep: boolean, width: number, mostWidth: number): Reason | null {
  if (!isDeep) return 'a side is thin';
  if (width < 0) return 'the sides cross';
  return width > mostWidth ? 'the sides are far apart' : null;
}
