import { expect, it } from 'vitest';
import type { RecordedFill } from '../../../src/read-model/live/records.ts';
import { filledBy, gainOf } from '../../../src/web/dashboard/history/filled-by.ts';

const filled = (over: Partial<RecordedFill>): RecordedFill =>
  ({ strategy: 'a', stake: 10, markout10: null, voided: false, ...over }) as RecordedFill;

it('a strategy is told by its bets that stand, and by what those gained that were valued', () => {
  const fills = [
    filled({ stake: 20, markout10: -0.1 }),
    filled({ stake: 10 }),
    filled({ stake: 30, markout10: 0.5, voided: true }),
    filled({ stake: 40, markout10: 0.5, strategy: 'b' }),
  ];
  expect(fills.map(gainOf)).toEqual([-2, null, null, 20]);
  expect(filledBy(fills, 'a')).toEqual({ bets: 2, stake: 30, gain: -2, share: -0.1 });
  expect(filledBy(fills, 'c')).toEqual({ bets: 0, stake: 0, gain: 0, share: null });
});
