import { beforeAll, describe, expect, it } from 'vitest';
import { logOddsOf, tickOf } from '../../../../src/domain/odds.ts';
import type { SimEvent } from '../../../../src/simulator/core/api.ts';
import { parseBetType } from '../../../../src/simulator/core/bet-types/index.ts';
import { createModelFeed } from '../../../../src/simulator/feeds/model/index.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const SECOND_MS = 1000;

function run(
  seed: number,
  speed: number,
  seconds: number,
  each?: (market: RecordingMarket, nowMs: number) => void,
) {
  const market = new RecordingMarket();
  const feed = createModelFeed({ seed, speed, startWallMs: WALL_MS });
  feed.start(market, WALL_MS);
  for (let nowMs = WALL_MS; nowMs <= WALL_MS + seconds * SECOND_MS; nowMs += SECOND_MS) {
    feed.advance(market, nowMs);
    each?.(market, nowMs);
  }
  return { market, feed };
}

/** Fixtures that are not settled, first halves left out. */
const live = (market: RecordingMarket): SimEvent[] =>
  [...market.events.values()].filter(
    ({ eventId, sport }) => sport !== 'fb_ht' && !market.results.has(eventId),
  );

describe('the modelled market', () => {
  it('makes the same calls for the same seed, whatever the steps, and others for another', () => {
    const one = run(5, 60, 20).market.calls;
    const market = new RecordingMarket();
    const feed = createModelFeed({ seed: 5, speed: 60, startWallMs: WALL_MS });
    feed.start(market, WALL_MS);
    for (let due = feed.nextDueMs(); due !== null && due <= WALL_MS + 20_000; due = feed.nextDueMs()) {
      feed.advance(market, due);
    }
    expect(market.calls).toEqual(one);
    expect(run(6, 60, 20).market.calls).not.toEqual(one);
  });

  it('begins with a dozen events of several sports, two under way and some about to start', () => {
    const { market } = run(1, 1, 0);
    const events = live(market);
    expect(events).toHaveLength(12);
    expect(new Set(events.map(({ sport }) => sport))).toEqual(
      new Set(['fb', 'tennis', 'basket', 'cricket', 'horse']),
    );
    expect(market.inRunning.size).toBe(2);
    const soon = events.filter(
      ({ startTimeMs }) => startTimeMs > WALL_MS && startTimeMs < WALL_MS + 30 * 60_000,
    );
    expect(soon.length).toBeGreaterThanOrEqual(2);
    for (const { eventId } of events) expect(eventId).toMatch(/^\d{4}-\d{2}-\d{2},[^,]+,[^,]+$/);
  });

  it('quotes only bet types that parse, at prices of the ladder', () => {
    const { market } = run(2, 20, 30);
    for (const at of market.outcomes()) expect(parseBetType(at.sport, `for,${at.outcome}`)).not.toBeNull();
    const prices = market.calls
      .map((call) => call.split(' '))
      .filter((parts) => parts[1] === 'setLevel' || parts[1] === 'take')
      .map((parts) => Number(parts[1] === 'take' ? parts[5] : parts[6]));
    expect(prices.length).toBeGreaterThan(10_000);
    expect(prices.filter((price) => tickOf(price) === null)).toEqual([]);
  });

  it('never goes back in time and leaves nothing undone', () => {
    const { market, feed } = run(3, 60, 30);
    const times = market.calls.map((call) => Number(call.split(' ')[0]));
    expect(times.every((time, i) => i === 0 || time >= (times[i - 1] as number))).toBe(true);
    expect(feed.nextDueMs()).toBeGreaterThan(WALL_MS + 30_000);
  });

  it('suspends around every goal and shows no prices while suspended', () => {
    const { market } = run(4, 120, 60, (m, nowMs) => {
      if ((nowMs / SECOND_MS) % 3 !== 0) return;
      for (const at of m.outcomes().filter(({ eventId }) => m.isSuspended(eventId))) {
        expect([...m.levels(at, 'for'), ...m.levels(at, 'against')]).toEqual([]);
      }
    });
    const life = market.calls.filter((call) => / (setScore|setSuspended|settle) /.test(call));
    const goals = life.filter((call) => call.includes('setScore'));
    expect(goals.length).toBeGreaterThan(5);
    expect(market.results.size).toBeGreaterThan(0);
  });
});

