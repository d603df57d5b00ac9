import { isBetter, SELECTION_KINDS } from '../../../domain/odds.ts';
import { type Direction, opposite } from '../../../domain/selection.ts';
import type { FlatLevels, RunnerChange } from './message.ts';

/** Size per price. */
export type Ladder = Map<number, number>;

/** Stake matched at one price, against stake that rested in direction `resting`. */
export interface RecordedTrade {
  readonly resting: Direction;
  readonly price: number;
  /** Backers' stake, counted once. */
  readonly stake: number;
}

/** The recorded book of one runner. Available to back is resting `against` stake, available to lay resting `for`. */
export class RunnerBook {
  readonly resting: Readonly<Record<Direction, Ladder>> = { against: new Map(), for: new Map() };
  readonly #traded: Ladder = new Map();

  /** Returns the trades that a change adds, best price for the taker first. Updates the traded totals alone. */
  takeTrades(change: RunnerChange): RecordedTrade[] {
    const trades: RecordedTrade[] = [];
    forEachLevel(change.traded, (price, total) => {
      // Each bet is counted for both its sides. A total that fell is a correction, not a trade.
      const stake = (total - (this.#traded.get(price) ?? 0)) / 2;
      this.#traded.set(price, total);
      if (stake > 0) trades.push({ resting: this.#sideOf(price), price, stake });
    });
    return trades.sort(inTakersOrder);
  }

  /** Sets the sizes of a direction, and returns the prices that changed. */
  setLevels(direction: Direction, levels: FlatLevels): number[] {
    const ladder = this.resting[direction];
    const changed: number[] = [];
    forEachLevel(levels, (price, size) => {
      if (size === (ladder.get(price) ?? 0)) return;
      if (size === 0) ladder.delete(price);
      else ladder.set(price, size);
      changed.push(price);
    });
    return changed;
  }

  /** Empties the book, as before an image is read. Returns the prices that were there. */
  clear(): Record<Direction, number[]> {
    const gone = { for: [...this.resting.for.keys()], against: [...this.resting.against.keys()] };
    this.resting.for.clear();
    this.resting.against.clear();
    this.#traded.clear();
    return gone;
  }

  /** The side that was taken: the one whose best price is at least as good as the trade's, else the nearer one. */
  #sideOf(price: number): Direction {
    const back = bestOf('for', this.resting.against);
    const lay = bestOf('against', this.resting.for);
    if (back === null || lay === null) return lay === null ? 'against' : 'for';
    if (price <= back) return 'against';
    if (price >= lay) return 'for';
    return price / back <= lay / price ? 'against' : 'for';
  }
}

function inTakersOrder(a: RecordedTrade, b: RecordedTrade): number {
  if (a.resting !== b.resting) return a.resting < b.resting ? -1 : 1;
  return isBetter(SELECTION_KINDS[opposite(a.resting)], a.price, b.price) ? -1 : 1;
}

/** The best price for a taker in this direction; null in an empty ladder. */
function bestOf(taker: Direction, ladder: Ladder): number | null {
  let best: number | null = null;
  for (const price of ladder.keys())
    if (best === null || isBetter(SELECTION_KINDS[taker], price, best)) best = price;
  return best;
}

function forEachLevel(levels: FlatLevels, run: (price: number, size: number) => void): void {
  for (let at = 0; at + 1 < levels.length; at += 2) run(levels[at] as number, levels[at + 1] as number);
}
