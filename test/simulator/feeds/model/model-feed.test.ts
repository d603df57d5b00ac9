import { beforeAll, describe, expect, it } from 'vitest';
import { fromMicros } from '../../../../src/domain/money.ts';
import { tickOf } from '../../../../src/domain/ladder.ts';
import { logOddsOf } from '../../../../src/domain/odds.ts';
import type { SimEvent, SimOutcome } from '../../../../src/simulator/core/api.ts';
import { parseBetType } from '../../../../src/domain/bet-types/index.ts';
import { eventKey } from '../../../../src/simulator/core/catalogue.ts';
import type { Character } from '../../../../src/simulator/feeds/model/character.ts';
import { createModelFeed } from '../../../../src/simulator/feeds/model/index.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const SECOND_MS = 1000;

type Look = (market: RecordingMarket, nowMs: number) => void;

interface Run {
  readonly speed: number;
  readonly seconds: number;
  /** Makers cost most of the time of a run. Tests of other things run without them. */
  readonly makers?: [];
  readonly character?: Partial<Character>;
  readonly each?: Look;
}

function run(seed: number, { speed, seconds, each, ...options }: Run) {
  const market = new RecordingMarket();
  const feed = createModelFeed({ seed, speed, startWallMs: WALL_MS, ...options });
  feed.start(market, WALL_MS);
  for (let nowMs = WALL_MS; nowMs <= WALL_MS + seconds * SECOND_MS; nowMs += SECOND_MS) {
    feed.advance(market, nowMs);
    each?.(market, nowMs);
  }
  return { market, feed };
}

/** Unsettled fixtures, without first halves. */
const live = (market: RecordingMarket): SimEvent[] =>
  [...market.events.values()].filter(
    (event) => event.sport !== 'fb_ht' && !market.results.has(eventKey(event)),
  );

