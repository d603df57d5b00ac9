import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { EventFacts } from '../../../src/risk/index.ts';
import { ask, bench, codesOf, FACTS, START_MS } from '../support/harness.ts';

/** The instant of each order. */
const NOW_MS = START_MS - 3_600_000;
const WIDE = {
  order: { maxStakeUsdt: 1_000, maxLiabilityUsdt: 1_000 },
  worstCase: { selectionUsdt: 1_000, eventUsdt: 1_000 },
};

describe('an order in play, or before the start', () => {
  it.each<readonly [what: string, allowed: boolean, facts: Partial<EventFacts>, code: string | null]>([
    ['a millisecond before the last minute', false, { startTimeMs: NOW_MS + 60_001 }, null],
    ['at the last minute', false, { startTimeMs: NOW_MS + 60_000 }, 'past_start'],
    ['at the start', false, { startTimeMs: NOW_MS }, 'past_start'],
    ['after a start that the exchange has not told', true, { startTimeMs: NOW_MS - 1 }, null],
    ['at the age that a score may have', true, { inRunning: true, scoreAgeMs: 20_000 }, null],
    ['a millisecond later', true, { inRunning: true, scoreAgeMs: 20_001 }, 'score_stale'],
    ['with a score of this instant', true, { inRunning: true, scoreAgeMs: 0 }, null],
    ['with no score', true, { inRunning: true, scoreAgeMs: null }, 'score_unknown'],
    ['with no score before the start', true, { inRunning: false, scoreAgeMs: null }, null],
    ['with an old score before the start', true, { inRunning: false, scoreAgeMs: 1e9 }, null],
    ['in play where that is not allowed', false, { inRunning: true }, 'in_play'],
  ])('is judged %s', (_, allowed, facts, code) => {
    const world = bench({ ...WIDE, inPlay: { allowed, stopBeforeStartS: 60, scoreMaxAgeS: 20 } });
    world.facts = { ...FACTS, ...facts };
    expect(codesOf(world.risk, ask())).toEqual(code === null ? [] : [code]);
  });
});

describe('a take', () => {
  it.each([
    ['eventUsdt', 'for,h', 2, 10, 0.6, null],
    ['eventUsdt', 'for,h', 2, 10.01, 0.6, 'take_event'],
    // It may lose half of its stake.
    ['eventUsdt', 'against,h', 1.5, 20, 0.4, null],
    ['eventUsdt', 'against,h', 1.5, 20.02, 0.4, 'take_event'],
    ['hourUsdt', 'for,h', 2, 10, 0.6, null],
    ['hourUsdt', 'for,h', 2, 10.01, 0.6, 'take_hour'],
    ['minEdge', 'for,h', 2, 5, 0.5, null],
    ['minEdge', 'for,h', 2, 5, 0.4999, 'take_edge'],
    ['minEdge', 'against,h', 2, 5, 0.5, null],
    ['minEdge', 'against,h', 2, 5, 0.5001, 'take_edge'],
  ] as const)(
    'is judged at its limit %s: %s at %d with %d, fair %d',
    (limit, betType, price, stake, fair, code) => {
      const take = {
        eventUsdt: 1_000,
        hourUsdt: 1_000,
        minEdge: 0,
        ...(limit !== 'minEdge' && { [limit]: 10 }),
      };
      const { risk } = bench({ ...WIDE, take });
      const order = { ...ask({ betType, price, stake }), stakeMicros: toMicros(stake) };
      const terms = { id: 'a', fairProbability: fair, reduces: false };
      expect(codesOf(risk, { ...order, take: terms })).toEqual(code === null ? [] : [code]);
    },
  );
});