describe('the speed', () => {
  it.each([0.1, 10, 1000])('may be %f', (speed) => {
    const { market } = run(7, speed, 20);
    const before = live(market).filter(({ eventId }) => !market.isInRunning(eventId));
    expect(live(market)).toHaveLength(12);
    expect(before.length).toBeGreaterThan(0);
    expect(market.results.size > 0).toBe(speed >= 1000);
  });

  it('moves starts, and leaves trading as it is', () => {
    const takes = [1, 60].map(
      (speed) => run(7, speed, 30).market.calls.filter((call) => / take /.test(call)).length,
    );
    expect((takes[1] ?? 0) / (takes[0] ?? 1)).toBeLessThan(2);
    const starts = [1, 60].map((speed) =>
      live(run(7, speed, 0).market).map(({ startTimeMs }) => startTimeMs - WALL_MS),
    );
    expect(starts[1]).toEqual(starts[0]?.map((ms) => ms / 60));
  });
});

describe('a day of the modelled market', () => {
  let market: RecordingMarket;
  const inPlay: number[] = [];
  const before: number[] = [];
  let crossed = 0;
  let looked = 0;
  /** What a backer of all three results pays for 1 in return, at the best prices on offer. */
  const costs: number[] = [];

  beforeAll(() => {
    ({ market } = run(9, 240, 200, (m, nowMs) => {
      m.logging = false;
      const events = live(m);
      inPlay.push(events.filter(({ eventId }) => m.isInRunning(eventId)).length);
      before.push(events.filter(({ eventId }) => !m.isInRunning(eventId)).length);
      if ((nowMs / SECOND_MS) % 10 !== 0) return;
      for (const event of events.filter(({ sport, eventId }) => sport === 'fb' && !m.isSuspended(eventId))) {
        const best = ['h', 'd', 'a'].map((outcome) => {
          const at = { sport: 'fb', eventId: event.eventId, outcome };
          return m.levels(at, 'against')[0]?.price ?? NaN;
        });
        const cost = best.reduce((sum, price) => sum + 1 / price, 0);
        if (Number.isFinite(cost)) costs.push(cost);
      }
      for (const at of m.outcomes()) {
        const [back, lay] = [m.levels(at, 'against')[0], m.levels(at, 'for')[0]];
        if (back === undefined || lay === undefined) continue;
        looked++;
        if (logOddsOf(lay.price) - logOddsOf(back.price) > 0.1) crossed++;
      }
    }));
  });

  it('always has events before their start, and mostly some in play', () => {
    expect(Math.min(...before)).toBeGreaterThanOrEqual(6);
    const mean = inPlay.reduce((sum, n) => sum + n, 0) / inPlay.length;
    expect(mean).toBeGreaterThan(1);
    expect(mean).toBeLessThan(4);
  });

  it('settles every sport with results of its kind', () => {
    const sports = new Set([...market.results.keys()].map((eventId) => market.events.get(eventId)?.sport));
    expect(sports).toEqual(new Set(['fb', 'fb_ht', 'tennis', 'basket', 'cricket', 'horse']));
    for (const [eventId, result] of market.results) {
      const event = market.events.get(eventId);
      expect(result.kind).toBe(event?.eventType === 'multirunner' ? 'places' : 'score');
      if (event?.sport === 'tennis' && result.kind === 'score') {
        expect(Math.max(result.home, result.away)).toBe(2);
        expect(Math.min(result.home, result.away)).toBeLessThan(2);
      }
    }
  });

  it('settles first halves on the half-time score of their match', () => {
    const halves = [...market.events.values()].filter((event) => event.sport === 'fb_ht');
    const settled = halves.filter(({ eventId }) => market.results.has(eventId));
    expect(settled.length).toBeGreaterThan(2);
    for (const half of settled) {
      const match = [...market.events.values()].find(
        (event) =>
          event.sport === 'fb' && event.homeId === half.homeId && event.startTimeMs === half.startTimeMs,
      );
      const [result, whole] = [half, match].map((event) => market.results.get(event?.eventId ?? ''));
      if (result?.kind !== 'score') throw new Error('not a score');
      expect([result.home, result.away]).toEqual([result.halfTimeHome, result.halfTimeAway]);
      if (whole?.kind !== 'score') continue;
      expect([whole.halfTimeHome, whole.halfTimeAway]).toEqual([result.home, result.away]);
    }
  });

  it('offers hardly ever a sure profit over a match', () => {
    expect(costs.length).toBeGreaterThan(50);
    expect(costs.filter((cost) => cost < 1).length / costs.length).toBeLessThan(0.05);
    expect(costs.filter((cost) => cost > 1.2).length / costs.length).toBeLessThan(0.05);
  });

  it('rarely shows background quotes far across each other', () => {
    expect(looked).toBeGreaterThan(3000);
    expect(crossed / looked).toBeLessThan(0.01);
  });
});
