/** Imports Betfair's historical files, line by line, as markets and updates. */
import { FileReading, type LineKinds } from '../../betfair/file-reading.ts';
import { NotUnderstood } from '../../betfair/message.ts';
import { RecordingError } from '../../domain/errors.ts';
import type { Updates } from '../tape.ts';
import { type ImportedMarket, MarketImport } from './market-import.ts';

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
  readonly otherLines: LineKinds;
  readonly markets: number;
  /** Markets that the file never defines: nobody knows what they are. */
  readonly undefinedMarkets: readonly string[];
  /** The damage behind which nothing was read; null for a whole file. */
  readonly cut: string | null;
}

/** More updates of one market than this are handed on at once, so that memory does not grow with the file. */
const PORTION = 65_536;

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
    const source = ++this.#source;
    const reading = new FileReading(file, (marketId) => this.#newMarket(marketId, file));
    let cut: string | null = null;
    try {
      for await (const portion of lines) await this.#portion(reading, source, portion);
      if (reading.messages === 0) throw new Error(nothingIn(reading.lines));
    } catch (error) {
      cut = reading.placed(error);
      if (!partial || reading.messages === 0) {
        // The file does not count: its markets may come from another.
        for (const marketId of reading.markets.keys()) this.#fileOf.delete(marketId);
        throw new RecordingError(cut, { path: file });
      }
    }
    return this.#end(reading, source, cut);
  }

  async #portion(
    reading: FileReading<MarketImport>,
    source: number,
    lines: readonly string[],
  ): Promise<void> {
    for (const line of lines) reading.read(line);
    for (const [marketId, { listener }] of reading.markets)
      if (listener.waiting >= PORTION) await this.#sink.updates(source, marketId, listener.drain());
  }

  async #end(reading: FileReading<MarketImport>, source: number, cut: string | null): Promise<FileSummary> {
    const undefinedMarkets: string[] = [];
    for (const [marketId, { fold, listener }] of reading.markets) {
      const market = fold.folded();
      if (market === null) {
        undefinedMarkets.push(marketId);
        continue;
      }
      if (listener.waiting > 0) await this.#sink.updates(source, marketId, listener.drain());
      await this.#sink.market(source, { ...market, counts: { ...market.counts, ...listener.counts } });
    }
    const { file, lines, otherKinds: otherLines } = reading;
    const markets = reading.markets.size - undefinedMarkets.length;
    return { file, lines, otherLines, markets, undefinedMarkets, cut };
  }

  #newMarket(marketId: string, file: string): MarketImport {
    const other = this.#fileOf.get(marketId);
    if (other !== undefined)
      throw new NotUnderstood(
        'mc.id',
        `market ${marketId} was imported already, from ${other}; leave one of the two out`,
      );
    this.#fileOf.set(marketId, file);
    return new MarketImport();
  }
}

const nothingIn = (lines: number): string =>
  lines === 0 ? 'is empty' : 'has no message of the Betfair stream format (op mcm)';
