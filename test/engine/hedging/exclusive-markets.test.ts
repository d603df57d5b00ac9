import { describe, expect, it } from 'vitest';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { readSettlementGrid } from '../../../src/domain/payoff.ts';
import { exclusiveMarkets, type ShapedSelection } from '../../../src/engine/hedging/exclusive-markets.ts';

function shaped(outcome: string, marketType: string, group = 0): ShapedSelection {
  const parsed = parseBetType('fb', `for,${outcome}`);
  const grid = parsed && readSettlementGrid('for', winLossGrid(parsed));
  if (grid === null) throw new Error(outcome);
  const perUnit = Float64Array.from(grid.won, (won, cell) => won - (grid.lost[cell] as number));
  const shape = { group, perUnit, ofSelection: { win: 1, lose: -1 } };
  return { selectionId: outcome as SelectionId, marketType, shape };
}

const sets = (selections: readonly ShapedSelection[], isRunners = false) =>
  exclusiveMarkets(selections, () => isRunners).map((market) => market.map(({ selectionId }) => selectionId));

const many = (marketType: string, ...outcomes: readonly string[]) =>
  outcomes.map((outcome) => shaped(outcome, marketType));

describe('markets of which exactly one selection wins', () => {
  it('are found from what their selections pay in each score', () => {
    expect(sets([...many('wdw', 'h', 'd', 'a'), ...many('ou', 'over,2.5', 'under,2.5')])).toEqual([
      ['h', 'd', 'a'],
      ['over,2.5', 'under,2.5'],
    ]);
  });

  it('are pairs where a family has many lines, quarter lines included', () => {
    expect(sets(many('ah', 'ah,h,-1', 'ah,h,-4', 'ah,a,-4', 'ah,a,-1', 'ah,h,2'))).toEqual([
      ['ah,h,-1', 'ah,a,-1'],
      ['ah,h,-4', 'ah,a,-4'],
    ]);
  });

  it('leave out what is incomplete, and single selections', () => {
    expect(sets([...many('wdw', 'h', 'd'), ...many('dc', 'dc,h,d')])).toEqual([]);
  });

  it.each([
    ['both of its winners', ['dc,h,d', 'dc,d,a', 'dc,h,a']],
    ['a stake that is returned beside the winner', ['ah,h,0', 'd', 'ah,a,0']],
    ['half of a stake that is lost beside the winner', ['h', 'ah,a,1', 'ah,a,-1']],
    ['a score without a winner', ['h', 'cs,0,0', 'a']],
  ])('are not a family that pays %s', (_, outcomes) => {
    const whole = sets(many('any', ...outcomes)).filter((market) => market.length === outcomes.length);
    expect(whole).toEqual([]);
  });

  it('are the whole family of runners, and never mix groups', () => {
    const runner = (name: string, group: number): ShapedSelection => ({
      selectionId: name as SelectionId,
      marketType: 'win',
      shape: { group, perUnit: Float64Array.of(1, -1), ofSelection: { win: 1, lose: -1 } },
    });
    expect(sets([runner('x', 1), runner('y', 1), runner('z', 2)], true)).toEqual([['x', 'y']]);
  });
});
