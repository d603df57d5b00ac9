import { UpdateColumns } from '../columns.ts';
import { MARKET_STATE, OP, type Updates } from '../tape.ts';
import { type MarketDefinition, type RunnerDefinition, readDefinition } from './definition.ts';
import { type Levels, type Liberties, type RankedLevels, RunnerBook } from './runner-book.ts';

/** A market's part of a message, as JSON has it. */
export interface RawChange {
  readonly id: string;
  readonly img?: boolean;
  readonly marketDefinition?: unknown;
  readonly rc?: readonly RawRunner[];
}

interface RawRunner {
  readonly id: number;
  readonly hc?: number | null;
  readonly atb?: Levels;
  readonly atl?: Levels;
  readonly batb?: RankedLevels;
  readonly batl?: RankedLevels;
  readonly trd?: Levels;
  readonly ltp?: number;
}

/** What a market's messages held. */
export interface Counts extends Liberties {
  levels: number;
  trades: number;
  /** Changes of a last traded price. */
  lastPrices: number;
  /** Images after the first: the file lacks what happened before them. */
  newImages: number;
  /** Whether only the best levels were recorded. */
  ranked: boolean;
}

/** A market of a file, after its last line. Its updates stand beside it. */
export interface ImportedMarket {
  readonly marketId: string;
  /** The last definition: with the runners' results if the market closed. */
  readonly definition: MarketDefinition;
  /** The runners by the `of` of the updates. One that left the definition has its last description. */
  readonly runners: readonly RunnerDefinition[];
  readonly inPlayMs: number | null;
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly counts: Readonly<Counts>;
}

/** One number for a runner and its handicap, whose lines are quarters within ±500: texts would cost more to make. */
const keyOf = (runnerId: number, handicap: number): number =>
  runnerId * 4_096 + Math.round(handicap * 4) + 2_048;

/** Turns the messages of one market into updates. */
export class MarketImport {
  readonly #marketId: string;
  readonly #columns = new UpdateColumns();
  readonly #books = new Map<number, RunnerBook>();
  readonly #runners: RunnerDefinition[] = [];
  readonly #places = new Map<number, number>();
  readonly #gaps: { fromMs: number; toMs: number }[] = [];
  readonly #counts: Counts = {
    levels: 0,
    trades: 0,
    lastPrices: 0,
    newImages: 0,
    ranked: false,
    offLadder: 0,
    outside: 0,
    corrections: 0,
  };
  #definition: MarketDefinition | null = null;
  #state = -1;
  #betDelayMs = -1;
  #inPlayMs: number | null = null;
  #lastMs: number | null = null;

  constructor(marketId: string) {
    this.#marketId = marketId;
  }

  /** Throws Error, with the field's name, if the change is not readable. */
  apply(change: RawChange, atMs: number): void {
    const isImage = change.img === true;
    if (isImage) this.#image(atMs);
    if (change.marketDefinition !== undefined) this.#define(change.marketDefinition, atMs);
    if (change.rc !== undefined) this.#change(change.rc, isImage, atMs);
    this.#lastMs = atMs;
  }

  /** Updates that wait to be drained. */
  get waiting(): number {
    return this.#columns.length;
  }

  /** Takes the updates since the last call. */
  drain(): Updates {
    const updates = this.#columns.updates();
    this.#columns.clear();
    return updates;
  }

  /** The market so far; null without a definition. */
  imported(): ImportedMarket | null {
    if (this.#definition === null) return null;
    return {
      marketId: this.#marketId,
      definition: this.#definition,
      runners: this.#runners,
      inPlayMs: this.#inPlayMs,
      gaps: this.#gaps,
      counts: this.#counts,
    };
  }

  #image(atMs: number): void {
    if (this.#lastMs !== null) {
      this.#counts.newImages++;
      if (atMs > this.#lastMs) this.#gaps.push({ fromMs: this.#lastMs, toMs: atMs });
    }
    for (const book of this.#books.values()) book.clear(atMs, this.#columns);
  }

  #define(value: unknown, atMs: number): void {
    const [definition, why] = readDefinition(value);
    if (definition === null) throw new Error(why);
    this.#definition = definition;
    for (const runner of definition.runners)
      this.#runners[this.#placeOf(runner.runnerId, runner.handicap)] = runner;
    if (definition.inPlay) this.#inPlayMs ??= atMs;
    const state = stateOf(definition);
    if (state === this.#state && definition.betDelayMs === this.#betDelayMs) return;
    this.#state = state;
    this.#betDelayMs = definition.betDelayMs;
    this.#columns.push(atMs, OP.state, 0, state, definition.betDelayMs);
  }

  #change(runners: readonly RawRunner[], isImage: boolean, atMs: number): void {
    const before = this.#columns.length;
    for (const { id, hc, trd } of runners)
      if (trd !== undefined) this.#book(id, hc).trades(trd, isImage, atMs, this.#columns);
    this.#counts.trades += this.#columns.length - before;
    const levelsFrom = this.#columns.length;
    for (const runner of runners) this.#levels(runner, atMs);
    this.#counts.levels += this.#columns.length - levelsFrom;
  }

  #levels({ id, hc, atb, atl, batb, batl, ltp }: RawRunner, atMs: number): void {
    const book = this.#book(id, hc);
    if (atb !== undefined || atl !== undefined) book.levels(atb ?? [], atl ?? [], atMs, this.#columns);
    if (batb !== undefined || batl !== undefined) {
      this.#counts.ranked = true;
      book.ranks(batb ?? [], batl ?? [], atMs, this.#columns);
    }
    if (ltp !== undefined) this.#counts.lastPrices++;
  }

  #book(runnerId: number, handicap: number | null | undefined): RunnerBook {
    const key = keyOf(runnerId, handicap ?? 0);
    const known = this.#books.get(key);
    if (known !== undefined) return known;
    if (!Number.isSafeInteger(key)) throw new Error('rc.id: is not a number');
    const book = new RunnerBook(this.#placeOf(runnerId, handicap ?? 0), this.#counts);
    this.#books.set(key, book);
    return book;
  }

  #placeOf(runnerId: number, handicap: number): number {
    const key = keyOf(runnerId, handicap);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#runners.length;
    this.#places.set(key, place);
    this.#runners.push({ runnerId, handicap, name: null, status: 'ACTIVE', sortPriority: Infinity });
    return place;
  }
}

function stateOf({ status, inPlay }: MarketDefinition): number {
  if (status === 'CLOSED') return MARKET_STATE.closed;
  const state = status === 'OPEN' ? MARKET_STATE.open : MARKET_STATE.suspended;
  return inPlay ? state + MARKET_STATE.inPlay : state;
}
