import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BOOK_CHANGE } from '../../../../src/betfair/runner-book.ts';
import { createBetfairFeed } from '../../../../src/simulator/feeds/betfair/index.ts';
import { loadBetfairRecording } from '../../../../src/app/simulated/recorded-market.ts';
import type { Recording } from '../../../../src/simulator/feeds/betfair/recording.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const FILE = path.resolve(import.meta.dirname, '../../../../../shared/data/betfair/1.200806927.jsonl.gz');
const present = existsSync(FILE);
if (!present) console.info(`recorded-market tests left out: ${FILE} is absent`);

const FROM_MS = Date.parse('2022-07-11T10:30:00Z');
const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const EVENT = 'cricket,2030-01-02,228749,2857977';
const HOME = { sport: 'cricket', eventId: '2030-01-02,228749,2857977', outcome: 'h' };
const AWAY = { sport: 'cricket', eventId: '2030-01-02,228749,2857977', outcome: 'a' };

describe('the recorded cricket market', () => {
  let recording: Recording;
  beforeAll(async () => {
    if (present) recording = await loadBetfairRecording(FILE);
  });

  const feedAt = (speed: number) =>
    createBetfairFeed({ recording, fromMs: FROM_MS, speed, startWallMs: WALL_MS });

  it.runIf(present)('loads whole, with every price on the ladder', () => {
    const [market] = recording.markets;
    const { levels, trades } = {
      levels: recording.rows.change.filter((change) => change <= BOOK_CHANGE.restingAgainst).length,
      trades: recording.rows.change.filter(
        (change) => change === BOOK_CHANGE.tradedFor || change === BOOK_CHANGE.tradedAgainst,
      ).length,
    };
    // As the import of the same file.
    expect([levels, trades]).toEqual([21_879, 11_315]);
    expect(market?.folded.counts).toMatchObject({ offLadder: 0, outside: 0 });
    expect(recording.otherLines.size).toBe(0);
  });

  it.runIf(present)('begins with the recorded book, and the start on the exchange clock', () => {
    const market = new RecordingMarket();
    const feed = feedAt(60);
    feed.start(market, WALL_MS);
    expect(market.events.get(EVENT)).toMatchObject({
      sport: 'cricket',
      eventType: 'normal',
      startTimeMs: WALL_MS + 30_000,
      competitionCountry: 'GB',
    });
    const bestFor = market.levels(HOME, 'against')[0]?.price ?? 0;
    const bestAgainst = market.levels(HOME, 'for')[0]?.price ?? 0;
    expect(bestFor).toBeGreaterThan(1.01);
    expect(bestAgainst).toBeGreaterThan(bestFor);
    expect(1 / bestFor + 1 / (market.levels(AWAY, 'against')[0]?.price ?? 0)).toBeCloseTo(1, 1);
  });

  it.runIf(present)('goes in play, suspends, and settles as recorded', () => {
    const market = new RecordingMarket();
    const feed = feedAt(60);
    feed.start(market, WALL_MS);
    feed.advance(market, WALL_MS + 5 * 3_600_000);
    expect(feed.nextDueMs()).toBeNull();
    expect(market.results.get(EVENT)).toMatchObject({ kind: 'score', home: 1, away: 0 });
    const life = market.calls.filter((call) => /goInRunning|setSuspended|settle/.test(call));
    const offset = Math.round((Date.parse('2022-07-11T11:00:01.427Z') - FROM_MS) / 60);
    expect(life[0]).toBe(`${WALL_MS + offset} setSuspended ${EVENT} true`);
    expect(life.map((call) => call.split(' ')[1])).toEqual([
      'setSuspended',
      'goInRunning',
      'setSuspended',
      'setSuspended',
      'settle',
    ]);
    expect(feed.counts()).toMatchObject({ skipped: 0 });
  });

  it.runIf(present)('never shows a book crossed for long, and stakes as recorded', () => {
    const market = new RecordingMarket();
    const feed = feedAt(60);
    feed.start(market, WALL_MS);
    let crossed = 0;
    let steps = 0;
    for (let ms = 0; ms < 240_000; ms += 500) {
      feed.advance(market, WALL_MS + ms);
      const [back, lay] = [market.levels(HOME, 'against')[0], market.levels(HOME, 'for')[0]];
      if (back !== undefined && lay !== undefined && back.price >= lay.price) crossed++;
      steps++;
    }
    expect(crossed / steps).toBeLessThan(0.01);
  });

  it.runIf(present)('fills a resting account from recorded volume, after the queue ahead of it', () => {
    const market = new RecordingMarket();
    const feed = feedAt(60);
    feed.start(market, WALL_MS);
    const best = market.levels(HOME, 'against')[0];
    if (best === undefined) throw new Error('empty book');
    market.rest(HOME, 'against', best.price, 50_000_000);
    feed.advance(market, WALL_MS + 29_000);
    // At its price, and beyond it for takers.
    const traded = market.calls
      .filter((call) => call.includes(`trade ${EVENT} h against `))
      .map((call) => call.split(' ').slice(-2).map(Number))
      .reduce((total, [price = NaN, micros = NaN]) => total + (price <= best.price ? micros : 0), 0);
    const filled = 50_000_000 - market.accountStake(HOME, 'against');
    expect(filled).toBeGreaterThan(0);
    expect(filled).toBeLessThanOrEqual(traded);
    expect(market.fills[0]?.price).toBe(best.price);
  });

  it.runIf(present)('replays the same calls each time', () => {
    const [one, other] = [1, 2].map(() => {
      const market = new RecordingMarket();
      const feed = feedAt(600);
      feed.start(market, WALL_MS);
      feed.advance(market, WALL_MS + 8_000);
      return market.calls;
    });
    expect(one?.length).toBeGreaterThan(4_000);
    expect(one).toEqual(other);
  });
});
