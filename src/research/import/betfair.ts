/** Reads Betfair's historical files, line by line, into markets and updates. */
import { RecordingError } from '../../domain/errors.ts';
import { BoundPassed, foreignJson } from '../../lib/foreign-text.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Updates } from '../tape.ts';
import { type ImportedMarket, MarketImport, type RawChange } from './market-import.ts';

/** A file with its lines, in portions as they are read. */
export interface LinesOfFile {
  readonly file: string;
  readonly lines: AsyncIterable<readonly string[]>;
}

/**
 * Takes what an import reads. `source` numbers the files, from 1. Updates of a market count once `market` was called for it with the
 * same source: a file that turns out to be bad leaves none.
 */
export interface ImportSink {
  updates(source: number, marketId: string, updates: Updates): Promise<void>;
  market(source: number, market: ImportedMarket): Promise<void>;
}

export interface FileSummary {
  readonly file: string;
  readonly lines: number;
  /** Lines that are messages of another kind, such as heartbeats. */
  readonly otherLines: number;
  readonly markets: number;
  /** Markets that the file never defines: nobody knows what they are. */
  readonly undefinedMarkets: readonly string[];
}

/** More updates of one market than this are handed on at once, so that memory does not grow with the file. */
const PORTION = 65_536;

interface Message {
  readonly op?: unknown;
  readonly pt?: unknown;
  readonly mc?: readonly RawChange[];
}

/** Imports files; a market stands in one file only. */
export class BetfairImport {
  readonly #sink: ImportSink;
  /** The file of each market. */
  readonly #fileOf: Map<string, string>;
  #source = 0;

  /** `known`: markets that were imported before, with where they stand. */
  constructor(sink: ImportSink, known: ReadonlyMap<string, string> = new Map()) {
    this.#sink = sink;
    this.#fileOf = new Map(known);
  }

  /**
   * Imports a file. Rejects with RecordingError, naming file and line, if it cannot be read, is of another format, runs backwards, or
   * has a market of another file. Its markets are then not imported, unless `partial`: then those lines count that stand before.
   */
  async read({ file, lines }: LinesOfFile, partial = false): Promise<FileSummary> {
    const reading = new FileReading(file, ++this.#source, this.#fileOf, this.#sink);
    try {
      for await (const portion of lines) await reading.portion(portion);
    } catch (error) {
      if (!partial || reading.messages === 0) {
        reading.forget();
        throw reading.errorOf(error);
      }
    }
    return reading.end();
  }
}

class FileReading {
  readonly #file: string;
  readonly #source: number;
  readonly #fileOf: Map<string, string>;
  readonly #sink: ImportSink;
  readonly #markets = new Map<string, MarketImport>();
  #line = 0;
  #otherLines = 0;
  #lastMs = 0;
  messages = 0;

  constructor(file: string, source: number, fileOf: Map<string, string>, sink: ImportSink) {
    this.#file = file;
    this.#source = source;
    this.#fileOf = fileOf;
    this.#sink = sink;
  }

  async portion(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      this.#line++;
      if (line !== '') this.#message(foreignJson(line) as Message | null);
    }
    for (const [marketId, market] of this.#markets)
      if (market.waiting >= PORTION) await this.#sink.updates(this.#source, marketId, market.drain());
  }

  async end(): Promise<FileSummary> {
    const undefinedMarkets: string[] = [];
    if (this.messages === 0) {
      const what = this.#line === 0 ? 'is empty' : 'has no message of the Betfair stream format (op mcm)';
      throw this.errorOf(new Error(what));
    }
    for (const [marketId, market] of this.#markets) {
      const imported = market.imported();
      if (imported === null) {
        undefinedMarkets.push(marketId);
        continue;
      }
      if (market.waiting > 0) await this.#sink.updates(this.#source, marketId, market.drain());
      await this.#sink.market(this.#source, imported);
    }
    const markets = this.#markets.size - undefinedMarkets.length;
    return { file: this.#file, lines: this.#line, otherLines: this.#otherLines, markets, undefinedMarkets };
  }

  /** The file does not count: its markets may come from another. */
  forget(): void {
    for (const marketId of this.#markets.keys()) this.#fileOf.delete(marketId);
  }

  errorOf(error: unknown): RecordingError {
    // A line that is too long never came: the reader names it.
    const isNamed = error instanceof BoundPassed && error.message.startsWith('line ');
    const where = isNamed || this.#line === 0 ? this.#file : `${this.#file}, line ${this.#line}`;
    return new RecordingError(`${where}${isNamed ? ', ' : ': '}${reasonOf(error)}`, { path: this.#file });
  }

  #message(message: Message | null): void {
    const { op, pt, mc } = message ?? {};
    if (op !== 'mcm') {
      this.#otherLines++;
      return;
    }
    if (typeof pt !== 'number' || !(pt > 0)) throw new Error('pt: is not an instant in milliseconds');
    if (pt < this.#lastMs)
      throw new Error(
        `pt: the clock runs backwards, from ${this.#lastMs} to ${pt}; sort the lines by pt first`,
      );
    this.#lastMs = pt;
    this.messages++;
    for (const change of mc ?? []) this.#marketOf(change.id).apply(change, pt);
  }

  #marketOf(marketId: string): MarketImport {
    const known = this.#markets.get(marketId);
    if (known !== undefined) return known;
    const other = this.#fileOf.get(marketId);
    if (other !== undefined)
      throw new Error(`market ${marketId} was imported already, from ${other}; leave one of the two out`);
    if (typeof marketId !== 'string' || marketId === '') throw new Error('mc.id: is not the id of a market');
    const market = new MarketImport(marketId);
    this.#markets.set(marketId, market);
    this.#fileOf.set(marketId, this.#file);
    return market;
  }
}
