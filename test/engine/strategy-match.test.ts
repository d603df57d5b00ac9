import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventView } from '../../src/domain/event-view.ts';
import type { SelectionId } from '../../src/domain/ids.ts';
import { isForAll, match, MATCHES_ALL, type MatchRules } from '../../src/engine/strategy-match.ts';
import { eventView, selectionView } from '../strategy/support.ts';

const HOUR_MS = 3_600_000;
/** Offers 10 to takers in each direction. */
const HOME = selectionView([[2, 10]], [[2.1, 10]]);
const OVER = selectionView([[1.9, 50]], [[2, 50]], { outcome: 'ou,2.5', marketType: 'ou' });
const VIEW = eventView([HOME, OVER]);
const NONE: ReadonlySet<SelectionId> = new Set();
const rules = (some: Partial<MatchRules>): MatchRules => ({ ...MATCHES_ALL, ...some });

/** The outcomes that a strategy sees, or why it sees none. */
function seen(
  some: Partial<MatchRules>,
  view: Partial<EventView> = {},
  shown = NONE,
): readonly string[] | string {
  const found = match(rules(some), { ...VIEW, ...view }, shown);
  return found.view === null ? found.reason : found.view.selections.map(({ outcome }) => outcome);
}

const ALL = ['h', 'ou,2.5'];

describe('match rules', () => {
  it.each<[Partial<MatchRules>, Partial<EventView>, readonly string[] | string]>([
    [{}, {}, ALL],
    [{ sports: ['fb', 'tennis'] }, {}, ALL],
    [{ sports: ['tennis'] }, {}, 'its sport is fb'],
    [{ competitions: ['Premier League'] }, {}, ALL],
    [{ competitions: ['7'] }, {}, ALL],
    [{ competitions: ['Cup'] }, {}, 'its competition is Premier League'],
    [{ competitions: ['Cup'] }, { competitionName: null }, 'its competition is 7'],
    [
      { competitions: ['Cup'] },
      { competitionName: null, competitionId: null },
      'its competition is not known',
    ],
    [{ marketTypes: ['ou'] }, {}, ['ou,2.5']],
    [{ marketTypes: ['ah'] }, {}, 'its market family is wdw'],
    [{ startsWithinMs: HOUR_MS }, {}, ALL],
    [{ startsWithinMs: HOUR_MS - 1 }, {}, 'it starts too late'],
    [{ startsWithinMs: HOUR_MS - 1 }, { startsInMs: -1 }, ALL],
    [{ startsWithinMs: HOUR_MS }, { startsInMs: null }, 'its start is not known'],
    [{ startsWithinMs: HOUR_MS }, { startsInMs: null, inRunning: true }, ALL],
    [{ startsAfterMs: HOUR_MS }, {}, ALL],
    [{ startsAfterMs: HOUR_MS + 1 }, {}, 'it starts too soon'],
    [{ startsAfterMs: 0 }, { inRunning: true }, 'it is in play'],
    [{ inPlay: true }, {}, 'it is not in play'],
    [{ inPlay: true }, { inRunning: true }, ALL],
    [{ inPlay: true }, { startsInMs: -1 }, ALL],
    [{ inPlay: false }, {}, ALL],
    [{ inPlay: false }, { startsInMs: -1 }, 'it is in play'],
    [{ minLiquidityMicros: 10e6 }, {}, ALL],
    [{ minLiquidityMicros: 11e6 }, {}, ['ou,2.5']],
    [{ minLiquidityMicros: 51e6 }, {}, 'too little is offered'],
  ])('%j on %j: %j', (some, view, expected) => {
    expect(seen(some, view)).toEqual(expected);
  });

  it('need half the liquidity of a selection that was shown before', () => {
    const shown = new Set([HOME.selectionId]);
    expect(seen({ minLiquidityMicros: 20e6 }, {}, shown)).toEqual(ALL);
    expect(seen({ minLiquidityMicros: 21e6 }, {}, shown)).toEqual(['ou,2.5']);
  });

  it('keep a shown selection while its prices are stale, and admit no other', () => {
    const stale = { selections: [selectionView(null, [[2.1, 10]])] };
    expect(seen({ minLiquidityMicros: 1 }, stale, new Set([HOME.selectionId]))).toEqual(['h']);
    expect(seen({ minLiquidityMicros: 1 }, stale)).toBe('its liquidity is not known');
  });

  it('show the view itself if they leave nothing out', () => {
    expect(match(MATCHES_ALL, VIEW, NONE).view).toBe(VIEW);
  });

  it('are for all exactly when no rule is set', () => {
    const list = fc.subarray(['fb', 'tennis']);
    const some = fc.record({
      sports: list,
      competitions: list,
      marketTypes: list,
      startsWithinMs: fc.option(fc.nat()),
      startsAfterMs: fc.option(fc.nat()),
      inPlay: fc.option(fc.boolean()),
      minLiquidityMicros: fc.nat(2),
    });
    fc.assert(
      fc.property(some, (given) => {
        const isNone = Object.values(given).every(
          (value) => value === null || value === 0 || (Array.isArray(value) && value.length === 0),
        );
        expect(isForAll(given)).toBe(isNone);
      }),
    );
  });
});
