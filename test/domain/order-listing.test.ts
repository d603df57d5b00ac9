import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/domain/errors.ts';
import { orderId } from '../../src/domain/ids.ts';
import {
  lastPage,
  LONGEST_WINDOW_MS,
  MOST_PAGES,
  type OrderPage,
  updateWindows,
  WINDOW_OVERLAP_MS,
} from '../../src/domain/order-listing.ts';

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

/** A page with so many orders that can be read from the first number on, and so many that cannot. */
function page(
  first: number,
  orders: number,
  unread = 0,
): OrderPage<{ readonly orderId: ReturnType<typeof orderId> }> {
  const ids = Array.from({ length: orders + unread }, (_, at) => orderId(first + at));
  return {
    orders: ids.slice(0, orders).map((id) => ({ orderId: id })),
    unread: ids.slice(orders).map((id, at) => ({ at, label: `${id}`, orderId: id, userData: null })),
  };
}

describe('the last page of the order list', () => {
  it.each([
    // The exchange may cut a page below what was asked for, but not below its default of 25.
    [100, 24, 0, true],
    [100, 25, 0, false],
    [100, 99, 0, false],
    [100, 100, 0, false],
    [10, 9, 0, true],
    [10, 10, 0, false],
    [100, 20, 4, true],
    [100, 20, 5, false],
    [100, 0, 24, true],
    [100, 0, 25, false],
    [100, 0, 0, true],
  ])('with %d asked for and %d orders and %d others: %s', (asked, orders, unread, isLast) => {
    expect(lastPage(asked)(page(1, orders, unread))).toBe(isLast);
  });

  it('is one that shows nothing new, whether its entries can be read or not', () => {
    const isLast = lastPage(30);
    expect([page(1, 30), page(31, 0, 30), page(60, 0, 30), page(61, 29)].map(isLast)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const nameless = (label: string): OrderPage => ({
      orders: [],
      unread: Array.from({ length: 30 }, (_, at) => ({ at, label, orderId: null, userData: null })),
    });
    const again = lastPage(30);
    expect([nameless('a'), nameless('b'), nameless('b')].map(again)).toEqual([false, false, true]);
  });

  it('comes, or the list is refused', () => {
    const isLast = lastPage(25);
    for (let n = 0; n < MOST_PAGES; n++) expect(isLast(page(25 * n, 25))).toBe(false);
    expect(() => isLast(page(-25, 25))).toThrow(ProtocolError);
  });
});
