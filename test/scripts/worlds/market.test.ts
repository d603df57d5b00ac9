import { expect, it } from 'vitest';
import { undisturbed, withHiddenStake } from '../../../scripts/worlds/market.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import type { Feed, Market, SimOutcome } from '../../../src/simulator/core/api.ts';
import { createExchange } from '../../../src/simulator/core/exchange.ts';
import { observedFeed } from '../../../src/simulator/core/observed-feed.ts';
import { createModelFeed } from '../../../src/simulator/feeds/model/index.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');

/** The calls of the modelled market of the first seconds, while somebody else takes every level of `of` that is set, or nobody. */
function callsOf(decoupled: boolean, disturb: boolean): readonly string[] {
  const calls: string[] = [];
  const noted = observedFeed(createModelFeed({ seed: 5, startWallMs: START_MS, events: 2 }), (market) => ({
    setLevel(...args) {
      calls.push(JSON.stringify(args));
      market.setLevel(...args);
    },
    take(...args) {
      calls.push(JSON.stringify(args));
      return market.take(...args);
    },
  }));
  const feed: Feed = decoupled ? undisturbed(noted, START_MS).feed : noted;
  const disturbed = observedFeed(feed, (market) => ({
    setLevel(participant, at, resting, price, stakeMicros, nowMs) {
      market.setLevel(participant, at, resting, price, stakeMicros, nowMs);
      if (!disturb || stakeMicros === 0) return;
      market.take(at, resting === 'for' ? 'against' : 'for', 1.01, stakeMicros, nowMs);
    },
  }));
  const core = createExchange({
    accounts: [],
    feeds: [disturbed],
    parseBetType,
    random: seededRandom(1, 'ids'),
    startMs: START_MS,
  });
  core.advance(START_MS + 40_000);
  return calls;
}

it('does the same whatever happens to its stake on the exchange of a world', () => {
  const calm = callsOf(true, false);
  expect(calm.length).toBeGreaterThan(100);
  expect(callsOf(true, true)).toEqual(calm);
  // The modelled market itself does not.
  expect(callsOf(false, true)).not.toEqual(callsOf(false, false));
});

it('puts hidden stake behind a part of its levels: takers get it, and no offer shows it', () => {
  const at: SimOutcome = { sport: 'fb', eventId: '2026-03-01,1,2', outcome: 'h' };
  const prices = Array.from({ length: 40 }, (_, index) => priceOf(60 + index));
  const feed: Feed = {
    start(market: Market, nowMs: number) {
      const match = {
        eventType: 'normal',
        eventName: 'a v b',
        competitionId: 1,
        competitionName: 'c',
      } as const;
      const teams = { competitionCountry: 'GB', home: 'a', away: 'b', homeId: 1, awayId: 2, teams: [] };
      const { sport, eventId } = at;
      market.putEvent({ ...match, ...teams, sport, eventId, startTimeMs: nowMs, endTimeMs: null }, nowMs);
      for (const price of prices) market.setLevel('maker', at, 'for', price, toMicros(10), nowMs);
    },
    nextDueMs: () => null,
    advance: () => undefined,
  };
  const core = createExchange({
    accounts: [],
    feeds: [withHiddenStake(feed, 1)],
    parseBetType,
    random: seededRandom(1, 'ids'),
    startMs: START_MS,
    settings: { offerDepth: 100, priceConvention: 'lay' },
  });
  const shown = core.market.offered(at, 'against,h') ?? [];
  const sum = (levels: readonly { readonly stakeMicros: number }[]): number =>
    levels.reduce((total, { stakeMicros }) => total + stakeMicros, 0);
  expect(sum(shown)).toBe(toMicros(400));
  const held = sum(core.market.levels(at, 'for'));
  expect(held).toBeGreaterThan(toMicros(420));
  expect(held).toBeLessThan(toMicros(480));
});
