import { expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import { createRisk } from '../../src/risk/index.ts';
import { ask, FACTS, fillOf, FOOTBALL, limitsWith, START_MS } from './support/harness.ts';

it('judges an order by what is told of its own sport, where several use the event id', () => {
  const firstHalf = sport('fb_ht');
  const risk = createRisk({
    limits: limitsWith({ allow: { marketTypes: ['wdw'] } }),
    now: () => 100_000,
    wallNow: () => START_MS - 3_600_000,
    reference: () => ({ forBest: null, againstBest: null, fair: 0.5, ageMs: 0 }),
    eventFacts: (_, of = firstHalf) => ({
      ...{ ...FACTS, inRunning: of === FOOTBALL },
      marketTypeOf: () => (of === firstHalf ? 'wdw' : null),
    }),
    onNotice: () => undefined,
  });
  const codes = (of: typeof FOOTBALL): readonly string[] => {
    const result = risk.review(ask({ sport: of }));
    return result.ok ? [] : result.refusals.map(({ code }) => code);
  };
  expect(codes(firstHalf)).toEqual([]);
  expect(codes(FOOTBALL)).toEqual(['in_play', 'market_not_allowed']);
});

it('counts in each sport what is at stake in it, where several use the event id', () => {
  const half = sport('fb_ht');
  const [shared, other] = ['2026-11-21,1,2', '2026-11-21,3,4'].map(eventId);
  const risk = createRisk({
    limits: limitsWith({
      order: { maxStakeUsdt: 100, maxLiabilityUsdt: 100 },
      worstCase: { selectionUsdt: 100, eventUsdt: 100, competitionUsdt: 100, sportUsdt: 100 },
    }),
    now: () => 100_000,
    wallNow: () => START_MS - 3_600_000,
    reference: () => ({ forBest: null, againstBest: null, fair: 0.5, ageMs: 0 }),
    eventFacts: (id) => ({ ...FACTS, competitionId: id === shared ? 7 : 8 }),
    onNotice: () => undefined,
  });
  const codes = (of: typeof FOOTBALL): readonly string[] => {
    const result = risk.review(ask({ event: other!, sport: of, stake: 95 }));
    return result.ok ? [] : result.refusals.map(({ code }) => code);
  };
  risk.onFill(fillOf(ask({ event: shared!, stake: 95 }), 95));
  risk.onFill(fillOf(ask({ event: shared!, sport: half, stake: 1 }), 1));
  expect(codes(FOOTBALL)).toEqual(['sport_worst_case']);
  expect(codes(half)).toEqual([]);
});