describe('the modelled market', () => {
  it('makes the same calls for the same seed, whatever the steps, and others for another', () => {
    const one = run(5, { speed: 60, seconds: 20 }).market.calls;
    const market = new RecordingMarket();
    const feed = createModelFeed({ seed: 5, speed: 60, startWallMs: WALL_MS });
    feed.start(market, WALL_MS);
    for (let due = feed.nextDueMs(); due !== null && due <= WALL_MS + 20_000; due = feed.nextDueMs()) {
      feed.advance(market, due);
    }
    expect(market.calls).toEqual(one);
    expect(run(6, { speed: 60, seconds: 20 }).market.calls).not.toEqual(one);
  });

  it('is the same market on any day', () => {
    const callsFrom = (startMs: number): string[] => {
      const market = new RecordingMarket();
      const feed = createModelFeed({ seed: 5, speed: 60, startWallMs: startMs });
      feed.start(market, startMs);
      feed.advance(market, startMs + 8000);
      // Compared without instants and dates.
      return market.calls
        .filter((call) => !call.includes('putEvent'))
        .map((call) => call.replace(/^\d+/, '').replace(/\d{4}-\d\d-\d\d,/, ''));
    };
    const one = callsFrom(WALL_MS);
    expect(one.length).toBeGreaterThan(1000);
    expect(callsFrom(WALL_MS + 123_456_789)).toEqual(one);
  });

  it('begins with a dozen events of several sports, two under way and some about to start', () => {
    const { market } = run(1, { speed: 1, seconds: 0 });
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

  it('goes on quoting the events that are under way when it begins', () => {
    const { market } = run(1, { speed: 1, seconds: 5 });
    const quoted = market.outcomes().filter((at) => market.levels(at, 'for').length > 0);
    for (const key of market.inRunning)
      expect(quoted.filter((at) => eventKey(at) === key).length).toBeGreaterThan(1);
  });

  it('quotes only bet types that parse, at prices of the ladder', () => {
    const { market } = run(2, { speed: 20, seconds: 30 });
    for (const at of market.outcomes()) expect(parseBetType(at.sport, `for,${at.outcome}`)).not.toBeNull();
    const prices = market.calls
      .map((call) => call.split(' '))
      .filter((parts) => parts[1] === 'setLevel' || parts[1] === 'take')
      .map((parts) => Number(parts[1] === 'take' ? parts[5] : parts[6]));
    expect(prices.length).toBeGreaterThan(3_000);
    expect(prices.filter((price) => tickOf(price) === null)).toEqual([]);
  });

  it('has each maker, and the crowd, take bets of a minimum of its own, or of any size', () => {
    const minimums = (options: { makerMinimums?: number }): number[] => {
      const market = new RecordingMarket();
      createModelFeed({ seed: 5, startWallMs: WALL_MS, ...options }).start(market, WALL_MS);
      return [...market.minimums.values()].map(fromMicros);
    };
    expect(minimums({})).toEqual([1, 2, 5, 10, 1]);
    expect(minimums({ makerMinimums: 0.5 })).toEqual([0.5, 1, 2.5, 5, 0.5]);
    expect(minimums({ makerMinimums: 0 })).toEqual([0, 0, 0, 0, 0]);
  });

  it('never goes back in time and leaves nothing undone', () => {
    const { market, feed } = run(3, { speed: 60, seconds: 30 });
    const times = market.calls.map((call) => Number(call.split(' ')[0]));
    expect(times.every((time, i) => i === 0 || time >= (times[i - 1] as number))).toBe(true);
    expect(feed.nextDueMs()).toBeGreaterThan(WALL_MS + 30_000);
  });

  it('suspends around every goal and shows no prices while suspended', () => {
    const noPrices: Look = (m, nowMs) => {
      if ((nowMs / SECOND_MS) % 3 !== 0) return;
      // Quotes from before the start stay in the book until it has started.
      for (const at of m.outcomes().filter((each) => m.isSuspended(each) && m.isInRunning(each))) {
        expect([...m.levels(at, 'for'), ...m.levels(at, 'against')]).toEqual([]);
      }
    };
    const { market } = run(4, { speed: 120, seconds: 60, each: noPrices });
    const life = market.calls.filter((call) => / (setScore|setSuspended|settle) /.test(call));
    const goals = life.filter((call) => call.includes('setScore'));
    expect(goals.length).toBeGreaterThan(5);
    expect(market.results.size).toBeGreaterThan(0);
  });
});

describe('the reports of an event in play', () => {
  it('follow the score of every sport that has one, each change once, up to the result', () => {
    const { market } = run(12, { speed: 120, seconds: 150, makers: [] });
    const scores = market.calls.map((call) => call.split(' ')).filter((parts) => parts[1] === 'setScore');
    for (const sport of ['fb', 'tennis', 'basket']) {
      const settled = [...market.results].filter(([key]) => market.events.get(key)?.sport === sport);
      expect(settled.length).toBeGreaterThan(0);
      for (const [key, result] of settled) {
        const reported = scores.filter((parts) => parts[2] === key).map((parts) => parts.slice(3).join('-'));
        expect(new Set(reported).size).toBe(reported.length);
        expect(result.kind === 'score' && `${result.home}-${result.away}`).toBe(reported.at(-1));
        if (sport === 'basket') expect(reported.length).toBeGreaterThan(10);
      }
    }
  });

  it('count the minutes up', () => {
    const { market } = run(12, { speed: 60, seconds: 60, makers: [] });
    const times = market.calls.map((call) => call.split(' ')).filter((parts) => parts[1] === 'setTime');
    const first = times[0]?.[2];
    const minutes = times
      .filter((parts) => parts[2] === first && parts[4] !== 'null')
      .map((parts) => Number(parts[4]));
    expect(minutes.length).toBeGreaterThan(10);
    expect(minutes).toEqual(minutes.toSorted((a, b) => a - b));
  });
});

describe('the speed', () => {
  it.each([0.1, 10, 1000])('may be %f', (speed) => {
    const { market } = run(7, { speed, seconds: 20 });
    const before = live(market).filter((event) => !market.isInRunning(event));
    expect(live(market)).toHaveLength(12);
    expect(before.length).toBeGreaterThan(0);
    expect(market.results.size > 0).toBe(speed >= 1000);
  });

  it('moves starts, and leaves trading as it is at its activity', () => {
    const character = { tempo: [[0, 1]] } as const;
    const takes = [1, 60].map(
      (speed) =>
        run(7, { speed, seconds: 30, makers: [], character }).market.calls.filter((call) =>
          / take /.test(call),
        ).length,
    );
    expect((takes[1] ?? 0) / (takes[0] ?? 1)).toBeLessThan(2);
    const starts = [1, 60].map((speed) =>
      live(run(7, { speed, seconds: 0, makers: [] }).market).map(({ startTimeMs }) => startTimeMs - WALL_MS),
    );
    expect(starts[1]).toEqual(starts[0]?.map((ms) => ms / 60));
  });
});

describe('a first half', () => {
  it('has the event id of its match, which no other fixture has', () => {
    const { market } = run(1, { speed: 240, seconds: 100, makers: [] });
    const all = [...market.events.values()];
    const halves = all.filter(({ sport }) => sport === 'fb_ht');
    expect(halves.length).toBeGreaterThan(3);
    for (const { eventId, startTimeMs } of halves) {
      const sharing = all.filter((event) => event.eventId === eventId);
      expect(sharing.map(({ sport }) => sport)).toEqual(['fb', 'fb_ht']);
      expect(sharing.map((event) => event.startTimeMs)).toEqual([startTimeMs, startTimeMs]);
    }
  });

  /** When the market of an event was suspended, without suspensions that nothing follows. */
  function suspensions(calls: readonly string[], event: SimEvent | undefined): number[] {
    if (event === undefined) return [];
    const own = calls.filter((call) => call.includes(` setSuspended ${eventKey(event)} `));
    return own.flatMap((call, i) =>
      call.endsWith(' true') && i + 1 < own.length ? [parseInt(call, 10)] : [],
    );
  }

  it('is suspended with its match, in the same instant', () => {
    let count = 0;
    for (const seed of [1, 2, 3]) {
      const { market } = run(seed, { speed: 60, seconds: 200, makers: [] });
      const events = [...market.events.values()];
      for (const half of events.filter(({ sport }) => sport === 'fb_ht')) {
        const match = market.events.get(eventKey({ ...half, sport: 'fb' }));
        const ofHalf = suspensions(market.calls, half);
        const ofMatch = suspensions(market.calls, match);
        expect(ofMatch.slice(0, ofHalf.length)).toEqual(ofHalf);
        count += ofHalf.length;
      }
    }
    expect(count).toBeGreaterThan(5);
  });
});

describe('a day of the modelled market', () => {
  let market: RecordingMarket;
  const inPlay: number[] = [];
  const before: number[] = [];

  beforeAll(() => {
    const look: Look = (m) => {
      m.logging = false;
      const events = live(m);
      inPlay.push(events.filter((event) => m.isInRunning(event)).length);
      before.push(events.filter((event) => !m.isInRunning(event)).length);
    };
    ({ market } = run(9, { speed: 240, seconds: 200, makers: [], each: look }));
  });

  it('always has events before their start, and mostly some in play', () => {
    expect(Math.min(...before)).toBeGreaterThanOrEqual(4);
    const mean = inPlay.reduce((sum, n) => sum + n, 0) / inPlay.length;
    expect(mean).toBeGreaterThan(1);
    expect(mean).toBeLessThan(4);
  });

  it('settles every sport with results of its kind', () => {
    const sports = new Set([...market.results.keys()].map((key) => market.events.get(key)?.sport));
    expect(sports).toEqual(new Set(['fb', 'fb_ht', 'tennis', 'basket', 'cricket', 'horse']));
    for (const [key, result] of market.results) {
      const event = market.events.get(key);
      expect(result.kind).toBe(event?.eventType === 'multirunner' ? 'places' : 'score');
      if (event?.sport === 'tennis' && result.kind === 'score') {
        expect(Math.max(result.home, result.away)).toBe(2);
        expect(Math.min(result.home, result.away)).toBeLessThan(2);
      }
    }
  });

  it('settles first halves on the half-time score of their match', () => {
    const halves = [...market.events.values()].filter((event) => event.sport === 'fb_ht');
    const settled = halves.filter((event) => market.results.has(eventKey(event)));
    expect(settled.length).toBeGreaterThan(2);
    for (const half of settled) {
      const match = market.events.get(eventKey({ ...half, sport: 'fb' }));
      expect(match).toMatchObject({ home: half.home, startTimeMs: half.startTimeMs });
      const [result, whole] = [half, match].map((event) => event && market.results.get(eventKey(event)));
      if (result?.kind !== 'score') throw new Error('not a score');
      expect([result.home, result.away]).toEqual([result.halfTimeHome, result.halfTimeAway]);
      if (whole?.kind !== 'score') continue;
      expect([whole.halfTimeHome, whole.halfTimeAway]).toEqual([result.home, result.away]);
    }
  });
});

describe('the background book', () => {
  /** The price for a backer of all three results, for 1 in return, at the best offers. */
  function costOfAll(market: RecordingMarket, eventId: string): number {
    const best = ['h', 'd', 'a'].map(
      (outcome) => market.levels({ sport: 'fb', eventId, outcome }, 'against')[0],
    );
    return best.reduce((sum, level) => sum + 1 / (level?.price ?? NaN), 0);
  }

  /** Whether one account offers to back at a price well above that at which another offers to lay. */
  function isCrossed(market: RecordingMarket, at: SimOutcome): boolean {
    const [back, lay] = [market.levels(at, 'against')[0], market.levels(at, 'for')[0]];
    if (back === undefined || lay === undefined) return false;
    return logOddsOf(lay.price) - logOddsOf(back.price) > 0.1;
  }

  it('hardly ever offers a sure profit or is far crossed, in a fast market', () => {
    const costs: number[] = [];
    const crossings: boolean[] = [];
    const look: Look = (m, nowMs) => {
      m.logging = false;
      if ((nowMs / SECOND_MS) % 5 !== 0) return;
      const football = live(m).filter(({ sport }) => sport === 'fb');
      costs.push(...football.map(({ eventId }) => costOfAll(m, eventId)).filter(Number.isFinite));
      crossings.push(...m.outcomes().map((at) => isCrossed(m, at)));
    };
    run(9, { speed: 240, seconds: 50, each: look });
    const share = (cases: readonly boolean[]): number => cases.filter(Boolean).length / cases.length;
    expect(costs.length).toBeGreaterThan(40);
    expect(share(costs.map((cost) => cost < 1))).toBeLessThan(0.05);
    expect(share(costs.map((cost) => cost > 1.2))).toBeLessThan(0.05);
    expect(crossings.length).toBeGreaterThan(2000);
    expect(share(crossings)).toBeLessThan(0.01);
  });
});
