import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventResult } from '../../../src/domain/bet-types/result.ts';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import { SCORES, settleAt } from '../../support/bet-types.ts';

const places = (...pairs: readonly (readonly [number, number])[]): EventResult => ({
  kind: 'places',
  places: new Map(pairs),
});

describe('two-way match odds', () => {
  it.each(['tennis', 'basket', 'cricket', 'esports'])(
    '%s is won by the higher score, void when tied',
    (sport) => {
      const home = parseBetType(sport, 'for,h');
      const away = parseBetType(sport, 'for,a');
      if (home === null || away === null) throw new Error('does not parse');
      for (const [h, a] of SCORES) {
        const { won, lost } = settleAt(home, h, a);
        expect(won - lost).toBe(Math.sign(h - a));
        expect(settleAt(away, h, a)).toEqual({ won: lost, lost: won });
      }
      expect(home).toMatchObject({ marketType: 'ml', onGrid: true });
      expect([winLossGrid(home)[3]?.[3], winLossGrid(home)[3]?.[1]]).toEqual(['v', 'w']);
    },
  );

  it.each(['d', 'ah,h,-4', 'over,2.5', 'cs,1,0', 'h,a'])('have no %s', (outcome) => {
    expect(parseBetType('tennis', `for,${outcome}`)).toBeNull();
  });
});

describe('the names of two-way match odds', () => {
  it.each([
    ['for,h', 'Home'],
    ['for,a', 'Away'],
    ['against,h', 'Against Home'],
  ])('%s is called %s', (betType, text) => {
    expect(parseBetType('tennis', betType)?.description).toBe(text);
  });

  it('are those of football in each of its parts, and in no sport that only begins alike', () => {
    for (const sport of ['fb', 'fb_ht', 'fb_corn', 'fb_new'])
      expect(parseBetType(sport, 'for,h')?.marketType).toBe('wdw');
    for (const sport of ['fbx', 'xfb_', 'basket'])
      expect(parseBetType(sport, 'for,h')?.marketType).toBe('ml');
  });
});

describe('outrights', () => {
  it.each([
    ['win,1', 'win,0'],
    ['win,999999999', 'win,1000000000'],
    ['top,1,1', 'top,0,1'],
    ['top,1000,1', 'top,1001,1'],
    ['top,1,999999999', 'top,1,1000000000'],
  ])('include %s, and not %s', (last, beyond) => {
    expect(parseBetType('horse', `for,${last}`)).toMatchObject({ outcome: last, onGrid: false });
    expect(parseBetType('horse', `for,${beyond}`)).toBeNull();
  });

  it.each(['win', 'win,1,2', 'win,x', 'top', 'top,3', 'top,3,4,5', 'top,x,4', 'top,3,x', 'place,3,4'])(
    'have no %s',
    (outcome) => {
      expect(parseBetType('horse', `for,${outcome}`)).toBeNull();
    },
  );

  const settle = (outcome: string, result: EventResult) =>
    parseBetType('horse', `for,${outcome}`)?.settle(result);

  it('settle by finishing position', () => {
    const result = places([11, 1], [12, 2], [13, 3], [14, 4]);
    expect(settle('win,11', result)).toEqual({ won: 1, lost: 0 });
    expect(settle('win,12', result)).toEqual({ won: 0, lost: 1 });
    expect(settle('top,3,13', result)).toEqual({ won: 1, lost: 0 });
    expect(settle('top,3,14', result)).toEqual({ won: 0, lost: 1 });
  });

  it('are void for a non-runner and unsettled by a score', () => {
    expect(settle('win,99', places([11, 1]))).toEqual({ won: 0, lost: 0 });
    const score = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;
    expect(settle('win,11', score)).toBeNull();
  });

  it('split a dead heat', () => {
    const result = places([11, 1], [12, 1], [13, 3], [14, 3], [15, 3]);
    expect(settle('win,11', result)).toEqual({ won: 0.5, lost: 0.5 });
    expect(settle('top,2,12', result)).toEqual({ won: 1, lost: 0 });
    expect(settle('top,3,14', result)).toEqual({ won: 1 / 3, lost: 1 - 1 / 3 });
    expect(settle('top,4,14', result)).toEqual({ won: 2 / 3, lost: 1 - 2 / 3 });
  });

  it('pay as many whole places as there are, however they are shared', () => {
    const finish = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 12 }).map(asPlaces);
    fc.assert(
      fc.property(finish, fc.integer({ min: 1, max: 6 }), (result, last) => {
        const ids = [...result.places.keys()];
        const won = ids.map((id) => settle(`top,${last},${id}`, result)?.won ?? 0);
        expect(won.reduce((sum, part) => sum + part, 0)).toBeCloseTo(last, 9);
      }),
    );
  });

  it('exist in every sport, are not on the grid, and have names', () => {
    for (const sport of ['fb', 'politics', 'horse']) {
      const parsed = parseBetType(sport, 'against,top,3,77');
      expect(parsed).toMatchObject({ onGrid: false, marketType: 'top', description: 'Against Top 3: 77' });
      expect(parsed === null ? null : winLossGrid(parsed)).toEqual([]);
    }
  });

  /** Places from ranking scores. Ties share the place and skip the next ones. */
  function asPlaces(scores: readonly number[]): Extract<EventResult, { kind: 'places' }> {
    const place = (score: number): number => 1 + scores.filter((other) => other < score).length;
    return { kind: 'places', places: new Map(scores.map((score, i) => [i + 1, place(score)])) };
  }
});
