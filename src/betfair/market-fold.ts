/** One market as its messages tell it: its definition, its runners, their books and what happened in them. */
import { currencyRatio } from './currency.ts';
import { type MarketDefinition, type RunnerDefinition, readDefinition, runnerKey } from './definition.ts';
import { type MarketChange, NotUnderstood, type RunnerChange } from './message.ts';
import { type BookListener, type Liberties, RunnerBook } from './runner-book.ts';

/** Counts of what a market's messages held. */
export interface Counts extends Liberties {
  /** Images after the first that told something new: the file lacks what happened before them. */
  newImages: number;
  /** Changes that only the best levels of a market tell, or only what takers see. */
  ranked: boolean;
}

/** A runner that does not take part after all. */
export interface RunnerRemoval {
  readonly atMs: number;
  /** The runner's position among the market's. */
  readonly of: number;
  /** By how much the prices of the others fall, in percent; null where the file does not say. */
  readonly factor: number | null;
}

/** A market of a file, after its last line. */
export interface FoldedMarket {
  readonly marketId: string;
  /** The last definition: with the runners' results if the market closed. */
  readonly definition: MarketDefinition;
  /** The start that the first definition named: it does not move. */
  readonly scheduledMs: number;
  /** The runners by the `of` of the changes. */
  readonly runners: readonly RunnerDefinition[];
  readonly inPlayMs: number | null;
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** In the order in which they happened. */
  readonly removals: readonly RunnerRemoval[];
  readonly counts: Readonly<Counts>;
}

/** Told of what happens in a market. */
export interface MarketListener extends BookListener {
  /** The market has a definition, maybe the same as before. */
  defined(atMs: number, definition: MarketDefinition): void;
}

/** Where the levels of a market come from: a later one replaces an earlier one, and two never stand in one book. */
const SOURCE = { none: 0, takers: 1, ranks: 2, whole: 3 } as const;

export class MarketFold {
  readonly #marketId: string;
  readonly #listener: MarketListener;
  readonly #books = new Map<number, RunnerBook>();
  readonly #runners: RunnerDefinition[] = [];
  readonly #places = new Map<number, number>();
  readonly #gaps: { fromMs: number; toMs: number }[] = [];
  readonly #removals: RunnerRemoval[] = [];
  readonly #counts: Counts = { newImages: 0, ranked: false, offLadder: 0, outside: 0, corrections: 0 };
  #source: number = SOURCE.none;
  #definition: MarketDefinition | null = null;
  #scheduledMs = NaN;
  #inPlayMs: number | null = null;
  #lastMs: number | null = null;

  constructor(marketId: string, listener: MarketListener) {
    this.#marketId = marketId;
    this.#listener = listener;
  }

