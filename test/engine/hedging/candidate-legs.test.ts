import { describe, expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import { priceOf, tickOf } from '../../../src/domain/ladder.ts';
import { packLevels } from '../../../src/domain/price-list.ts';
import { candidateLegs, stillHolds } from '../../../src/engine/hedging/candidate-legs.ts';
import {
  AGAINST,
  eventEntry,
  FIXTURE,
  FOR,
  HOME,
  offerEntry,
  prices,
  quoteEntry,
  rig,
} from '../../market/support.ts';

const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'against' };

function market(meaning: ExchangePrices = LAY_PRICES, against = AGAINST) {
  const world = rig({}, undefined, { current: meaning });
  world.frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', against)]);
  return world;
}

const shown = (legs: ReturnType<typeof candidateLegs>) =>
  legs.map(({ direction, priceKind, tick, availableMicros, minStakeMicros }) => [
    direction,
    priceKind,
    priceOf(tick),
    availableMicros / 1e6,
    minStakeMicros / 1e6,
  ]);

describe('the bets that take what is there', () => {
  it('go through the levels, the best first, with the stake of all of them', () => {
    const legs = candidateLegs(market().market, FIXTURE, LAY_PRICES, 'take');
    expect(shown(legs)).toEqual([
      ['for', 'odds-for', 2, 100, 0],
      ['for', 'odds-for', 1.99, 150, 0],
      ['against', 'lay-for', 2.04, 40, 0],
      ['against', 'lay-for', 2.06, 110, 0],
    ]);
    expect(legs[0]).toMatchObject({ selectionId: HOME, betType: 'for,h', way: 'take', hasBetslip: false });
  });

  it('go through four levels at most, those that a taker gets first', () => {
    const world = rig({}, undefined, { current: LAY_PRICES });
    const steps = [0, 1, 2, 3, 4, 5];
    const list = (first: number) => prices(...steps.map((step) => [first - step / 50, 10 + step] as const));
    world.frame([eventEntry(), offerEntry('for,h', list(2)), offerEntry('against,h', list(2.2))]);
    expect(shown(candidateLegs(world.market, FIXTURE, LAY_PRICES, 'take'))).toEqual([
      ['for', 'odds-for', 2, 10, 0],
      ['for', 'odds-for', 1.98, 21, 0],
      ['for', 'odds-for', 1.96, 33, 0],
      ['for', 'odds-for', 1.94, 46, 0],
      ['against', 'lay-for', 2.1, 15, 0],
      ['against', 'lay-for', 2.12, 29, 0],
      ['against', 'lay-for', 2.14, 42, 0],
      ['against', 'lay-for', 2.16, 54, 0],
    ]);
  });

  it('cost what their prices are away from the middle', () => {
    const [best, , lay] = candidateLegs(market().market, FIXTURE, LAY_PRICES, 'take');
    const mid = (1 / 2 + 1 / 2.04) / 2;
    expect(best?.lossPerUnit).toBeCloseTo(1 - 2 * mid, 9);
    expect(lay?.lossPerUnit).toBeCloseTo(2.04 * mid - 1, 9);
  });

  it('are in the terms of the exchange', () => {
    const { market: odds } = market(ODDS, prices([1.95, 30], [1.9, 60]));
    const legs = candidateLegs(odds, FIXTURE, ODDS, 'take').filter(
      ({ direction }) => direction === 'against',
    );
    expect(shown(legs)).toEqual([
      ['against', 'odds-against', 1.95, 30, 0],
      ['against', 'odds-against', 1.9, 90, 0],
    ]);
  });

  it.each([
    // The middle of 1.90 and 2.20 is 2.04, below the price from which lay prices are finer.
    ['by the middle of both sides', [1.9], [1.83], 'odds-against'],
    ['by the middle of both sides, where that is higher', [2.2], [1.75], 'lay-for'],
  ] as const)('against it have the finer prices, %s', (_, backed, against, kind) => {
    const finer: ExchangePrices = { convention: 'odds', secondSide: 'finer' };
    const world = rig({}, undefined, { current: finer });
    world.frame([
      eventEntry(),
      ...backed.map((price) => offerEntry('for,h', prices([price, 100]))),
      ...against.map((price) => offerEntry('against,h', prices([price, 100]))),
    ]);
    const kinds = candidateLegs(world.market, FIXTURE, finer, 'take')
      .filter(({ direction }) => direction === 'against')
      .map(({ priceKind }) => priceKind);
    expect(kinds).toEqual([kind]);
  });

  it('have the largest minimum on the way, and know their betslip', () => {
    const world = market();
    const list = packLevels([
      { price: 2, minMicros: 3e6, maxMicros: 10e6 },
      { price: 1.98, minMicros: 2e6, maxMicros: 10e6 },
    ]);
    world.frame([quoteEntry('for,h', list)]);
    const legs = candidateLegs(world.market, FIXTURE, LAY_PRICES, 'take').filter(
      ({ direction }) => direction === 'for',
    );
    expect(shown(legs)).toEqual([
      ['for', 'odds-for', 2, 10, 3],
      ['for', 'odds-for', 1.98, 20, 3],
    ]);
    expect(legs.every(({ hasBetslip }) => hasBetslip)).toBe(true);
  });

  it('still hold while their tick has their stake', () => {
    const { market: now } = market();
    const legs = candidateLegs(now, FIXTURE, LAY_PRICES, 'take');
    const leg = { selectionId: HOME, direction: 'for' as const, priceKind: 'odds-for' as const };
    const at = (price: number) => ({ ...leg, tick: tickOf(price) as number });
    expect(stillHolds(at(2), 100e6, legs)).toBe(true);
    expect(stillHolds(at(2), 101e6, legs)).toBe(false);
    expect(stillHolds(at(1.99), 101e6, legs)).toBe(true);
    expect(stillHolds(at(2.02), 1e6, legs)).toBe(false);
    // A better price that came since is as good.
    expect(stillHolds(at(1.95), 101e6, legs)).toBe(true);
  });

  it('hold by a bet of their own selection, side and kind of price alone', () => {
    const legs = candidateLegs(market().market, FIXTURE, LAY_PRICES, 'take');
    const planned = { selectionId: HOME, direction: 'for', priceKind: 'odds-for', tick: tickOf(2) } as const;
    const holds = (over: object): boolean => stillHolds({ ...planned, ...over } as never, 10e6, legs);
    expect(holds({})).toBe(true);
    expect(holds({ selectionId: 'fb|2026-11-21,10,20|d' })).toBe(false);
    expect(holds({ direction: 'against' })).toBe(false);
    expect(holds({ priceKind: 'lay-against' })).toBe(false);
    const laid = { direction: 'against', priceKind: 'lay-for' };
    expect([2.06, 2.04, 2.02].map((price) => holds({ ...laid, tick: tickOf(price) }))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('are at the least stake of an order or above, or at the minimum of their prices if that is more', () => {
    const world = market();
    const list = packLevels([{ price: 2, minMicros: 3e6, maxMicros: 10e6 }]);
    world.frame([quoteEntry('for,h', list)]);
    for (const [leastMicros, minimum] of [
      [0, 3],
      [2.9e6, 3],
      [3.1e6, 3.1],
    ] as const)
      for (const way of ['take', 'offer'] as const) {
        const [leg] = candidateLegs(world.market, FIXTURE, LAY_PRICES, way, leastMicros);
        expect([way, leg?.minStakeMicros]).toEqual([way, way === 'take' ? minimum * 1e6 : leastMicros]);
      }
  });

  it('know the betslip of their own side', () => {
    const world = market();
    world.frame([quoteEntry('against,h', prices([2.04, 40]))]);
    const legs = candidateLegs(world.market, FIXTURE, LAY_PRICES, 'offer');
    expect(legs.map(({ direction, hasBetslip }) => [direction, hasBetslip])).toEqual([
      ['for', false],
      ['against', true],
    ]);
  });
});

describe('the bets that are offered', () => {
  it('rest beside the best offers of their side, without an end of their stake', () => {
    expect(shown(candidateLegs(market().market, FIXTURE, LAY_PRICES, 'offer'))).toEqual([
      ['for', 'odds-for', 2.04, Infinity, 0],
      ['against', 'lay-for', 2, Infinity, 0],
    ]);
  });

  it.each([
    [2.2, 'lay-for'],
    [1.9, 'odds-against'],
  ] as const)('against it have the finer prices by the only side that is there: %d', (price, kind) => {
    const finer: ExchangePrices = { convention: 'odds', secondSide: 'finer' };
    const world = rig({}, undefined, { current: finer });
    world.frame([eventEntry(), offerEntry('for,h', prices([price, 100])), offerEntry('against,h', prices())]);
    const legs = candidateLegs(world.market, FIXTURE, finer, 'offer');
    expect(legs.map(({ direction, priceKind }) => [direction, priceKind])).toEqual([['against', kind]]);
  });

  it('are none where the other side is empty', () => {
    const world = rig();
    world.frame([eventEntry(), offerEntry('for,h', FOR)]);
    expect(shown(candidateLegs(world.market, FIXTURE, LAY_PRICES, 'offer'))).toEqual([]);
  });
});
