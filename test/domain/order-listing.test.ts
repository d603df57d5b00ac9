import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_WINDOW_MS, updateWindows, WINDOW_OVERLAP_MS } from '../../src/domain/order-listing.ts';

describe('update windows', () => {
  it('leave no gap, overlap, and are never longer than the exchange accepts', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e8), (fromMs, lengthMs) => {
        const toMs = fromMs + lengthMs;
        const windows = [...updateWindows(fromMs, toMs)];
        expect(windows.length > 0).toBe(lengthMs > 0);
        if (lengthMs === 0) return;
        expect([windows[0]?.fromMs, windows.at(-1)?.toMs]).toEqual([fromMs, toMs]);
        for (const [i, window] of windows.entries()) {
          expect(window.toMs - window.fromMs).toBeLessThanOrEqual(LONGEST_WINDOW_MS);
          const before = windows[i - 1];
          if (before !== undefined) expect(before.toMs - window.fromMs).toBe(WINDOW_OVERLAP_MS);
        }
      }),
    );
  });
});
