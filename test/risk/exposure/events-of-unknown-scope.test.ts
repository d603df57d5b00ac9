import { expect, it } from 'vitest';
import { eventId } from '../../../src/domain/ids.ts';
import { createRisk, type EventFacts } from '../../../src/risk/index.ts';
import { ask, EVENT, FACTS, fillOf, limitsWith, START_MS } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const DAY_MS = 86_400_000;
const OTHER = eventId('2026-11-21,30,40');
const ELSEWHERE: EventFacts = { ...FACTS, competitionId: 8, startTimeMs: START_MS + DAY_MS };

/**
 * The refusals of an order of 10 on another event, beside a worst case of -95 on an event with these facts.
 */
function refusedBeside(facts: EventFacts | null, limit: string): readonly string[] {
  const known = new Map<string, EventFacts | null>([[OTHER, FACTS]]);
  const risk = createRisk({
    limits: limitsWith({
      worstCase: { selectionUsdt: 100, eventUsdt: 100, [limit]: 100 },
      order: { maxStakeUsdt: 100, maxLiabilityUsdt: 100 },
    }),
    now: () => 100_000,
    wallNow: () => START_MS - 3_600_000,
    reference: () => ({ forBest: null, againstBest: null, fair: 0.5, ageMs: 0 }),
    eventFacts: ({ eventId: id }) => known.get(id) ?? null,
    onNotice: () => undefined,
  });
  // After a restart bets arrive before the catalogue, which never describes an ended event.
  betsOf(risk).report(fillOf(ask({ stake: 95 }), 95));
  known.set(EVENT, facts);
  const result = risk.approve(ask({ event: OTHER }));
  return result.ok ? [] : result.refusals.map(({ code }) => code);
}

it.each([
  ['competitionUsdt', 'competition_worst_case'],
  ['dayUsdt', 'day_worst_case'],
])('counts an event with an unknown place in every place: %s', (limit, code) => {
  expect(refusedBeside(null, limit)).toEqual([code]);
  expect(refusedBeside(FACTS, limit)).toEqual([code]);
  expect(refusedBeside(ELSEWHERE, limit)).toEqual([]);
});
