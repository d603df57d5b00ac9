/** Reads the lines of one file into its markets. */
import { BoundPassed } from '../lib/foreign-text.ts';
import { reasonOf } from '../lib/reason.ts';
import { MarketFold, type MarketListener } from './market-fold.ts';
import { NotUnderstood, readLine } from './message.ts';

/** Lines that are no change of a market, by their kind. */
export type LineKinds = ReadonlyMap<string, { readonly count: number; readonly first: string }>;

export class FileReading<Listener extends MarketListener> {
  readonly file: string;
  /** Messages of changes. */
  messages = 0;
  readonly #newMarket: (marketId: string) => Listener;
  readonly #markets = new Map<string, { readonly fold: MarketFold; readonly listener: Listener }>();
  readonly #otherKinds = new Map<string, { count: number; first: string }>();
  #line = 0;
  #firstMs = 0;
  #lastMs = 0;

  /** `newMarket` is called once for each market of the file; if it throws, its line is not understood. */
  constructor(file: string, newMarket: (marketId: string) => Listener) {
    [this.file, this.#newMarket] = [file, newMarket];
  }

  get lines(): number {
    return this.#line;
  }

  /** The instants of the first and the last message. */
  get spanMs(): readonly [firstMs: number, lastMs: number] {
    return [this.#firstMs, this.#lastMs];
  }

  /** Lines of other kinds, such as heartbeats, and those that were left out. */
  get otherKinds(): LineKinds {
    return this.#otherKinds;
  }

  /** Each market of the file. */
  get markets(): ReadonlyMap<string, { readonly fold: MarketFold; readonly listener: Listener }> {
    return this.#markets;
  }

  /** Reads the next line. Throws NotUnderstood if it cannot be read, or runs backwards. */
  read(text: string): void {
    this.#line++;
    if (text.trim() === '') return;
    const message = readLine(text);
    if (typeof message === 'string') return this.#count(message, message);
    const { atMs, changes } = message;
    if (atMs < this.#lastMs) throw backwards(this.#lastMs, atMs);
    if (this.messages === 0) this.#firstMs = atMs;
    this.#lastMs = atMs;
    this.messages++;
    for (const change of changes) this.#foldOf(change.id).apply(change, atMs);
  }

  /** The line that was read last is left out. */
  leaveOut(error: NotUnderstood): void {
    this.#count(error.kind, `line ${this.#line}: ${error.message}`);
  }

  /** The fault, with the line. */
  placed(error: unknown): string {
    // A line that is too long never came: the reader names it.
    const isNamed = error instanceof BoundPassed && error.message.startsWith('line ');
    const where = isNamed || this.#line === 0 ? this.file : `${this.file}, line ${this.#line}`;
    return `${where}${isNamed ? ', ' : ': '}${reasonOf(error)}`;
  }

  #foldOf(marketId: string): MarketFold {
    const known = this.#markets.get(marketId);
    if (known !== undefined) return known.fold;
    const listener = this.#newMarket(marketId);
    const fold = new MarketFold(marketId, listener);
    this.#markets.set(marketId, { fold, listener });
    return fold;
  }

  #count(kind: string, first: string): void {
    const known = this.#otherKinds.get(kind);
    if (known === undefined) this.#otherKinds.set(kind, { count: 1, first });
    else known.count++;
  }
}

const backwards = (fromMs: number, toMs: number): NotUnderstood =>
  new NotUnderstood(
    'pt',
    `pt: the clock runs backwards, from ${fromMs} to ${toMs}; sort the lines by pt first`,
  );

/** The kinds in one sentence, such as `3 status, 1 connection`. */
export const kindsText = (kinds: LineKinds): string =>
  Array.from(kinds, ([kind, { count, first }]) =>
    first === kind ? `${count} ${kind}` : `${count} ${kind} (the first: ${first})`,
  ).join(', ');
