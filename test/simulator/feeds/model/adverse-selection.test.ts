import { describe, expect, it } from 'vitest';
import { ceilTick, floorTick, priceOf } from '../../../../src/domain/ladder.ts';
import { logOddsOf, priceOfLogOdds } from '../../../../src/domain/odds.ts';
import { DIRECTIONS } from '../../../../src/domain/selection.ts';
import type { SimOutcome } from '../../../../src/simulator/core/api.ts';
import { eventKey } from '../../../../src/simulator/core/catalogue.ts';
import { createModelFeed, type ModelFeed } from '../../../../src/simulator/feeds/model/index.ts';
import { type AccountFill, RecordingMarket } from '../../../support/recording-market.ts';

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const HALF_SPREAD = 0.05;
const MARKOUT_MS = 20_000;
const STEP_MS = 1000;
/** No event differs from others, and none changes in time. */
const ALIKE = { tempo: [[0, 1]], differs: 0, mood: 0, uneven: 0, spreadOfActivity: 0 } as const;

/** Quotes both sides of the home win of every match before its start, anew each second, 10 USDT each. */
function requote(feed: ModelFeed, market: RecordingMarket, places: readonly SimOutcome[]): void {
  for (const at of places) {
    for (const direction of DIRECTIONS) market.withdraw(at, direction);
    const fair = feed.publicFair(at);
    if (fair === null || market.isInRunning(at)) continue;
    const low = floorTick(priceOfLogOdds(fair + HALF_SPREAD));
    const high = ceilTick(priceOfLogOdds(fair - HALF_SPREAD));
    if (low !== null) market.rest(at, 'against', priceOf(low), 10e6);
    if (high !== null) market.rest(at, 'for', priceOf(high), 10e6);
  }
}

/** The value of a fill by a later fair price, per unit of log-odds: positive when the price was good. */
function markout(feed: ModelFeed, fill: AccountFill): number | null {
  const fair = feed.publicFair(fill.at);
  if (fair === null) return null;
  return (fill.resting === 'against' ? 1 : -1) * (logOddsOf(fill.price) - fair);
}

/** Markouts of all fills before the start. */
function trade(seed: number, informedRate: number): number[] {
  const market = new RecordingMarket();
  market.logging = false;
  const feed = createModelFeed({
    seed,
    startWallMs: WALL_MS,
    speed: 60,
    makers: [],
    character: {
      ...ALIKE,
      arrivalsPerMinute: 60,
      halfSpread: 1 / 15,
      accepts: 1,
      drift: 4,
      news: 1,
      crowdPerMinute: 0,
      informedRate,
      informedEdge: 0.01,
      learnS: 400,
    },
  });
  feed.start(market, WALL_MS);
  const football = [...market.events.values()].filter(({ sport }) => sport === 'fb');
  const places = football.map(({ sport, eventId }) => ({ sport, eventId, outcome: 'h' }));
  const marks: number[] = [];
  let judged = 0;
  for (let nowMs = WALL_MS; nowMs < WALL_MS + 240_000; nowMs += STEP_MS) {
    requote(feed, market, places);
    feed.advance(market, nowMs + STEP_MS);
    for (; (market.fills[judged]?.atMs ?? Infinity) <= nowMs - MARKOUT_MS; judged++) {
      const fill = market.fills[judged] as AccountFill;
      const mark = market.isInRunning(fill.at) ? null : markout(feed, fill);
      if (mark !== null) marks.push(mark);
    }
  }
  return marks;
}

const mean = (marks: readonly number[]): number => marks.reduce((sum, mark) => sum + mark, 0) / marks.length;

/**
 * How often an informed taker takes a selection of a match in play with four goals, in two minutes with a look a
 * second.
 */
function informedTakes(): number {
  const market = new RecordingMarket();
  const feed = createModelFeed({
    seed: 5,
    startWallMs: WALL_MS,
    makers: [],
    character: { ...ALIKE, arrivalsPerMinute: 1e-9, informedLooks: 30, informedRate: 1, informedEdge: 1e-9 },
  });
  feed.start(market, WALL_MS);
  const playing = [...market.inRunning]
    .map((key) => market.events.get(key))
    .find((event) => event?.sport === 'fb');
  if (playing === undefined) throw new Error('no match is in play');
  for (const side of ['home', 'away', 'home', 'away'] as const) {
    feed.intervene?.(market, playing, { kind: 'goal', side }, WALL_MS);
  }
  feed.advance(market, WALL_MS + 180_000);
  const takes = market.calls.filter((call) => call.includes(` take ${eventKey(playing)} `));
  return takes.filter((call) => Number(call.split(' ')[0]) >= WALL_MS + 60_000).length;
}

describe('informed takers', () => {
  it('look for public mistakes among undecided selections', () => {
    expect(informedTakes()).toBeGreaterThan(90);
  });
});

describe('a maker in the modelled market', () => {
  it('earns its spread from the uninformed and pays informed takers', () => {
    const seeds = [1, 2, 3];
    const uninformed = seeds.flatMap((seed) => trade(seed, 1e-9));
    const informed = seeds.flatMap((seed) => trade(seed, 40));
    expect(uninformed.length).toBeGreaterThan(200);
    expect(mean(uninformed)).toBeGreaterThan(0.9 * HALF_SPREAD);
    expect(informed.length).toBeGreaterThan(uninformed.length);
    expect(mean(informed)).toBeLessThan(0.75 * mean(uninformed));
  });
});
