import { expect, it } from 'vitest';
import { eventId } from '../../../src/domain/ids.ts';
import { createRisk } from '../../../src/risk/index.ts';
import { ask, EVENT, FACTS, limitsWith, START_MS } from '../support/harness.ts';

const DAY_MS = 86_400_000;

it('judges an order on a moved event by its new day, the whole event included', () => {
  let startTimeMs = START_MS;
  const risk = createRisk({
    limits: limitsWith({
      worstCase: { selectionUsdt: 1000, eventUsdt: 1000, dayUsdt: 1000 },
      order: { maxStakeUsdt: 500, maxLiabilityUsdt: 500 },
    }),
    now: () => 100_000,
    wallNow: () => START_MS - 3_600_000,
    reference: () => ({ forBest: null, againstBest: null, fair: 0.5, ageMs: 0 }),
    eventFacts: ({ eventId: id }) => ({
      ...FACTS,
      startTimeMs: id === EVENT ? startTimeMs : START_MS + DAY_MS,
    }),
    onNotice: () => undefined,
  });
  const other = eventId('2026-11-22,30,40');
  expect(risk.approve(ask({ stake: 450 })).ok).toBe(true);
  expect(risk.approve(ask({ stake: 500, event: other })).ok).toBe(true);
  startTimeMs += DAY_MS;
  const result = risk.approve(ask({ stake: 100, betType: 'for,d' }));
  expect(result).toMatchObject({ ok: false, refusals: [{ code: 'day_worst_case', actual: 1_050 }] });
});
