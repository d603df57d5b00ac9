import { describe, expect, it } from 'vitest';
import { type BetType, betType, sport } from '../../../src/domain/ids.ts';
import { directionOf } from '../../../src/domain/selection.ts';
import { BetTypeGrids, CELL_COUNT, OUTCOME } from '../../../src/risk/exposure/payoffs.ts';
import { ask, bench, fillOf, FOOTBALL } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const HALF = sport('fb_ht');
const FOR = betType('for,h');
const AGAINST = betType('against,h');
const square = (code: string): string[][] =>
  Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => code));

/** A bet in the direction of its bet type. */
const betOn = (type: BetType, at = FOOTBALL) => ({
  sport: at,
  betType: type,
  direction: directionOf(type) ?? ('for' as const),
});

/** The outcome that every cell shares; null while nothing is known. */
function outcomeOf(grids: BetTypeGrids, type: BetType, at = FOOTBALL): number | null {
  const outcomes = grids.outcomes(betOn(type, at));
  if (outcomes === null) return null;
  expect(outcomes).toHaveLength(CELL_COUNT);
  expect(new Set(outcomes).size).toBe(1);
  return outcomes[0] ?? null;
}

describe('grids of bet types', () => {
  const create = () => new BetTypeGrids(['fb', 'fb_ht']);

  it('report whether anything changed', () => {
    const grids = create();
    expect([
      grids.set(null, FOR, square('w')),
      grids.set(null, FOR, square('w')),
      grids.set(null, FOR, [...square('w').slice(1), [...square('l')[0]!]]),
      grids.set(null, FOR, square('w').slice(1)),
      grids.set(FOOTBALL, FOR, square('w')),
      grids.set(HALF, FOR, square('w')),
      grids.set(FOOTBALL, FOR, square('w')),
    ]).toEqual([true, false, true, false, true, true, false]);
  });

  it('of one direction serve the other, mirrored', () => {
    const grids = create();
    grids.set(null, FOR, square('hw'));
    expect([outcomeOf(grids, FOR), outcomeOf(grids, AGAINST)]).toEqual([OUTCOME.halfWin, OUTCOME.halfLoss]);
    expect(grids.outcomes(betOn(AGAINST))).toBe(grids.outcomes(betOn(AGAINST)));
  });

  it.each([
    ['for,h', 'for', OUTCOME.halfWin],
    ['for,h', 'against', OUTCOME.halfLoss],
    ['against,h', 'against', OUTCOME.halfLoss],
    ['against,h', 'for', OUTCOME.halfWin],
  ] as const)('are read by the side that a bet on %s takes: %s', (type, direction, expected) => {
    const fromFor = create();
    fromFor.set(null, FOR, square('hw'));
    const fromAgainst = create();
    fromAgainst.set(null, AGAINST, square('hl'));
    for (const grids of [fromFor, fromAgainst])
      expect(grids.outcomes({ sport: FOOTBALL, betType: betType(type), direction })?.[0]).toBe(expected);
  });

  it('change their mirrors when they change', () => {
    const grids = create();
    grids.set(null, FOR, square('w'));
    expect(outcomeOf(grids, AGAINST)).toBe(OUTCOME.loss);
    grids.set(null, FOR, square('l'));
    expect(outcomeOf(grids, AGAINST)).toBe(OUTCOME.win);
  });

  it('override mirrors when they were looked up, in any order', () => {
    const grids = create();
    grids.set(FOOTBALL, FOR, square('w'));
    expect(outcomeOf(grids, AGAINST)).toBe(OUTCOME.loss);
    grids.set(null, AGAINST, square('p'));
    expect([outcomeOf(grids, AGAINST), outcomeOf(grids, FOR)]).toEqual([OUTCOME.push, OUTCOME.win]);
  });

  it('of a sport override those of any sport', () => {
    const grids = create();
    grids.set(null, FOR, square('w'));
    grids.set(HALF, FOR, square('l'));
    expect([outcomeOf(grids, FOR), outcomeOf(grids, FOR, HALF)]).toEqual([OUTCOME.win, OUTCOME.loss]);
    expect(outcomeOf(grids, FOR, sport('basket'))).toBeNull();
  });

  it('of a bet type without a direction have no mirror', () => {
    const grids = create();
    grids.set(null, betType('parlay,x'), square('w'));
    expect([outcomeOf(grids, betType('parlay,x')), outcomeOf(grids, betType('parlay,y'))]).toEqual([
      OUTCOME.win,
      null,
    ]);
  });
});

describe('the payoff of a cell', () => {
  /** Beside a bet of 1000 that is lost everywhere, so that a gain shows as well. */
  function profitOf(type: string, code: string): number {
    const { risk } = bench();
    risk.setGrid(betType('for,d'), square('l'));
    risk.setGrid(FOR, square(code));
    betsOf(risk).report(fillOf(ask({ betType: 'for,d' }), 1_000));
    betsOf(risk).report(fillOf(ask({ betType: type, price: 2.5 }), 20));
    return risk.exposure().account.worstMicros / 1e6 + 1_000;
  }

  it.each([
    ['w', 30, -30],
    ['hw', 15, -15],
    ['v/w', 15, -15],
    ['p', 0, 0],
    ['v', 0, 0],
    ['hl', -10, 10],
    ['l/v', -10, 10],
    ['l', -20, 20],
    ['l/w', 5, -5],
    ['?', -20, -30],
  ])('%s: %s for, %s against', (code, backed, laid) => {
    expect([profitOf('for,h', code), profitOf('against,h', code)]).toEqual([backed, laid]);
  });
});
