import { describe, expect, it } from 'vitest';
import { MarketFacts } from '../../../src/research/facts/table.ts';
import { modelledEvening } from '../../../src/research/tapes/modelled.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 3, 17);

/** What takers paid and makers kept in the play of a few modelled matches, in log-odds. */
function paid(sport: string): { effective: number; kept: number } {
  const facts = new MarketFacts();
  for (let day = 1; day <= 4; day++) {
    const tapes = modelledEvening({
      seed: day,
      startMs: START_MS + day * 24 * 60 * MINUTE_MS,
      eveningMs: 300 * MINUTE_MS,
      events: 1,
      leadMinutes: 0,
      marketTypes: [],
      isCutOff: true,
      programme: { opening: [[sport, 5]], sequence: [] },
    });
    for (const tape of tapes) facts.add(tape);
  }
  const all = facts.facts();
  const of = (name: string): number =>
    all.find(({ figure, phase }) => figure === name && phase === 'in play')?.value ?? NaN;
  return { effective: of('effective half'), kept: of('realised half after 10 s') };
}

describe('the modelled market in play', () => {
  it('leaves makers less than half of what takers pay, as recorded markets do', () => {
    const { effective, kept } = paid('cricket');
    expect(effective).toBeGreaterThan(0.02);
    expect(kept).toBeLessThan(effective / 2);
  });
});
