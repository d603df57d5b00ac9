import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAST_TICK, priceOf } from '../../../../src/domain/ladder.ts';
import { priceOfLogOdds } from '../../../../src/domain/odds.ts';
import { DIRECTIONS } from '../../../../src/domain/selection.ts';
import { seededRandom } from '../../../../src/lib/random.ts';
import { Maker, MAKERS } from '../../../../src/simulator/feeds/model/maker.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const EVENT = '2030-01-02,1,2';
const OUTCOMES = [
  { outcome: 'h', popularity: 1 },
  { outcome: 'cs,1,0', popularity: 0.15 },
];
const PLACES = OUTCOMES.map(({ outcome }) => ({ sport: 'fb', eventId: EVENT, outcome }));
const HOME = PLACES[0] ?? { sport: '', eventId: '', outcome: '' };

const makerOf = (index: number, seed = 1): Maker =>
  new Maker(MAKERS[index] ?? { ...(MAKERS[0] as (typeof MAKERS)[0]) }, OUTCOMES, PLACES, seededRandom(seed));

const TERMS = { logOdds: 0, half: 0.06, risk: 30, levels: 3, deeper: 0, restless: 0, presence: 1 };
const anyLogOdds = fc.double({ min: -8, max: 8, noNaN: true });
const ticksOf = (levels: readonly { readonly tick: number }[]): number[] => levels.map(({ tick }) => tick);

describe('a background maker', () => {
  it('always quotes outside fair, on the ladder, level after level', () => {
    fc.assert(
      fc.property(
        fc.nat(MAKERS.length - 1),
        fc.integer(),
        anyLogOdds,
        fc.double({ min: 0.005, max: 3, noNaN: true }),
        (index, seed, logOdds, half) => {
          const sides = makerOf(index, seed).decide(0, { ...TERMS, logOdds, half });
          const fair = priceOfLogOdds(logOdds);
          const [lows, highs] = [ticksOf(sides.against), ticksOf(sides.for)];
          for (const tick of [...lows, ...highs]) {
            expect(tick).toBeGreaterThanOrEqual(0);
            expect(tick).toBeLessThanOrEqual(LAST_TICK);
          }
          expect(lows).toEqual([...new Set(lows)].sort((a, b) => b - a));
          expect(highs).toEqual([...new Set(highs)].sort((a, b) => a - b));
          for (const tick of lows) expect(priceOf(tick)).toBeLessThanOrEqual(fair);
          for (const tick of highs) expect(priceOf(tick)).toBeGreaterThanOrEqual(fair);
          for (const { stakeMicros } of DIRECTIONS.flatMap((d) => sides[d])) {
            expect(stakeMicros).toBeGreaterThan(0);
            expect(stakeMicros % 10_000).toBe(0);
          }
        },
      ),
    );
  });

  it('omits what is decided, all but decided, not popular enough for it, or of no interest', () => {
    const decides = (maker: number, index: number, more: object): boolean => {
      const sides = makerOf(maker).decide(index, { ...TERMS, ...more });
      return sides.for.length + sides.against.length > 0;
    };
    expect([decides(0, 0, {}), decides(0, 1, { logOdds: 2 })]).toEqual([true, true]);
    expect([decides(3, 0, {}), decides(3, 1, { logOdds: 2 })]).toEqual([true, false]);
    for (const logOdds of [Infinity, -Infinity, 7, NaN]) expect(decides(0, 0, { logOdds })).toBe(false);
    expect(decides(0, 0, { presence: 0 })).toBe(false);
  });

  it('adds to the book what it decided, keeps what is no better, and removes what is', () => {
    const market = new RecordingMarket();
    const maker = makerOf(0);
    const posted = { for: new Set<number>(), against: new Set<number>() };
    for (const [nowMs, logOdds] of [0, 0.2, -0.5].entries()) {
      const quotes = maker.decide(0, { ...TERMS, logOdds });
      maker.post(market, 0, quotes, nowMs);
      for (const direction of DIRECTIONS) {
        const prices = market.levels(HOME, direction).map(({ price }) => price);
        const wanted = quotes[direction].map(({ tick }) => priceOf(tick));
        // The best is what it wants; others are wanted, or were posted before.
        expect(prices[0]).toBe(wanted[0]);
        for (const price of wanted) expect(prices).toContain(price);
        for (const price of wanted) posted[direction].add(price);
        expect(prices.filter((price) => !posted[direction].has(price))).toEqual([]);
      }
    }
    maker.clear(market, 9);
    expect(PLACES.flatMap((at) => DIRECTIONS.flatMap((direction) => market.levels(at, direction)))).toEqual(
      [],
    );
  });

  it('never leaves a book crossed, whatever fair prices do', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(MAKERS.length - 1), fc.double({ min: -2, max: 2, noNaN: true })), {
          maxLength: 30,
          size: 'max',
        }),
        (acts) => {
          const market = new RecordingMarket();
          const makers = MAKERS.map((_, index) => makerOf(index, index));
          for (const [nowMs, [index, logOdds]] of acts.entries()) {
            const maker = makers[index] as Maker;
            maker.post(market, 0, maker.decide(0, { ...TERMS, logOdds }), nowMs);
            const [back, lay] = [market.levels(HOME, 'against')[0], market.levels(HOME, 'for')[0]];
            if (back !== undefined && lay !== undefined) expect(back.price).toBeLessThan(lay.price);
          }
        },
      ),
    );
  });

  it('hardly touches the book while fair prices do not change', () => {
    const market = new RecordingMarket();
    const maker = makerOf(0);
    const requote = (): number => {
      const before = market.calls.length;
      maker.post(market, 0, maker.decide(0, TERMS), 0);
      return market.calls.length - before;
    };
    const first = requote();
    const later = Array.from({ length: 50 }, requote).reduce((sum, calls) => sum + calls, 0) / 50;
    expect(first).toBe(6);
    expect(later).toBeLessThan(first / 4);
  });

  it('offers again what was taken of its best level', () => {
    const market = new RecordingMarket();
    const maker = makerOf(0);
    maker.post(market, 0, maker.decide(0, TERMS), 0);
    const [before] = market.levels(HOME, 'against');
    market.take(HOME, 'for', 1.01, 1_000_000, 1);
    expect(market.levels(HOME, 'against')[0]).not.toEqual(before);
    maker.refill(market, 0, 'against', 1);
    expect(market.levels(HOME, 'against')[0]).toEqual(before);
  });

  it('never returns to a selection it withdrew from', () => {
    const market = new RecordingMarket();
    const maker = makerOf(0);
    maker.post(market, 0, maker.decide(0, TERMS), 0);
    maker.withdraw(market, 0, 1);
    maker.post(market, 0, maker.decide(0, TERMS), 2);
    expect(market.levels(HOME, 'for')).toEqual([]);
  });
});
