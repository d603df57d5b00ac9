/** A recorded file in memory: its markets, and what happened in them, packed in columns. */
import type { MarketDefinition } from '../../../betfair/definition.ts';
import { FileReading, type LineKinds } from '../../../betfair/file-reading.ts';
import type { FoldedMarket, MarketListener } from '../../../betfair/market-fold.ts';
import { NotUnderstood } from '../../../betfair/message.ts';

/** A change that is a definition: `of` is its position in `RecordedMarket.definitions`. The others are `BOOK_CHANGE`. */
export const DEFINED = 4;

/** All that happened, in its order; all columns have one length. */
export interface Rows {
  /** Recorded instants. */
  readonly atMs: readonly number[];
  /** Position in `Recording.markets`. */
  readonly market: readonly number[];
  readonly change: readonly number[];
  readonly of: readonly number[];
  readonly tick: readonly number[];
  readonly micros: readonly number[];
}

export interface RecordedMarket {
  readonly folded: FoldedMarket;
  /** In their order. A market that reopens was not over: only its last end is one. */
  readonly definitions: readonly MarketDefinition[];
}

export interface Recording {
  /** Null for a market that the file never defines. */
  readonly markets: readonly (RecordedMarket | null)[];
  readonly rows: Rows;
  /** The instants of the first and the last message. */
  readonly spanMs: readonly [firstMs: number, lastMs: number];
  /** Lines that are no changes of a market, by their kind, and those that were left out because they are not understood. */
  readonly otherLines: LineKinds;
}

type Columns = { -readonly [K in keyof Rows]: number[] };

/** Takes the changes of one market into the columns of its file. */
class MarketRows implements MarketListener {
  readonly definitions: MarketDefinition[] = [];
  readonly #columns: Columns;
  readonly #market: number;

  constructor(columns: Columns, market: number) {
    [this.#columns, this.#market] = [columns, market];
  }

  push(atMs: number, change: number, of: number, tick: number, micros: number): void {
    this.#columns.atMs.push(atMs);
    this.#columns.market.push(this.#market);
    this.#columns.change.push(change);
    this.#columns.of.push(of);
    this.#columns.tick.push(tick);
    this.#columns.micros.push(micros);
  }

  defined(atMs: number, definition: MarketDefinition): void {
    this.push(atMs, DEFINED, this.definitions.push(definition) - 1, 0, 0);
  }
}

/** Collects the lines of a file. A line that is not understood is counted and left out. */
export class RecordingReader {
  readonly #columns: Columns = { atMs: [], market: [], change: [], of: [], tick: [], micros: [] };
  readonly #reading: FileReading<MarketRows>;
  #markets = 0;

  constructor(file: string) {
    this.#reading = new FileReading(file, () => new MarketRows(this.#columns, this.#markets++));
  }

  read(lines: readonly string[]): void {
    for (const line of lines) {
      try {
        this.#reading.read(line);
      } catch (error) {
        if (!(error instanceof NotUnderstood)) throw error;
        this.#reading.leaveOut(error);
      }
    }
  }

  recording(): Recording {
    return {
      markets: Array.from(this.#reading.markets.values(), ({ fold, listener: { definitions } }) => {
        const folded = fold.folded();
        return folded === null ? null : { folded, definitions: withLastEnd(definitions) };
      }),
      rows: this.#columns,
      spanMs: this.#reading.spanMs,
      otherLines: this.#reading.otherKinds,
    };
  }
}

function withLastEnd(definitions: readonly MarketDefinition[]): MarketDefinition[] {
  const last = definitions.findLastIndex(({ status }) => status !== 'CLOSED');
  return definitions.map((definition, at) =>
    at < last && definition.status === 'CLOSED' ? { ...definition, status: 'SUSPENDED' } : definition,
  );
}
