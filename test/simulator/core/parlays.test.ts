import { describe, expect, it } from 'vitest';
import type { MarketBook, OrderRecord } from '../../../src/simulator/core/model.ts';
import { parlayLevel, parlayPrice } from '../../../src/simulator/core/parlays.ts';

interface Leg {
  /** What the book shows, the best first: price and stake. */
  readonly levels: readonly (readonly [price: number, stakeMicros: number])[];
  readonly isHalted?: boolean;
}

const bookOf = ({ levels, isHalted = false }: Leg): MarketBook =>
  ({
    isHalted,
    shownLevels: (view: string) =>
      view === 'odds-for' ? levels.map(([price, stakeMicros]) => ({ price, stakeMicros })) : [],
  }) as unknown as MarketBook;

const A: Leg = {
  levels: [
    [2.5, 40],
    [2.4, 900],
  ],
};
const B: Leg = { levels: [[1.6, 70]] };
const EMPTY: Leg = { levels: [] };

interface Wish {
  readonly wantPrice: number;
  readonly stakeMicros: number;
  readonly acceptBetterPrice?: boolean;
  readonly forceWantPrice?: boolean;
}

function orderOf(legs: readonly Leg[], { wantPrice, stakeMicros, ...terms }: Wish): OrderRecord {
  return {
    wantPrice,
    stakeMicros,
    legs: legs.map((leg) => ({ market: bookOf(leg), price: 1.01 })),
    terms: { acceptBetterPrice: true, forceWantPrice: false, ...terms },
  } as unknown as OrderRecord;
}

describe('the level of a parlay', () => {
  it.each<[what: string, legs: readonly Leg[], level: readonly [number, number] | null]>([
    ['one leg', [A], [2.5, 40]],
    ['two legs, the first of which has less stake', [A, B], [4, 40]],
    ['two legs, the second of which has less stake', [B, A], [4, 40]],
    ['three legs', [A, B, { levels: [[3, 10]] }], [12, 10]],
    ['a leg without a price, first', [EMPTY, A], null],
    ['a leg without a price, last', [A, EMPTY], null],
    ['a product of many digits', [{ levels: [[1.111111, 5]] }, { levels: [[1.111111, 5]] }], [1.234568, 5]],
  ])('of %s', (_, legs, level) => {
    expect(parlayLevel(legs.map(bookOf))).toEqual(
      level === null ? null : { price: level[0], stakeMicros: level[1], minBetMicros: 0 },
    );
  });
});

describe('the house', () => {
  it.each<[what: string, legs: readonly Leg[], wish: Wish, price: number | null]>([
    ['at the price', [A, B], { wantPrice: 4, stakeMicros: 40 }, 4],
    ['at a better price', [A, B], { wantPrice: 3.9, stakeMicros: 40 }, 4],
    ['not at a worse price', [A, B], { wantPrice: 4.000001, stakeMicros: 40 }, null],
    [
      'at exactly the price, if no better one is wanted',
      [A, B],
      { wantPrice: 4, stakeMicros: 1, acceptBetterPrice: false },
      4,
    ],
    [
      'not at a better price, if none is wanted',
      [A, B],
      { wantPrice: 3.9, stakeMicros: 1, acceptBetterPrice: false },
      null,
    ],
    [
      'the wanted price, if it is forced',
      [A, B],
      { wantPrice: 3.9, stakeMicros: 1, forceWantPrice: true },
      3.9,
    ],
    ['not more than the smallest stake', [A, B], { wantPrice: 4, stakeMicros: 41 }, null],
    [
      'nothing with a halted first leg',
      [{ ...A, isHalted: true }, B],
      { wantPrice: 4, stakeMicros: 1 },
      null,
    ],
    ['nothing with a halted last leg', [A, { ...B, isHalted: true }], { wantPrice: 4, stakeMicros: 1 }, null],
    ['nothing with a leg that has no price', [A, EMPTY], { wantPrice: 1.01, stakeMicros: 1 }, null],
  ])('sells %s', (_, legs, wish, price) => {
    const order = orderOf(legs, wish);
    expect(parlayPrice(order)).toBe(price);
    // What is not sold keeps the prices of its legs.
    const best = legs.map(({ levels }) => levels[0]?.[0]);
    expect(order.legs.map((leg) => leg.price)).toEqual(price === null ? [1.01, 1.01] : best);
  });
});
