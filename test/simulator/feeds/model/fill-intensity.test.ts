import { describe, expect, it } from 'vitest';
import { ceilTick, floorTick, priceOf } from '../../../../src/domain/ladder.ts';
import { logOddsOf, priceOfLogOdds } from '../../../../src/domain/odds.ts';
import { type Direction, DIRECTIONS } from '../../../../src/domain/selection.ts';
import type { SimOutcome } from '../../../../src/simulator/core/api.ts';
import { COMPETITIONS } from '../../../../src/simulator/feeds/model/catalogue.ts';
import { createModelFeed, type ModelFeed } from '../../../../src/simulator/feeds/model/index.ts';
import { estimateIntensity, type QuotingBin } from '../../../support/fill-intensity.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const ARRIVAL_RATE = 0.06;
const DECAY = 15;
/** More than all takers together want. */
const ENDLESS_MICROS = 1e14;
const SESSION_MS = 20_000_000;

/** A quote at about `distance` from fair: the tick outwards. */
function quoteAt(fair: number, resting: Direction, distance: number): number {
  const sign = resting === 'against' ? 1 : -1;
  const price = priceOfLogOdds(fair + sign * distance);
  const tick = resting === 'against' ? floorTick(price) : ceilTick(price);
  if (tick === null) throw new Error('off the ladder');
  return priceOf(tick);
}

/** Quotes one side of an outcome for a while, alone in the book, and counts the takers. */
function quote(feed: ModelFeed, market: RecordingMarket, at: SimOutcome, distance: number): QuotingBin[] {
  const fair = feed.publicFair(at);
  if (fair === null) throw new Error('not traded');
  return DIRECTIONS.map((resting) => {
    const price = quoteAt(fair, resting, distance);
    market.withdraw(at, resting);
    market.rest(at, resting, price, ENDLESS_MICROS);
    const before = market.fills.length;
    const delta = Math.abs(logOddsOf(price) - fair);
    return { delta, seconds: SESSION_MS / 1000, fills: before };
  });
}

describe('the estimator', () => {
  it('finds the known maximum', () => {
    const fills = [960, 665, 310, 150];
    const bins = [0.25, 0.5, 1, 1.5].map((delta, i) => ({ delta, seconds: 10, fills: fills[i] as number }));
    const { a, k } = estimateIntensity(bins);
    expect(a).toBeCloseTo(139.646, 3);
    expect(k).toBeCloseTo(1.49383, 5);
  });
});

describe('background takers', () => {
  it('come at rate A e^{-k delta}, as estimated from the fills of a quoting account', () => {
    const market = new RecordingMarket();
    market.logging = false;
    const feed = createModelFeed({
      seed: 11,
      startWallMs: WALL_MS,
      events: 3,
      // Nothing starts and fair prices do not change, so that distances are exact.
      speed: 1e-6,
      stepMs: 1e9,
      stepInPlayMs: 1e9,
      makers: [],
      character: {
        // Takers accept distances by the market's own, and come one by one.
        tempo: [[0, 1]],
        differs: 0,
        mood: 0,
        uneven: 0,
        spreadOfActivity: 0,
        spreadOfPopularity: 0,
        halfSpread: 1 / DECAY,
        accepts: 1,
        followers: 0,
        arrivalsPerMinute: 2 * 60 * ARRIVAL_RATE,
        informedRate: 0,
        crowdPerMinute: 0,
      },
    });
    feed.start(market, WALL_MS);
    const events = [...market.events.values()];
    const event = events.find((each) => each.sport === 'fb' && each.startTimeMs > WALL_MS);
    if (event === undefined) throw new Error('no such event');
    const { liquidity } = COMPETITIONS.find(({ id }) => id === event.competitionId) ?? { liquidity: NaN };
    const outcomes = ['h', 'd', 'a', 'over,2.5', 'under,2.5'];
    const bins: QuotingBin[] = [];
    [0.03, 0.07, 0.12, 0.2].forEach((distance, session) => {
      const fromMs = WALL_MS + session * SESSION_MS;
      market.fills.length = 0;
      const quotes = outcomes.map((outcome) => {
        const at = { sport: event.sport, eventId: event.eventId, outcome };
        return { at, sides: quote(feed, market, at, distance) };
      });
      feed.advance(market, fromMs + SESSION_MS);
      for (const { at, sides } of quotes) {
        DIRECTIONS.forEach((resting, i) => {
          const fills = market.fills.filter(
            (fill) => fill.at.outcome === at.outcome && fill.resting === resting,
          );
          bins.push({ ...(sides[i] as QuotingBin), fills: fills.length });
        });
      }
    });
    const { a, k } = estimateIntensity(bins);
    expect(a / (ARRIVAL_RATE * liquidity)).toBeCloseTo(1, 1);
    expect(k / DECAY).toBeCloseTo(1, 1);
  });
});
