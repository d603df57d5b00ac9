import { expect, it } from 'vitest';
import { ProfitsKept } from '../../../src/app/history/profits-kept.ts';
import type { EventKey } from '../../../src/domain/ids.ts';
import { aProfit } from '../../support/status.ts';

const MINUTE_MS = 60_000;
const WORDS = aProfit().run;

const report = (strategy: number, event: number) => ({
  byStrategy: [{ ...WORDS, name: 'symmetric', expected: strategy }],
  byEvent: [{ ...WORDS, event: 'Northgate v Harbour', eventKey: 'fb|1' as EventKey, expected: event }],
});

it('keeps what strategies and events have brought once a minute, where it changed', () => {
  const kept = new ProfitsKept();
  const strategy = { of: 'strategy', name: 'symmetric' };
  const event = { of: 'event', name: 'fb|1' };
  expect(kept.at(7, report(1.5, -2))).toEqual([
    { atMs: 7, ...strategy, profitMicros: 1_500_000 },
    { atMs: 7, ...event, profitMicros: -2_000_000 },
  ]);
  expect(kept.at(6 + MINUTE_MS, report(2, -3))).toEqual([]);
  expect(kept.at(7 + MINUTE_MS, report(2, -2))).toEqual([
    { atMs: 7 + MINUTE_MS, ...strategy, profitMicros: 2_000_000 },
  ]);
  // What the report no longer names is forgotten.
  expect(kept.at(7 + 2 * MINUTE_MS, { ...report(2, 0), byEvent: [] })).toEqual([]);
  expect(kept.at(7 + 3 * MINUTE_MS, report(2, -2))).toHaveLength(1);
});
