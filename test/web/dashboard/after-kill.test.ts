import { describe, expect, it } from 'vitest';
import {
  closedInWords,
  heldInWords,
  nextInWords,
} from '../../../src/web/dashboard/workspace/after-kill-words.ts';
import { liveEvent } from '../../support/live-event.ts';
import { aProfit } from '../../support/status.ts';

describe('after a kill', () => {
  it('it is told whether every order is closed', () => {
    expect(closedInWords({ ordersOpen: 0, openStake: 0 })).toBe('Every order: none is open.');
    expect(closedInWords({ ordersOpen: 3, openStake: 60 })).toContain('3 open with 60.00');
  });

  it('it is told what is still held, and what that may cost', () => {
    const profit = aProfit().run;
    const held = [
      liveEvent('a', { profit, worst: -12 }),
      liveEvent('b', { profit, worst: -3 }),
      liveEvent('c', { worst: -99 }),
    ];
    expect(heldInWords([])).toBe('Nothing: no bet is matched.');
    expect(heldInWords(held)).toContain('2 events, at worst −15.00');
    expect(heldInWords(held.slice(0, 1))).toContain('on a, at worst −12.00');
  });

  it('it is told what comes next, by what this link may do', () => {
    expect(nextInWords(2, true)).toContain('Wait until no order is open');
    expect(nextInWords(0, true)).toMatch(/^Hold RESUME/);
    expect(nextInWords(0, false)).toMatch(/^Somebody with control/);
  });
});
