import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.ts';
import { SHARE } from './support/share.ts';
import { offerOrders, pressLimits } from './support/storm-properties.ts';
import { compareOpinions, TIGHT } from './support/storm.ts';

describe('a storm of intents, answers, fills and lookups', () => {
  it('agrees with a second, naive model after every step', () => {
    expect(compareOpinions(1_500 * SHARE, (life) => seededRandom(life, 'opinions'))).toEqual([]);
  });

  it('never exceeds the limit of an event or of the account', () => {
    const { passed, closestUsdt } = pressLimits(6 * SHARE, (life) => seededRandom(life, 'limits'));
    expect(passed).toBe(0);
    // The storm proves nothing unless it presses against the limit.
    if (SHARE === 1) expect(closestUsdt).toBeLessThan(-TIGHT.worstCase.accountUsdt * 0.95);
  });

  it('never refuses an order for exposure that improves the worst case, and is never worse off for it', () => {
    const { helping, wronged, refused } = offerOrders(6 * SHARE, (life) => seededRandom(life, 'helping'));
    expect(wronged).toBe(0);
    // The storm proves nothing unless it offers both kinds.
    if (SHARE === 1) expect([helping > 50, refused > 50]).toEqual([true, true]);
  });
});
