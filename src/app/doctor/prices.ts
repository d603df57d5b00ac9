import { existsSync } from 'node:fs';
import { recordedConvention } from '../../engine/convention/journalled.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Config } from '../config/load.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { lastProof, proofBeside } from '../prove/proof-file.ts';

const HOUR_MS = 3_600_000;

/** What is known of the prices of `against` markets: as configured, as an earlier run proved, and as `touchline prove` found. */
export function knownPrices({ exchange, journal: { path } }: Config, clock: Clock): string {
  const recorded = path === '' || !existsSync(path) ? null : readJournal(path, clock, recordedConvention);
  const written =
    recorded === null
      ? 'nothing in the journal'
      : `${recorded.convention} in the journal, ${recorded.how === 'stream' ? 'proven from the stream' : 'as configured then'}`;
  const proof = lastProof(proofBeside(path));
  const proved =
    proof === null
      ? 'never examined by "touchline prove"'
      : `${proof.convention ?? 'nothing'} found by "touchline prove" ${ageOf(clock.wallMs() - proof.atMs)} ago`;
  return `exchange.againstPrices is "${exchange.againstPrices}"; ${written}; ${proved}`;
}

const ageOf = (ms: number): string =>
  ms < 2 * DAY_MS ? `${Math.max(0, Math.floor(ms / HOUR_MS))} h` : `${Math.floor(ms / DAY_MS)} days`;
