import { createHash } from 'node:crypto';
import { ImportRemarks } from '../../research/import/remarks.ts';
import { fillRemarks } from '../../research/remarks.ts';
import type { Coverage } from '../../research/result.ts';
import { type EventTape, OP } from '../../research/tape.ts';
import { scoresIn, withScores } from './score-files.ts';
import { eventsUnder, type OnRead } from './tapes.ts';

/** Market data for a backtest. */
export interface MarketData {
  /** By scheduled start; each call begins anew. */
  readonly tapes: () => AsyncIterable<EventTape>;
  readonly coverage: Coverage;
}

/** The part of the data that is read. */
export interface MarketDataOptions {
  /** The tapes that count; all without it. */
  readonly isWanted?: (tape: EventTape) => boolean;
  /** Files with the scores of the matches. */
  readonly scores?: readonly string[] | undefined;
  readonly onRead?: OnRead | undefined;
}

/** Reads the data, and the scores of its matches from files of their own. Rejects with RecordingError, naming the file. */
export async function marketData(
  paths: readonly string[],
  { isWanted = () => true, scores = [], onRead }: MarketDataOptions = {},
): Promise<MarketData> {
  const scored = withScores(await scoresIn(scores));
  const events = await eventsUnder(paths, onRead);
  const gathered = new ImportRemarks();
  const coverage = new CoverageOfTapes();
  for await (const event of events()) {
    gathered.add(event);
    for (const tape of event.tapes.filter(isWanted)) coverage.add(scored(tape));
  }
  return {
    async *tapes() {
      for await (const { tapes } of events()) yield* tapes.filter(isWanted).map(scored);
    },
    coverage: coverage.of(paths, gathered.remarks()),
  };
}

/** Sums up tapes as they pass. */
export class CoverageOfTapes {
  readonly #hash = createHash('sha256');
  readonly #tapes: Pick<EventTape, 'hasTrades'>[] = [];
  #events = 0;
  #selections = 0;
  #fromMs = Infinity;
  #toMs = -Infinity;
  #updates = 0;
  #trades = 0;
  #gapMs = 0;

  add(tape: EventTape): void {
    const { updates, gaps, ...names } = tape;
    this.#tapes.push({ hasTrades: tape.hasTrades });
    this.#hash.update(JSON.stringify(names));
    for (const column of [updates.atMs, updates.op, updates.of, updates.tick, updates.micros])
      this.#hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    this.#events++;
    this.#selections += tape.selections.length;
    this.#fromMs = Math.min(this.#fromMs, updates.atMs[0] ?? Infinity);
    this.#toMs = Math.max(this.#toMs, updates.atMs[updates.length - 1] ?? -Infinity);
    this.#updates += updates.length;
    for (const op of updates.op) if (op === OP.tradedFor || op === OP.tradedAgainst) this.#trades++;
    for (const { fromMs, toMs } of gaps) this.#gapMs += toMs - fromMs;
  }

  of(sources: readonly string[], remarks: readonly string[]): Coverage {
    return {
      sources,
      events: this.#events,
      selections: this.#selections,
      fromMs: this.#fromMs,
      toMs: this.#toMs,
      updates: this.#updates,
      trades: this.#trades,
      gapMs: this.#gapMs,
      remarks: [...remarks, ...fillRemarks(this.#tapes)],
      dataHash: this.#hash.digest('hex'),
    };
  }
}
