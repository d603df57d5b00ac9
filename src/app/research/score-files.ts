import { RecordingError } from '../../domain/errors.ts';
import type { LinesOfFile } from '../../research/import/betfair.ts';
import { ScoreLines } from '../../research/scores.ts';
import type { EventTape, TapeScore } from '../../research/tape.ts';
import { filesUnder, linesOf } from './market-files.ts';

type ScoresOfMarkets = ReadonlyMap<string, readonly TapeScore[]>;

/** The scores in Betfair's score files, by the id of the market. Rejects with RecordingError for a file without any. */
export async function scoresIn(paths: readonly string[]): Promise<ScoresOfMarkets> {
  const found = new Map<string, readonly TapeScore[]>();
  for (const path of await filesUnder(paths))
    for await (const file of linesOf(path))
      for (const [marketId, scores] of await marketsIn(file)) found.set(marketId, scores);
  return found;
}

async function marketsIn({ file, lines }: LinesOfFile): Promise<ScoresOfMarkets> {
  const reading = new ScoreLines();
  for await (const batch of lines) for (const line of batch) reading.line(line);
  const markets = reading.byMarket();
  if (markets.size > 0) return markets;
  const expected = 'lines of Betfair\'s score stream ("op":"ccm") are expected';
  throw new RecordingError(`${file} has no scores: ${expected}, and ${reading.skipped} lines are others`, {
    path: file,
  });
}

/** Adds its scores to a tape: those of the first of its markets with scores. */
export const withScores =
  (byMarket: ScoresOfMarkets) =>
  (tape: EventTape): EventTape => {
    const scores = tape.markets
      .map(({ marketId }) => byMarket.get(marketId))
      .find((each) => each !== undefined);
    return scores === undefined ? tape : { ...tape, scores };
  };