  /** Throws NotUnderstood, with the field's name, if the definition is not readable. Nothing has changed then. */
  apply(change: MarketChange, atMs: number): void {
    const { marketDefinition, rc } = change;
    if (marketDefinition !== undefined && marketDefinition !== null) this.#define(marketDefinition, atMs);
    const runners = rc ?? NOBODY;
    if (this.#source !== SOURCE.whole) this.#chooseSource(runners, atMs);
    if (change.img === true) this.#image(runners, atMs);
    else this.#changes(runners, atMs, false);
    this.#lastMs = atMs;
  }

  /** The market so far; null without a definition. */
  folded(): FoldedMarket | null {
    if (this.#definition === null) return null;
    return {
      marketId: this.#marketId,
      definition: this.#definition,
      scheduledMs: this.#scheduledMs,
      runners: this.#runners,
      inPlayMs: this.#inPlayMs,
      gaps: this.#gaps,
      removals: this.#removals,
      counts: this.#counts,
    };
  }

  /** An image tells all that is known from now on. Where it repeats everything, nothing was missed. */
  #image(runners: readonly RunnerChange[], atMs: number): void {
    if (this.#lastMs === null) return this.#changes(runners, atMs, true);
    for (const change of runners) this.#book(change);
    for (const book of this.#books.values()) book.beginImage();
    this.#changes(runners, atMs, true);
    let isNew = false;
    for (const book of this.#books.values()) isNew = book.endImage(atMs) || isNew;
    if (!isNew) return;
    this.#counts.newImages++;
    if (atMs > this.#lastMs) this.#gaps.push({ fromMs: this.#lastMs, toMs: atMs });
  }

  #define(value: unknown, atMs: number): void {
    const [definition, why] = readDefinition(this.#marketId, value, this.#definition);
    if (definition === null) throw new NotUnderstood(why.slice(0, why.indexOf(':')), why);
    if (this.#definition === null) this.#scheduledMs = definition.startMs;
    this.#definition = definition;
    for (const runner of definition.runners) {
      const place = this.#placeOf(runner.runnerId, runner.handicap);
      if (runner.status === 'REMOVED' && this.#runners[place]?.status !== 'REMOVED')
        this.#remove(place, runner, atMs);
      this.#runners[place] = runner;
    }
    if (definition.inPlay) this.#inPlayMs ??= atMs;
    this.#listener.defined(atMs, definition);
  }

  /** The file may tell of a removal later than it happened, and bets of the time between are not reduced. */
  #remove(of: number, { factor, removedMs }: RunnerDefinition, atMs: number): void {
    const removal = { atMs: Math.min(removedMs ?? atMs, atMs), of, factor };
    const before = this.#removals.findLastIndex((other) => other.atMs <= removal.atMs);
    this.#removals.splice(before + 1, 0, removal);
  }

  /** Trades first: they met the levels from before the message. Those of an image happened before, unseen. */
  #changes(runners: readonly RunnerChange[], atMs: number, isImage: boolean): void {
    const ratio = isImage ? null : currencyRatio(runners, (change) => this.#book(change));
    for (const change of runners)
      if (change.trd !== undefined && change.trd !== null) this.#book(change).trades(change.trd, atMs, ratio);
    for (const change of runners) this.#levels(change, atMs);
  }

  #levels(change: RunnerChange, atMs: number): void {
    const { atb, atl, batb, batl, bdatb, bdatl } = change;
    const book = this.#book(change);
    if (this.#source === SOURCE.whole) return book.levels(atb ?? NONE, atl ?? NONE, atMs);
    if (this.#source === SOURCE.ranks) return book.ranks(batb ?? NONE, batl ?? NONE, atMs);
    if (this.#source === SOURCE.takers) book.ranks(bdatb ?? NONE, bdatl ?? NONE, atMs);
  }

  /** Levels of a better source than so far count from now on, and no others. */
  #chooseSource(runners: readonly RunnerChange[], atMs: number): void {
    let best: number = this.#source;
    for (const change of runners) best = Math.max(best, sourceOf(change));
    if (best === this.#source) return;
    this.#source = best;
    this.#counts.ranked = best !== SOURCE.whole;
    for (const book of this.#books.values()) book.dropLevels(atMs);
  }

  #book({ id, hc }: RunnerChange): RunnerBook {
    const key = runnerKey(id, hc ?? 0);
    const known = this.#books.get(key);
    if (known !== undefined) return known;
    const book = new RunnerBook(this.#placeOf(id, hc ?? 0), this.#counts, this.#listener);
    this.#books.set(key, book);
    return book;
  }

  #placeOf(runnerId: number, handicap: number): number {
    const key = runnerKey(runnerId, handicap);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#runners.length;
    this.#places.set(key, place);
    this.#runners.push({
      runnerId,
      handicap,
      name: null,
      status: 'ACTIVE',
      sortPriority: Infinity,
      factor: null,
      removedMs: null,
      startingPrice: null,
    });
    return place;
  }
}

const NONE = [] as const;
const NOBODY: readonly RunnerChange[] = [];

function sourceOf({ atb, atl, batb, batl, bdatb, bdatl }: RunnerChange): number {
  if (hasLevels(atb) || hasLevels(atl)) return SOURCE.whole;
  if (hasLevels(batb) || hasLevels(batl)) return SOURCE.ranks;
  return hasLevels(bdatb) || hasLevels(bdatl) ? SOURCE.takers : SOURCE.none;
}

const hasLevels = (levels: readonly unknown[] | null | undefined): boolean =>
  levels !== undefined && levels !== null && levels.length > 0;
