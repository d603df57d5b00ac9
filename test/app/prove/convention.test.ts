import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AGAINST_KINDS,
  concluded,
  type ConventionEvidence,
  conventionOfTick,
  honoured,
  LEAST_PRICE,
  OFF_TICK,
  type Shown,
  shownIn,
} from '../../../src/app/prove/convention.ts';
import { voteOf } from '../../../src/engine/convention/votes.ts';
import { ceilTick, floorTick, LADDER, priceOf, tickOf } from '../../../src/domain/ladder.ts';
import { complement } from '../../../src/domain/odds.ts';
import { NO_MINIMUM, type PriceList } from '../../../src/domain/price-list.ts';

const list = (...levels: readonly (readonly [price: number, stake: number])[]): PriceList =>
  levels.flatMap(([price, stake]) => [price, NO_MINIMUM, Math.round(stake * 1e6)]);

describe('the off-tick limit', () => {
  it('is off the ladder, and honoured up as odds, down as a lay price', () => {
    expect(tickOf(OFF_TICK)).toBeNull();
    expect(honoured('odds-against')).toBe(2.06);
    expect(honoured('lay-for')).toBe(2.04);
    expect([2.06, 2.04, 2.05, 2.08].map(conventionOfTick)).toEqual(['odds', 'lay', null, null]);
  });

  it('is passive under both readings on every selection from the least price on', () => {
    for (const price of LADDER.filter((each) => each >= LEAST_PRICE)) {
      // A lay order matches a `for` order at its price or less; odds match from the complement on.
      expect(honoured('lay-for') as number).toBeLessThan(price);
      expect(complement(honoured('odds-against') as number)).toBeLessThan(price);
    }
  });
});

const bookPrice = fc.constantFrom(...LADDER.filter((price) => price >= LEAST_PRICE && price <= 100));
/** The least of these is what takers against the selection get, as a price of the selection. */
const gap = fc.constantFrom(1, 1.01, 1.1, 1.5);

describe('the vote of a selection', () => {
  it('is odds for a book of odds, and lay for a book of lay prices, also with the least gap', () => {
    fc.assert(
      fc.property(bookPrice, gap, (best, wider) => {
        const forList = list([best, 10]);
        const layPrice = priceOf(ceilTick(best * wider) ?? LADDER.length - 1);
        const odds = priceOf(floorTick(complement(best * wider)) ?? 0);
        fc.pre(odds <= complement(best * wider));
        expect(voteOf(forList, list([layPrice, 10]))).toBe('lay');
        expect(voteOf(forList, list([odds, 10]))).toBe('odds');
      }),
    );
  });

  it.each([
    ['below the least price', list([2.18, 1]), list([2.2, 1])],
    ['without against offers', list([2.4, 1]), []],
    ['without for offers', [], list([2.2, 1])],
    ['crossed under both readings', list([2.4, 1]), list([2, 1])],
    ['with levels of both', list([2.4, 1]), list([2.5, 1], [1.6, 1])],
  ])('is none %s', (_, forList, against) => {
    expect(voteOf(forList, against)).toBeNull();
  });
});

describe('what shows', () => {
  const before = list([2.6, 100], [2.06, 30]);
  const shows = (price: number, stake: number) =>
    shownIn(before, list([2.6, 90], [price, stake]), AGAINST_KINDS, 1e6);

  it.each([
    [2.04, 1, { kind: 'lay-for', ownPrice: 2.04, stake: 'taker' }],
    [2.04, 1.04, { kind: 'lay-for', ownPrice: 2.04, stake: 'other side' }],
    [2.06, 31, { kind: 'lay-for', ownPrice: 2.06, stake: 'taker' }],
    [1.94, 1.06, { kind: 'odds-against', ownPrice: 2.06, stake: 'taker' }],
    [1.94, 1, { kind: 'odds-against', ownPrice: 2.06, stake: 'own' }],
    [1.96, 1.04, { kind: 'odds-against', ownPrice: 2.04, stake: 'taker' }],
    [1.94, 50, { kind: 'odds-against', ownPrice: 2.06, stake: 'neither' }],
  ] as const)('at %s with %s more', (price, stake, expected) => {
    expect(shows(price, stake)).toMatchObject({ price, ...expected });
  });

  it('is nothing where no order of ours can be, or where stake went away', () => {
    expect(shows(2.02, 1)).toBeNull();
    expect(shows(2.06, 29)).toBeNull();
  });

  it('is our stake before that of others', () => {
    const after = list([2.6, 100], [2.06, 30], [2.04, 50], [1.94, 1.06]);
    expect(shownIn(before, after, AGAINST_KINDS, 1e6)).toMatchObject({ price: 1.94, stake: 'taker' });
  });

  it('may be rounded to cents', () => {
    expect(shownIn([], list([1.94, 1.066]), AGAINST_KINDS, 1_001_000)).toMatchObject({ stake: 'taker' });
  });
});

const shown = (kind: Shown['kind'], ownPrice: number): Shown => ({
  kind,
  ownPrice,
  price: 2.04,
  stakeMicros: 1e6,
  stake: 'taker',
});
const LAY_BOOK = shown('lay-for', 2.04);
const ODDS_BOOK = shown('odds-against', 2.06);

describe('the conclusion', () => {
  const conclude = (odds: number, lay: number, rest: Partial<ConventionEvidence> = {}) =>
    concluded({ votes: { odds, lay }, reported: OFF_TICK, shown: null, ...rest }).convention;

  it.each([
    ['lay by votes and book', 0, 1, { shown: LAY_BOOK }, 'lay'],
    ['odds by votes and book', 1, 0, { shown: ODDS_BOOK }, 'odds'],
    ['odds by the book alone', 0, 0, { shown: ODDS_BOOK }, 'odds'],
    ['odds by the reported price alone', 0, 0, { reported: 2.06 }, 'odds'],
    ['lay by the reported price alone', 0, 0, { reported: 2.04 }, 'lay'],
    ['odds by ten votes alone', 10, 0, {}, 'odds'],
    ['odds by 95 % of the votes', 19, 1, {}, 'odds'],
    ['nothing by nine votes alone', 9, 0, {}, null],
    ['nothing when the votes disagree', 18, 2, { shown: ODDS_BOOK }, null],
    ['nothing when votes and book disagree', 10, 0, { shown: LAY_BOOK }, null],
    ['nothing when votes and report disagree', 0, 10, { reported: 2.06 }, null],
    ['nothing when book and report disagree', 0, 0, { reported: 2.06, shown: LAY_BOOK }, null],
    ['nothing at another tick', 0, 10, { reported: 2.08 }, null],
    ['nothing when odds move down', 0, 10, { shown: shown('odds-against', 2.04) }, null],
    ['nothing when a lay price moves up', 0, 10, { shown: shown('lay-for', 2.06) }, null],
    ['nothing without evidence', 0, 0, { reported: null }, null],
  ] as const)('is %s', (_, odds, lay, rest, convention) => {
    expect(conclude(odds, lay, rest)).toBe(convention);
  });
});
