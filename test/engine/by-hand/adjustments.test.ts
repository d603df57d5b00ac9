import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAST_TICK } from '../../../src/domain/ladder.ts';
import { isBetter, PRICE_KINDS } from '../../../src/domain/odds.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { directionOfKind } from '../../../src/domain/odds.ts';
import {
  type Adjustment,
  type AdjustmentChange,
  type AdjustmentRecord,
  Adjustments,
} from '../../../src/engine/by-hand/adjustments.ts';
import { FIXTURE, HOME } from '../../market/support.ts';

const recordOf = (adjustment: Adjustment, untilMs: number | null = null): AdjustmentRecord => ({
  ...adjustment,
  event: FIXTURE,
  by: 'anna',
  why: 'a rumour',
  atMs: 1,
  untilMs,
});

const QUOTE: QuoteIntent = {
  selectionId: HOME,
  direction: 'for',
  tick: 90,
  stakeMicros: 20e6,
  level: 0,
  valueMicrosPerS: 8,
};

/** Adjustments with these records, and what they told. */
function having(...records: readonly AdjustmentRecord[]) {
  const adjustments = new Adjustments();
  const changes: AdjustmentChange[] = [];
  adjustments.change$.subscribe((change) => changes.push(change));
  for (const record of records) adjustments.set(record);
  return { adjustments, changes };
}

describe('the adjustments of an event', () => {
  it('scale the stake of a quote and what it is worth, and widen it by ticks', () => {
    const { adjustments } = having(
      recordOf({ what: 'stake', factor: 0.5 }),
      recordOf({ what: 'widen', ticks: 3 }),
    );
    const against = { ...QUOTE, direction: 'against' } as const;
    expect(adjustments.adjusted(FIXTURE, [QUOTE, against])).toEqual([
      { ...QUOTE, tick: 93, stakeMicros: 10e6, valueMicrosPerS: 4 },
      { ...against, tick: 87, stakeMicros: 10e6, valueMicrosPerS: 4 },
    ]);
  });

  it('leave takes and bets of hedges as they are', () => {
    const { adjustments } = having(recordOf({ what: 'stake', factor: 2 }));
    const take = { ...QUOTE, take: 'mine' };
    expect(adjustments.adjusted(FIXTURE, [take])).toEqual([take]);
  });

  it('never bring a quote nearer to fair, nor off the ladder', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PRICE_KINDS),
        fc.integer({ min: 0, max: LAST_TICK }),
        fc.integer({ min: 1, max: 50 }),
        (priceKind, tick, ticks) => {
          const { adjustments } = having(recordOf({ what: 'widen', ticks }));
          const direction = directionOfKind(priceKind);
          const [now] = adjustments.adjusted(FIXTURE, [{ ...QUOTE, direction, priceKind, tick }]);
          const at = now?.tick ?? NaN;
          expect(at === tick || isBetter(priceKind, at, tick)).toBe(true);
          expect(at >= 0 && at <= LAST_TICK).toBe(true);
        },
      ),
    );
  });

  it('are one of each kind: a later one replaces an earlier, and one that changes nothing ends it', () => {
    const { adjustments, changes } = having(
      recordOf({ what: 'stake', factor: 0.5 }),
      recordOf({ what: 'leave', isLeft: true }),
      recordOf({ what: 'stake', factor: 2 }),
    );
    expect(adjustments.of(FIXTURE).map(({ what }) => what)).toEqual(['leave', 'stake']);
    adjustments.set(recordOf({ what: 'stake', factor: 1 }));
    adjustments.set(recordOf({ what: 'leave', isLeft: false }));
    expect([adjustments.records(), adjustments.isLeft(FIXTURE)]).toEqual([[], false]);
    expect(changes.map(({ kind }) => kind)).toEqual(['made', 'made', 'made', 'ended', 'ended']);
  });

  it('end when their time is over, and with their event', () => {
    const { adjustments, changes } = having(
      recordOf({ what: 'leave', isLeft: true }, 100),
      recordOf({ what: 'widen', ticks: 1 }),
    );
    adjustments.expire(99);
    expect(adjustments.isLeft(FIXTURE)).toBe(true);
    adjustments.expire(100);
    expect(adjustments.of(FIXTURE)).toMatchObject([{ what: 'widen' }]);
    adjustments.forget(FIXTURE);
    expect(adjustments.records()).toEqual([]);
    expect(changes.map(({ kind }) => kind)).toEqual(['made', 'made', 'over', 'over']);
  });

  it('of an earlier run are in force again, until their time', () => {
    const { adjustments: before } = having(
      recordOf({ what: 'leave', isLeft: true }, 100),
      recordOf({ what: 'stake', factor: 2 }),
    );
    const { adjustments } = having();
    adjustments.restore(JSON.parse(JSON.stringify(before.records())) as AdjustmentRecord[]);
    expect(adjustments.records()).toEqual(before.records());
    adjustments.expire(100);
    expect(adjustments.isLeft(FIXTURE)).toBe(false);
  });
});
