import { createHash } from 'node:crypto';
import { fillRemarks } from '../../research/remarks.ts';
import type { Coverage } from '../../research/result.ts';
import type { EventTape } from '../../research/tape.ts';
import { OP } from '../../research/tape.ts';
import { tapesOfFiles } from './tapes.ts';

/** Market data for a backtest. */
export interface MarketData {
  /** By scheduled start; each call begins anew. */
  readonly tapes: () => AsyncIterable<EventTape>;
  readonly coverage: Coverage;
}

/** Reads the data. Rejects with RecordingError, naming the file. */
export async function marketData(paths: readonly string[]): Promise<MarketData> {
  const { tapes, leftOut, remarks } = await tapesOfFiles(paths);
  const left = leftOut.map(
    ({ marketType, why, markets, selections }) =>
      `left out: ${marketType}, ${selections} selections of ${markets} markets: ${why}`,
  );
  const each = async function* (): AsyncGenerator<EventTape> {
    yield* tapes;
  };
  return { tapes: each, coverage: coverageOf(paths, tapes, [...remarks, ...left, ...fillRemarks(tapes)]) };
}

function coverageOf(
  sources: readonly string[],
  tapes: readonly EventTape[],
  remarks: readonly string[],
): Coverage {
  const hash = createHash('sha256');
  let [fromMs, toMs, updates, trades, gapMs] = [Infinity, -Infinity, 0, 0, 0];
  for (const { updates: columns, gaps, ...names } of tapes) {
    hash.update(JSON.stringify(names));
    for (const column of [columns.atMs, columns.op, columns.of, columns.tick, columns.micros])
      hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    fromMs = Math.min(fromMs, columns.atMs[0] ?? Infinity);
    toMs = Math.max(toMs, columns.atMs[columns.length - 1] ?? -Infinity);
    updates += columns.length;
    for (const op of columns.op) if (op === OP.tradedFor || op === OP.tradedAgainst) trades++;
    gapMs += gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
  }
  return {
    sources,
    events: tapes.length,
    selections: tapes.reduce((sum, { selections }) => sum + selections.length, 0),
    fromMs,
    toMs,
    updates,
    trades,
    gapMs,
    remarks,
    dataHash: hash.digest('hex'),
  };
}
