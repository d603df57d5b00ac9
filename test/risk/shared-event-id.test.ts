import { expect, it } from 'vitest';
import { sport } from '../../src/domain/ids.ts';
import { createRisk } from '../../src/risk/index.ts';
import { ask, FACTS, FOOTBALL, limitsWith, START_MS } from './support/harness.ts';

it('judges an order by what is told of its own sport, where several use the event id', () => {
  const firstHalf = sport('fb_ht');
  const risk = createRisk({
    limits: limitsWith({ allow: { marketTypes: ['wdw'] } }),
    now: () => 100_000,
    wallNow: () => START_MS - 3_600_000,
    reference: () => ({ forBest: null, againstBest: null, fair: 0.5, ageMs: 0 }),
    eventFacts: (_, of = firstHalf) => ({
      ...{ ...FACTS, sport: of, inRunning: of === FOOTBALL },
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
