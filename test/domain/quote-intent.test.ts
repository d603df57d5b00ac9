import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import { LAST_TICK, priceOf, tickOf } from '../../src/domain/ladder.ts';
import { liabilityMicros as lossOf, PRICE_KINDS, SELECTION_KINDS } from '../../src/domain/odds.ts';
import {
  intentKey,
  kindOfIntent,
  lifetimeOf,
  type QuoteSize,
  stakeAt,
  stakeOf,
  takeOf,
} from '../../src/domain/quote-intent.ts';
import { type Direction, DIRECTIONS } from '../../src/domain/selection.ts';

const tick = fc.integer({ min: 0, max: LAST_TICK });
const direction = fc.constantFrom(...DIRECTIONS);
const amount = fc.integer({ min: 1, max: 1e12 });

const at = (price: number): number => tickOf(price) as number;
const liabilityOf = (side: Direction, stakeMicros: number, price: number): number =>
  lossOf(SELECTION_KINDS[side], stakeMicros, price);

describe('the stake of a size', () => {
  it.each<[QuoteSize, Direction, number, number]>([
    [{ stakeMicros: 7_000_000 }, 'against', 12, 7_000_000],
    [{ liabilityMicros: 20_000_000 }, 'for', 12, 20_000_000],
    [{ liabilityMicros: 22_000_000 }, 'against', 12, 2_000_000],
    [{ liabilityMicros: 20_000_000 }, 'against', 1.01, 2_000_000_000],
    [{ contractsMicros: 24_000_000 }, 'for', 12, 2_000_000],
    [{ contractsMicros: 24_000_000 }, 'against', 12, 2_000_000],
    [{ contractsMicros: 1_070_000 }, 'for', 1.07, 1_000_000],
  ])('of %o %s at %d is %d', (size, side, price, stakeMicros) => {
    expect(stakeOf(size, side, at(price))).toBe(stakeMicros);
  });

  it('never exceeds the size, and misses it by less than one micro of stake', () => {
    fc.assert(
      fc.property(direction, tick, amount, (side, on, micros) => {
        const price = priceOf(on);
        const fromLiability = stakeOf({ liabilityMicros: micros }, side, on);
        expect(liabilityOf(side, fromLiability, price)).toBeLessThanOrEqual(micros);
        expect(liabilityOf(side, fromLiability + 1, price)).toBeGreaterThan(micros);
        const fromContracts = stakeOf({ contractsMicros: micros }, side, on);
        expect(Math.round(fromContracts * price * 100) / 100).toBeLessThanOrEqual(micros);
        expect((fromContracts + 1) * price).toBeGreaterThan(micros);
      }),
    );
  });

  it('is the stake again, after a stake was measured in contracts or by its liability', () => {
    fc.assert(
      fc.property(direction, tick, amount, (side, on, cents) => {
        // Cents at prices in hundredths: every measure is a whole number of micros.
        const stakeMicros = Math.ceil(cents / 1e4) * 10_000;
        const contractsMicros = Math.round((stakeMicros / 100) * Math.round(priceOf(on) * 100));
        expect(stakeOf({ contractsMicros }, side, on)).toBe(stakeMicros);
        const liabilityMicros = liabilityOf(side, stakeMicros, priceOf(on));
        expect(stakeOf({ liabilityMicros }, side, on)).toBe(stakeMicros);
        expect(stakeOf({ stakeMicros }, side, on)).toBe(stakeMicros);
      }),
    );
  });

  it('gives both sides of a pair the same contracts, so that their fills offset', () => {
    fc.assert(
      fc.property(tick, tick, amount, (low, high, micros) => {
        const contractsMicros = micros + 1e6;
        const bought = stakeOf({ contractsMicros }, 'for', high) * priceOf(high);
        const sold = stakeOf({ contractsMicros }, 'against', low) * priceOf(low);
        expect(Math.abs(bought - sold)).toBeLessThan(1 + Math.max(priceOf(high), priceOf(low)));
      }),
    );
  });
});

describe('the terms of an intent', () => {
  it('are those of the selection, unless it names the exchange’s own', () => {
    expect(DIRECTIONS.map((side) => kindOfIntent({ direction: side }))).toEqual(['odds-for', 'lay-for']);
    for (const priceKind of PRICE_KINDS)
      expect(kindOfIntent({ direction: 'for', priceKind })).toBe(priceKind);
  });

  it('give a size the stake of their kind', () => {
    const [liability, contracts] = [{ liabilityMicros: 22_000_000 }, { contractsMicros: 24_000_000 }];
    const stakes = (size: QuoteSize) => PRICE_KINDS.map((kind) => stakeAt(size, kind, at(12)));
    expect(stakes(liability)).toEqual([22_000_000, 22_000_000, 2_000_000, 2_000_000]);
    expect(stakes(contracts)).toEqual([2_000_000, 2_000_000, 2_000_000, 2_000_000]);
    expect(stakes({ stakeMicros: 5 })).toEqual([5, 5, 5, 5]);
  });

  it('have a key by selection, direction and level', () => {
    const intent = { selectionId: 'fb|e|h' as SelectionId, direction: 'for', level: 1 } as const;
    const others = [
      { ...intent, selectionId: 'fb|e|a' as SelectionId },
      { ...intent, direction: 'against' } as const,
      { ...intent, level: 2 },
    ];
    expect(new Set([intent, ...others].map(intentKey)).size).toBe(4);
    expect(intentKey({ ...intent })).toBe(intentKey(intent));
  });
});

describe('the take of an intent', () => {
  it.each<readonly [object, object | undefined]>([
    [{}, undefined],
    [{ hedge: 'h' }, undefined],
    [{ take: 'a' }, { id: 'a', fairProbability: null, reduces: false }],
    [
      { take: 'a', fairProbability: 0.4 },
      { id: 'a', fairProbability: 0.4, reduces: false },
    ],
    [
      { take: 'h/0', hedge: 'h' },
      { id: 'h/0', fairProbability: null, reduces: false, hedge: 'h' },
    ],
    [
      { take: 'q/1', byHand: 'q' },
      { id: 'q/1', fairProbability: null, reduces: false, byHand: 'q' },
    ],
  ])('of %o is %o, and is not yet known to reduce', (intent, take) => {
    expect(takeOf(intent).take).toEqual(take);
  });

  it('has a key of its own id, whatever its level is', () => {
    const take = { selectionId: 'fb|e|h' as SelectionId, direction: 'for', level: 0, take: 'a' } as const;
    const { take: _, ...quote } = take;
    const others = [
      quote,
      { ...take, take: 'b' },
      { ...take, direction: 'against' } as const,
      { ...take, selectionId: 'fb|e|a' as SelectionId },
      { ...take, take: '0' },
    ];
    expect(new Set([take, ...others].map(intentKey)).size).toBe(6);
    expect(intentKey({ ...take, level: 3 })).toBe(intentKey(take));
  });
});

it.each([
  ['a quote', {}, 60, 60],
  ['a quote that names its life', { lifetimeS: 8 }, 60, 8],
  ['a take', { take: 'a' }, 60, 15],
  ['a take where quotes live less', { take: 'a' }, 10, 10],
  ['a take that names its life', { take: 'a', lifetimeS: 90 }, 60, 90],
])('%s lives so long', (_, intent, durationS, lifeS) => {
  expect(lifetimeOf(intent, durationS)).toBe(lifeS);
});
