import type { EventTape } from '../../research/tape.ts';
import { BetfairImport } from '../../research/import/betfair.ts';
import type { LeftOut } from '../../research/import/event-import.ts';
import { MarketsInMemory } from '../../research/tapes/in-memory.ts';
import { filesUnder, linesOf } from './market-files.ts';

export interface TapesOfFiles {
  /** By their scheduled start. */
  readonly tapes: readonly EventTape[];
  readonly leftOut: readonly LeftOut[];
  readonly remarks: readonly string[];
}

/** The tapes of Betfair's files, all in memory. Rejects with RecordingError, naming file and line. */
export async function tapesOfFiles(paths: readonly string[]): Promise<TapesOfFiles> {
  const markets = new MarketsInMemory();
  const reading = new BetfairImport(markets);
  for (const file of await filesUnder(paths))
    for await (const lines of linesOf(file)) await reading.read(lines);
  const events = markets.events();
  return {
    tapes: events.flatMap(({ tapes }) => tapes),
    leftOut: events.flatMap(({ leftOut }) => leftOut),
    remarks: events.flatMap(({ remarks }) => remarks),
  };
}
