import type { PriceConvention } from '../../src/domain/odds.ts';
import { splitBetType } from '../../src/domain/selection.ts';
import type { ComparedFill } from './compare.ts';
import type { ToldQuote } from './world.ts';

/** A price counts for this long. */
const FRESH_MS = 10_000;

const HORIZONS_MS = [10_000, 60_000] as const;

/** The fair prices of the undisturbed market, at every instant of a run. */
export class Fair {
  /** By selection, in the order of time. */
  readonly #prices: ReadonlyMap<string, readonly ToldQuote[]>;

  readonly #convention: PriceConvention;

  /** Rows in the order of time. */
  constructor(rows: readonly ToldQuote[], convention: PriceConvention) {
    this.#convention = convention;
    this.#prices = Map.groupBy(rows, ({ key }) => key);
  }

  /** The worth of a unit of a fill's stake 10 s and 60 s after it. */
  marks(fill: Pick<ComparedFill, 'event' | 'betType' | 'price' | 'atMs'>): ComparedFill['marks'] {
    const [ten, sixty] = HORIZONS_MS.map((afterMs) => this.#mark(fill, fill.atMs + afterMs));
    return [ten ?? null, sixty ?? null];
  }

  #mark(
    { event, betType, price }: Pick<ComparedFill, 'event' | 'betType' | 'price'>,
    atMs: number,
  ): number | null {
    const side = splitBetType(betType);
    const prices = this.#prices.get(`${event}|${side?.outcome ?? ''}`);
    const last = prices?.findLast(({ time }) => time <= atMs);
    if (side === null || last === undefined || atMs - last.time > FRESH_MS) return null;
    const chance = 1 / last.fair;
    if (side.direction === 'for') return price * chance - 1;
    return this.#convention === 'lay' ? 1 - price * chance : price * (1 - chance) - 1;
  }
}
