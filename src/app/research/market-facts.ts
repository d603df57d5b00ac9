/** The facts of markets: recorded ones, and evenings of the modelled one. */
import { integerBetween, seededRandom } from '../../lib/random.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type Fact, MarketFacts } from '../../research/facts/table.ts';
import { modelledEvening } from '../../research/tapes/modelled.ts';
import { marketData } from './market-data.ts';

export interface FactsChoice {
  readonly data: readonly string[];
  /** Evenings of the modelled market, each on a day of its own. */
  readonly evenings: number;
  readonly seed: number;
}

const FIRST_EVENING_MS = Date.UTC(2026, 0, 3, 17);
const EVENING_MS = 5 * 3_600_000;
const EVENTS = 6;
const LEAD_MINUTES = 60;

/** Rejects with RecordingError, naming the file. */
export async function marketFacts({ data, evenings, seed }: FactsChoice): Promise<readonly Fact[]> {
  const facts = new MarketFacts();
  for await (const tape of (await marketData(data)).tapes()) facts.add(tape);
  for (let evening = 0; evening < evenings; evening++) {
    const tapes = modelledEvening({
      seed: integerBetween(seededRandom(seed, `evening ${evening}`), 0, 2 ** 31 - 1),
      startMs: FIRST_EVENING_MS + evening * DAY_MS,
      eveningMs: EVENING_MS,
      events: EVENTS,
      leadMinutes: LEAD_MINUTES,
      marketTypes: [],
    });
    for (const tape of tapes) facts.add(tape);
  }
  return facts.facts();
}
