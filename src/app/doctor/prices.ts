import { existsSync } from 'node:fs';
import { recordedConvention } from '../../engine/convention/journalled.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Config } from '../config/load.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { lastProof, proofBeside, proofLine } from '../prove/proof-file.ts';

/** What is known of the prices of `against` markets: as configured, as an earlier run proved, and as `touchline prove` found. */
export function knownPrices({ exchange, journal: { path } }: Config, clock: Clock): string {
  const recorded = path === '' || !existsSync(path) ? null : readJournal(path, clock, recordedConvention);
  const written =
    recorded === null
      ? 'nothing in the journal'
      : `${recorded.convention} in the journal, ${recorded.how === 'stream' ? 'proven from the stream' : 'as configured then'}`;
  const proved = `last proof: ${proofLine(lastProof(proofBeside(path)), clock.wallMs())}`;
  return `exchange.againstPrices is "${exchange.againstPrices}"; ${written}; ${proved}`;
}
