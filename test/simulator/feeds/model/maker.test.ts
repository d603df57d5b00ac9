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

const anyLogOdds = fc.double({ min: -8, max: 8, noNaN: true });

describe('a background maker', () => {
  it('always quotes outside fair, on the ladder, level after level', () => {
    fc.assert(
      fc.property(
        fc.nat(MAKERS.length - 1),
        fc.integer(),
        anyLogOdds,
        fc.double({ min: 1, max: 3, noNaN: true }),
        (index, seed, logOdds, widen) => {
          const [sides] = makerOf(index, seed).decide(Float64Array.of(logOdds, 0), widen);
          const fair = priceOfLogOdds(logOdds);
          const lows = sides?.against.map(({ tick }) => tick) ?? [];
          const highs = sides?.for.map(({ tick }) => tick) ?? [];
          for (const tick of [...lows, ...highs]) {
            expect(tick).toBeGreaterThanOrEqual(0);
            expect(tick).toBeLessThanOrEqual(LAST_TICK);
          }
          expect(lows).toEqual([...new Set(lows)].sort((a, b) => b - a));
          expect(highs).toEqual([...new Set(highs)].sort((a, b) => a - b));
          for (const tick of lows) expect(priceOf(tick)).toBeLessThanOrEqual(fair);
          for (const tick of highs) expect(priceOf(tick)).toBeGreaterThanOrEqual(fair);
          for (const { stakeMicros } of DIRECTIONS.flatMap((d) => sides?.[d] ?? [])) {
            expect(stakeMicros).toBeGreaterThan(0);
            expect(stakeMicros % 10_000).toBe(0);
          }
        },
      ),
    );
  });

  it('omits what is decided, all but decided, or not popular enough for it', () => {
    const decide = (index: number, one: number, other: number) =>
      makerOf(index)
        .decide(Float64Array.of(one, other), 1)
        .map((sides) => sides.for.length + sides.against.length > 0);
    expect(decide(0, 0, 2)).toEqual([true, true]);
    expect(decide(3, 0, 2)).toEqual([true, false]);
    expect(decide(0, Infinity, -Infinity)).toEqual([false, false]);
    expect(decide(0, 6, NaN)).toEqual([false, false]);
  });

  it('adds to the book what it decided, and removes what it no longer wants', () => {
    const market = new RecordingMarket();
    const maker = makerOf(0);
    for (const [nowMs, logOdds] of [0, 0.2, -0.5].entries()) {
      const sheet = maker.decide(Float64Array.of(logOdds, 2), 1);
      maker.post(market, sheet, nowMs);
      for (const direction of DIRECTIONS) {
        const wanted = sheet[0]?.[direction].map(({ tick }) => priceOf(tick));
        expect(market.levels(HOME, direction).map(({ price }) => price)).toEqual(wanted);
      }
    }
    maker.clear(market, 9);
    expect(PLACES.flatMap((at) => DIRECTIONS.flatMap((direction) => market.levels(at, direction)))).toEqual(
      [],
    );
  });

  it('hardly touches the book while fair prices do not change', () => {
    const market = new RecordingMarket();
    const maker = makerOf(0);
    const requote = (): number => {
      const before = market.calls.length;
      maker.post(market, maker.decide(Float64Array.of(0, 2), 1), 0);
      return market.calls.length - before;
    };
    const first = requote();
    const later = Array.from({ length: 50 }, requote).reduce((sum, calls) => sum + calls, 0) / 50;
    expect(first).toBe(12);
    expect(later).toBeLessThan(first / 2);
  });

  it('never returns to a selection it withdrew from', () => {
    const market = new RecordingMarket();
    const maker = makerOf(0);
    maker.post(market, maker.decide(Float64Array.of(0, 2), 1), 0);
    maker.withdraw(market, 0, 1);
    maker.post(market, maker.decide(Float64Array.of(0, 2), 1), 2);
    expect(market.levels(HOME, 'for')).toEqual([]);
  });
});
