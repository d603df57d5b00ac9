import { describe, expect, it } from 'vitest';
import { logOddsOf } from '../../../../src/domain/odds.ts';
import { eventKey } from '../../../../src/simulator/core/catalogue.ts';
import {
  createModelFeed,
  type ModelFeed,
  type ModelFeedOptions,
} from '../../../../src/simulator/feeds/model/index.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A market that runs for half a minute, and then sleeps. */
function slept(ms: number, { seed = 5, speed = 1, ...more }: Partial<ModelFeedOptions> = {}) {
  const market = new RecordingMarket();
  const feed = createModelFeed({ seed, speed, startWallMs: WALL_MS, ...more });
  feed.start(market, WALL_MS);
  const fromMs = WALL_MS + MINUTE_MS / 2;
  feed.advance(market, fromMs);
  market.calls.length = 0;
  const nowMs = fromMs + ms;
  feed.lull?.(nowMs);
  feed.advance(market, nowMs);
  return { market, feed, fromMs, nowMs };
}

const named = (calls: readonly string[], name: string): string[][] =>
  calls.map((call) => call.split(' ')).filter((parts) => parts[1] === name);

/** How far fair lies outside of each two-sided book, in log-odds; 0 within. */
function offsets(market: RecordingMarket, feed: ModelFeed): number[] {
  return market.outcomes().flatMap((at) => {
    const fair = feed.publicFair(at);
    const [back, lay] = [market.levels(at, 'against')[0], market.levels(at, 'for')[0]];
    if (fair === null || back === undefined || lay === undefined || market.results.has(eventKey(at)))
      return [];
    return [Math.max(0, fair - logOddsOf(back.price), logOddsOf(lay.price) - fair)];
  });
}

describe('a modelled market whose host slept', () => {
  it('does bounded work however long the sleep was, at any speed', () => {
    const counts = [1, 3, 24, 24 * 14].map((hours) => slept(hours * HOUR_MS).market.calls.length);
    expect(Math.max(...counts)).toBeLessThan(12_000);
    expect(slept(24 * HOUR_MS, { speed: 1000 }).market.calls.length).toBeLessThan(12_000);
    // The cost of the same hour when it is traded.
    const { market, feed } = slept(0);
    market.calls.length = 0;
    feed.advance(market, WALL_MS + MINUTE_MS);
    expect(market.calls.length * 120).toBeGreaterThan(12 * Math.max(...counts));
  });

  it('reports kick-offs, goals and results at their own instants, in order', () => {
    const { market, fromMs, nowMs } = slept(3 * HOUR_MS);
    const times = market.calls.map((call) => Number(call.split(' ')[0]));
    expect(times.every((time, i) => time >= (times[i - 1] ?? fromMs) && time <= nowMs)).toBe(true);
    const starts = named(market.calls, 'goInRunning');
    expect(starts.length).toBeGreaterThan(4);
    for (const [atMs, , key = ''] of starts) {
      expect(Number(atMs)).toBe(market.events.get(key)?.startTimeMs);
    }
    const scores = named(market.calls, 'setScore').filter(([atMs]) => Number(atMs) < nowMs);
    expect(scores.length).toBeGreaterThan(10);
    const settled = named(market.calls, 'settle');
    expect(settled.filter(([atMs]) => Number(atMs) < nowMs - MINUTE_MS).length).toBeGreaterThan(2);
  });

  it('trades nothing meanwhile', () => {
    const { market, fromMs, nowMs } = slept(3 * HOUR_MS);
    expect(named(market.calls, 'take')).toEqual([]);
    const late = named(market.calls, 'setLevel').filter(
      // Quotes in flight when it fell asleep still arrive.
      ([atMs]) => Number(atMs) > fromMs + 5000 && Number(atMs) < nowMs,
    );
    expect(late).toEqual([]);
  });

  it('plays every match by its rules: results as last reported, first halves as their matches', () => {
    const { market } = slept(24 * HOUR_MS);
    expect(market.results.size).toBeGreaterThanOrEqual(12);
    for (const [key, result] of market.results) {
      if (result.kind !== 'score') continue;
      const { sport, eventId = '' } = market.events.get(key) ?? {};
      const lastScore = named(market.calls, 'setScore').findLast((parts) => parts[2] === key);
      if (sport !== 'cricket')
        expect([result.home, result.away].join('-')).toBe(lastScore?.slice(3).join('-'));
      if (sport !== 'fb_ht') continue;
      expect(market.results.get(eventKey({ sport: 'fb', eventId }))).toMatchObject({
        halfTimeHome: result.home,
        halfTimeAway: result.away,
      });
    }
  });

  it('is awake at once: a dozen events, quoted around what is fair now', () => {
    for (const hours of [0.5, 2, 24]) {
      const { market, feed } = slept(hours * HOUR_MS);
      const live = [...market.events.values()].filter(
        (event) => event.sport !== 'fb_ht' && !market.results.has(eventKey(event)),
      );
      expect(live.length).toBeGreaterThanOrEqual(12);
      const off = offsets(market, feed);
      expect(off.length).toBeGreaterThan(150);
      expect(off.filter((distance) => distance > 0.05).length / off.length).toBeLessThan(0.02);
    }
  });

  it('trades on from there', () => {
    const { market, feed, nowMs } = slept(2 * HOUR_MS);
    market.calls.length = 0;
    feed.advance(market, nowMs + MINUTE_MS);
    expect(named(market.calls, 'take').length).toBeGreaterThan(50);
    expect(named(market.calls, 'setLevel').length).toBeGreaterThan(300);
    const off = offsets(market, feed);
    expect(off.filter((distance) => distance > 0.05).length / off.length).toBeLessThan(0.02);
  });

  it('scores as many goals as the rates of its teams imply', () => {
    let [goals, matches] = [0, 0];
    for (let seed = 1; seed <= 40; seed++) {
      const { market } = slept(12 * HOUR_MS, { seed, makers: [] });
      for (const [key, result] of market.results) {
        if (market.events.get(key)?.sport !== 'fb' || result.kind !== 'score') continue;
        goals += result.home + result.away;
        matches++;
      }
    }
    expect(matches).toBeGreaterThan(200);
    // A match is drawn with 2.2 to 3.2 goals.
    expect(goals / matches).toBeGreaterThan(2.4);
    expect(goals / matches).toBeLessThan(3);
  });
});
