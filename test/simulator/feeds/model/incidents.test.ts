import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/lib/time.ts';
import { eventKey } from '../../../../src/simulator/core/catalogue.ts';
import { createModelFeed, type Incident } from '../../../../src/simulator/feeds/model/index.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const LEAD_MS = [1_000, 10_000] as const;
const SPEED = 60;

/** Matches that begin at once, without makers and takers, to their end. */
function played(annulledShare: number) {
  const market = new RecordingMarket();
  const seen: Incident[] = [];
  const feed = createModelFeed({
    seed: 3,
    speed: SPEED,
    startWallMs: WALL_MS,
    makers: [],
    events: 8,
    opening: Array.from({ length: 8 }, () => ['fb', 1] as const),
    sequence: [],
    character: { arrivalsPerMinute: 0, crowdPerMinute: 0 },
    incidents: { announceMs: LEAD_MS, takers: 2, annulledShare, annulledAfterS: [60, 240] },
    onIncident: (incident) => seen.push(incident),
  });
  feed.start(market, WALL_MS);
  feed.advance(market, WALL_MS + HOUR_MS);
  return { market, byEvent: Map.groupBy(seen, ({ event }) => eventKey(event)) };
}

const goals = ({ state }: Incident): number => (state.score?.[0] ?? 0) + (state.score?.[1] ?? 0);

const isBack = (incident: Incident, at: number, all: readonly Incident[]): boolean =>
  at > 0 && goals(incident) < goals(all[at - 1] as Incident);

describe('an incident of the modelled market', () => {
  it('is known some seconds before the market is told', () => {
    const { market, byEvent } = played(0);
    expect(byEvent.size).toBeGreaterThan(5);
    for (const [key, incidents] of byEvent)
      for (const [at, incident] of incidents.entries()) {
        const { atMs, announcedMs, state } = incident;
        expect(announcedMs - atMs).toBeGreaterThanOrEqual(LEAD_MS[0]);
        expect(announcedMs - atMs).toBeLessThanOrEqual(LEAD_MS[1]);
        const isGoal = goals(incident) > (at === 0 ? 0 : goals(incidents[at - 1] as Incident));
        const told = `${Math.ceil(announcedMs)} setScore ${key} ${state.score?.join(' ')}`;
        expect(market.calls.includes(told)).toBe(isGoal);
      }
  });

  it('takes no goal back unless it is asked to', () => {
    for (const incidents of played(0).byEvent.values()) expect(incidents.some(isBack)).toBe(false);
  });

  it('takes goals back, and neither result nor half-time counts them', () => {
    const { market, byEvent } = played(1);
    let annulled = 0;
    for (const [key, incidents] of byEvent) {
      annulled += incidents.filter(isBack).length;
      const result = market.results.get(key);
      if (result?.kind !== 'score') throw new Error(`${key} has no score`);
      expect([result.home, result.away]).toEqual(incidents.at(-1)?.state.score);
      expect(result.halfTimeHome).toBeLessThanOrEqual(result.home);
      expect(result.halfTimeAway).toBeLessThanOrEqual(result.away);
    }
    expect(annulled).toBeGreaterThan(3);
  });
});
