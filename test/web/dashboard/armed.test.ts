import { describe, expect, it } from 'vitest';
import {
  type Armed,
  confirms,
  isSameQuote,
  isSameTick,
} from '../../../src/web/dashboard/workspace/ladder/armed.ts';

const ARMED: Armed = { kind: 'quote', direction: 'for', tick: 90, sinceMs: 1_000 };

describe('a press on a ladder by hand', () => {
  it.each([
    ['the same tick, after a look', 'for', 90, 1_400, true],
    ['the same tick, within a double click', 'for', 90, 1_399, false],
    ['another tick', 'for', 91, 5_000, false],
    ['the other side', 'against', 90, 5_000, false],
  ] as const)('on %s confirms: %s %s %s %s', (_, direction, tick, atMs, isConfirmed) => {
    expect(confirms(ARMED, isSameTick(ARMED, direction, tick), atMs)).toBe(isConfirmed);
  });

  it('confirms nothing that was not armed, nor the end of another quote', () => {
    expect(confirms(null, isSameTick(null, 'for', 90), 5_000)).toBe(false);
    const armed: Armed = { kind: 'withdraw', id: 'q', sinceMs: 0 };
    expect(isSameQuote(armed, 'q')).toBe(true);
    expect(isSameQuote(armed, 'r')).toBe(false);
    expect(isSameTick(armed, 'for', 90)).toBe(false);
  });
});
