import { describe, expect, it } from 'vitest';
import { ClockLead } from '../../src/lib/clock-lead.ts';

/** A frame each second with a delay; `wallAheadMs` of ours at each. Answers the offsets that are seen. */
function offsets(frames: readonly { readonly delayMs: number; readonly aheadMs: number }[]): number[] {
  const offset = new ClockLead();
  return frames.map(({ delayMs, aheadMs }, second) => {
    const exchangeMs = 1_700_000_000_000 + second * 1_000;
    const monotonicMs = 5_000 + second * 1_000;
    return offset.observe(exchangeMs - delayMs, monotonicMs, exchangeMs + aheadMs, monotonicMs);
  });
}

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe('the lead of our wall clock', () => {
  it('does not grow with frames that waited', () => {
    const late = [4_000, 3_000, 2_000, 1_000].map((delayMs) => ({ delayMs, aheadMs: 0 }));
    expect(offsets([...times(3, { delayMs: 50, aheadMs: 0 }), ...late, { delayMs: 20, aheadMs: 0 }])).toEqual(
      [...times(7, 50), 20],
    );
  });

  it.each([5_000, -5_000])('shows a jump of our clock by %i ms at once', (aheadMs) => {
    expect(offsets([...times(2, { delayMs: 50, aheadMs: 0 }), { delayMs: 80, aheadMs }]).at(-1)).toBe(
      aheadMs + 50,
    );
  });

  it('forgets the best frame after half a minute', () => {
    const seen = offsets([{ delayMs: 10, aheadMs: 0 }, ...times(32, { delayMs: 3_000, aheadMs: 0 })]);
    expect([seen[30], seen[31]]).toEqual([10, 3_000]);
  });
});
