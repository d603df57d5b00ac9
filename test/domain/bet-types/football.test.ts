import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GRID_SIZE, type Settlement } from '../../../src/domain/payoff.ts';
import type { ParsedBetType } from '../../../src/domain/bet-types/result.ts';
import { describedFor, parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import { SCORES, settleAt } from '../../support/bet-types.ts';
import { profitOf } from '../../../src/domain/odds.ts';

/** The grammar again in its simplest form, as the fraction won minus the fraction lost of a `for` bet. */
const BY_HAND: readonly [outcome: string, marketType: string, value: (h: number, a: number) => number][] = [
  ['h', 'wdw', (h, a) => (h > a ? 1 : -1)],
  ['d', 'wdw', (h, a) => (h === a ? 1 : -1)],
  ['a', 'wdw', (h, a) => (h < a ? 1 : -1)],
  ['dc,h,d', 'dc', (h, a) => (h >= a ? 1 : -1)],
  ['dc,h,a', 'dc', (h, a) => (h !== a ? 1 : -1)],
  ['dc,d,a', 'dc', (h, a) => (h <= a ? 1 : -1)],
  ['dnb,h', 'dnb', (h, a) => Math.sign(h - a)],
  ['dnb,a', 'dnb', (h, a) => Math.sign(a - h)],
  ['over,2.5', 'ou', (h, a) => (h + a > 2.5 ? 1 : -1)],
  ['under,2.5', 'ou', (h, a) => (h + a < 2.5 ? 1 : -1)],
  ['over,3', 'ou', (h, a) => Math.sign(h + a - 3)],
  ['ah,h,-4', 'ah', (h, a) => Math.sign(h - a - 1)],
  ['ah,a,-4', 'ah', (h, a) => Math.sign(a + 1 - h)],
  ['ah,h,2', 'ah', (h, a) => Math.sign(h - a + 0.5)],
  ['ah,h,-1', 'ah', (h, a) => (h > a ? 1 : h === a ? -0.5 : -1)],
  ['ah,a,-1', 'ah', (h, a) => (h > a ? -1 : h === a ? 0.5 : 1)],
  ['ah,h,-3', 'ah', (h, a) => (h - a >= 2 ? 1 : h - a === 1 ? 0.5 : -1)],
  ['ah,a,5', 'ah', (h, a) => (a - h >= 2 ? 1 : a - h === 1 ? -0.5 : -1)],
  ['ahover,7', 'ahou', (h, a) => (h + a >= 3 ? 1 : h + a === 2 ? 0.5 : -1)],
  ['ahunder,7', 'ahou', (h, a) => (h + a >= 3 ? -1 : h + a === 2 ? -0.5 : 1)],
  ['ahover,9', 'ahou', (h, a) => (h + a >= 3 ? 1 : h + a === 2 ? -0.5 : -1)],
  ['cs,2,1', 'cs', (h, a) => (h === 2 && a === 1 ? 1 : -1)],
  ['cs,0,0', 'cs', (h, a) => (h + a === 0 ? 1 : -1)],
  ['score,both,yes', 'score', (h, a) => (h * a > 0 ? 1 : -1)],
  ['score,both,no', 'score', (h, a) => (h * a > 0 ? -1 : 1)],
  ['score,h,yes', 'score', (h) => (h > 0 ? 1 : -1)],
  ['score,a,no', 'score', (_h, a) => (a > 0 ? -1 : 1)],
  ['odd', 'oe', (h, a) => ((h + a) % 2 === 1 ? 1 : -1)],
  ['even', 'oe', (h, a) => ((h + a) % 2 === 0 ? 1 : -1)],
  ['exact_total,3', 'exact_total', (h, a) => (h + a === 3 ? 1 : -1)],
  ['wm,h,2,inf', 'wm', (h, a) => (h - a >= 2 ? 1 : -1)],
  ['wm,h,1,1', 'wm', (h, a) => (h - a === 1 ? 1 : -1)],
  ['wm,a,2,3', 'wm', (h, a) => (a - h === 2 || a - h === 3 ? 1 : -1)],
  ['wm,d', 'wm', (h, a) => (h === a ? 1 : -1)],
  ['clean,h', 'clean', (_h, a) => (a === 0 ? 1 : -1)],
  ['clean,a', 'clean', (h) => (h === 0 ? 1 : -1)],
];

const DOES_NOT_PARSE = [
  '',
  'for',
  'h',
  'for,',
  'for,x',
  'For,h',
  'lay,h',
  'for,h,',
  'for,h,d',
  'for, h',
  'for,constructor',
  'for,dc,h',
  'for,dc,d,h',
  'for,dc,h,h',
  'for,dc,h,d,a',
  'for,dnb,d',
  'for,dnb',
  'for,dnb,toString',
  'for,over,2.25',
  'for,over,2.50',
  'for,over,-1',
  'for,over,0',
  'for,over',
  'for,over,1e1',
  'for,over,99',
  'for,ah,h',
  'for,ah,d,4',
  'for,ah,h,+4',
  'for,ah,h,-0',
  'for,ah,h,1.5',
  'for,ah,h,81',
  'for,ah,h,04',
  'for,ahover,0',
  'for,ahover,-4',
  'for,ahunder,7.5',
  'for,ahunder,400',
  'for,cs,2',
  'for,cs,20,0',
  'for,cs,-1,0',
  'for,cs,1,2,3',
  'for,score,both',
  'for,score,both,maybe',
  'for,score,d,yes',
  'for,odd,1',
  'for,exact_total,-1',
  'for,exact_total,39',
  'for,wm,h,0,1',
  'for,wm,h,3,2',
  'for,wm,h,2',
  'for,wm,d,1,1',
  'for,wm,h,inf,inf',
  'for,clean,d',
  'for,clean',
  'for,win,0',
  'for,win,x',
  'for,top,3',
  'for,top,0,5',
];

const value = ({ won, lost }: Settlement): number => won - lost;
const parse = (betType: string): ParsedBetType => {
  const parsed = parseBetType('fb', betType);
  if (parsed === null) throw new Error(`does not parse: ${betType}`);
  return parsed;
};
const valueAt = (betType: string, h: number, a: number): number => value(settleAt(parse(betType), h, a));

const anyOutcome = fc.oneof(
  fc.constantFrom(...BY_HAND.map(([outcome]) => outcome)),
  fc.tuple(fc.constantFrom('h', 'a'), fc.integer({ min: -80, max: 80 })).map(([t, l]) => `ah,${t},${l}`),
  fc.tuple(fc.constantFrom('ahover', 'ahunder'), fc.integer({ min: 1, max: 156 })).map((x) => x.join(',')),
);
const anyGoals = fc.integer({ min: 0, max: 30 });

describe('football bet types', () => {
  it.each(BY_HAND)('%s settles as calculated by hand on every score', (outcome, marketType, byHand) => {
    const parsed = parse(`for,${outcome}`);
    expect(parsed).toMatchObject({ direction: 'for', outcome, marketType, onGrid: true });
    for (const [h, a] of SCORES) expect([h, a, value(settleAt(parsed, h, a))]).toEqual([h, a, byHand(h, a)]);
  });

  it.each(DOES_NOT_PARSE)('%s does not parse', (betType) => {
    expect(parseBetType('fb', betType)).toBeNull();
  });

  it('never throws on any text', () => {
    const tokens = fc.constantFrom(
      'for',
      'against',
      'h',
      'ah',
      'cs',
      'wm',
      'inf',
      '3',
      '-4',
      'yes',
      '',
      '2.5',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(tokens, { maxLength: 6 }).map((parts) => parts.join(',')),
    );
    fc.assert(fc.property(texts, (text) => void parseBetType('fb', text)));
  });

  it('pays one side exactly what the other loses', () => {
    fc.assert(
      fc.property(anyOutcome, anyGoals, anyGoals, (outcome, h, a) => {
        const back = settleAt(parse(`for,${outcome}`), h, a);
        const lay = settleAt(parse(`against,${outcome}`), h, a);
        expect(lay).toEqual(back);
        expect(profitOf('odds-for', 100, 2.5, back) + profitOf('lay-for', 100, 2.5, lay)).toBe(0);
      }),
    );
  });

  it('wins or loses at most the whole stake, in halves', () => {
    fc.assert(
      fc.property(anyOutcome, anyGoals, anyGoals, (outcome, h, a) => {
        const { won, lost } = settleAt(parse(`for,${outcome}`), h, a);
        expect([0, 0.5, 1]).toContain(won);
        expect([0, 0.5, 1]).toContain(lost);
        expect(won * lost).toBe(0);
      }),
    );
  });

  it('has over and under, odd and even, both sides of a handicap as complements', () => {
    const pairs = fc.oneof(
      fc.integer({ min: 1, max: 40 }).map((line) => [`for,ahover,${line}`, `for,ahunder,${line}`]),
      fc.integer({ min: 1, max: 20 }).map((x) => [`for,over,${x / 2}`, `for,under,${x / 2}`]),
      fc.integer({ min: -40, max: 40 }).map((line) => [`for,ah,h,${line}`, `for,ah,a,${line}`]),
      fc.constant(['for,odd', 'for,even']),
      fc.constant(['for,dnb,h', 'for,dnb,a']),
    );
    fc.assert(
      fc.property(pairs, anyGoals, anyGoals, ([one = '', other = ''], h, a) => {
        expect(valueAt(one, h, a) + valueAt(other, h, a)).toBe(0);
      }),
    );
  });

  it('settles a quarter line as the mean of its neighbours', () => {
    const kinds = fc.constantFrom('for,ah,h,', 'for,ah,a,', 'for,ahover,', 'for,ahunder,');
    const oddLine = fc.integer({ min: 1, max: 15 }).map((x) => 2 * x + 1);
    fc.assert(
      fc.property(kinds, oddLine, anyGoals, anyGoals, (kind, line, h, a) => {
        const mean = (valueAt(`${kind}${line - 1}`, h, a) + valueAt(`${kind}${line + 1}`, h, a)) / 2;
        expect(valueAt(`${kind}${line}`, h, a)).toBe(mean);
      }),
    );
  });

  it('reads a handicap line as four times the real line of the home team, whichever side is backed', () => {
    const line = fc.integer({ min: -12, max: 12 });
    fc.assert(
      fc.property(line, anyGoals, anyGoals, (whole, h, a) => {
        const margin = h + whole - a;
        expect(valueAt(`for,ah,h,${4 * whole}`, h, a)).toBe(Math.sign(margin));
        expect(valueAt(`for,ah,a,${4 * whole}`, h, a)).toBe(0 - Math.sign(margin));
      }),
    );
  });

  it('agrees between equivalent markets', () => {
    const same: readonly (readonly [string, string])[] = [
      ['for,ah,h,0', 'for,dnb,h'],
      ['for,ah,h,-2', 'for,h'],
      ['for,ah,h,2', 'for,dc,h,d'],
      ['for,ah,a,-2', 'for,dc,d,a'],
      ['for,ahover,10', 'for,over,2.5'],
      ['for,wm,h,1,inf', 'for,h'],
      ['for,score,h,no', 'for,clean,a'],
    ];
    for (const [one, other] of same) {
      expect(winLossGrid(parse(one))).toEqual(winLossGrid(parse(other)));
    }
  });

  it('settles nothing by a result of another kind', () => {
    expect(parse('for,h').settle({ kind: 'places', places: new Map([[1, 1]]) })).toBeNull();
  });

  it('settles first-half markets on the half-time score and corners on their own', () => {
    const result = { kind: 'score', home: 1, away: 3, halfTimeHome: 1, halfTimeAway: 0 } as const;
    expect(parseBetType('fb_ht', 'for,h')?.settle(result)).toEqual({ won: 1, lost: 0 });
    expect(parseBetType('fb_corn', 'for,h')?.settle(result)).toEqual({ won: 0, lost: 1 });
    expect(parseBetType('fb', 'for,h')?.settle(result)).toEqual({ won: 0, lost: 1 });
  });
});

describe('the win and loss grid', () => {
  it('is 20 by 20, home first, and names half outcomes', () => {
    const grid = winLossGrid(parse('for,ah,h,-1'));
    expect(grid.map((row) => row.length)).toEqual(Array(GRID_SIZE).fill(GRID_SIZE));
    expect([grid[1]?.[0], grid[1]?.[1], grid[0]?.[1]]).toEqual(['w', 'hl', 'l']);
    const against = winLossGrid(parse('against,ah,h,-1'));
    expect([against[1]?.[0], against[1]?.[1], against[0]?.[1]]).toEqual(['l', 'hw', 'w']);
    expect(winLossGrid(parse('for,dnb,h'))[2]?.[2]).toBe('p');
  });

  it('mirrors wins and losses between for and against', () => {
    const mirror: Record<string, string> = { w: 'l', l: 'w', p: 'p', v: 'v', hw: 'hl', hl: 'hw' };
    fc.assert(
      fc.property(anyOutcome, (outcome) => {
        const back = winLossGrid(parse(`for,${outcome}`));
        const lay = winLossGrid(parse(`against,${outcome}`));
        expect(lay).toEqual(back.map((row) => row.map((cell) => mirror[cell])));
      }),
      { numRuns: 50 },
    );
  });
});

/** Where each argument of an outcome ends its range: the last that parses, and the first beyond it. */
const BOUNDS: readonly (readonly [last: string, beyond: string])[] = [
  ['over,0.5', 'over,0'],
  ['over,39', 'over,39.5'],
  ['under,39', 'under,40'],
  ['ahover,1', 'ahover,0'],
  ['ahover,156', 'ahover,157'],
  ['ahunder,156', 'ahunder,157'],
  ['ah,h,80', 'ah,h,81'],
  ['ah,a,-80', 'ah,a,-81'],
  ['cs,19,0', 'cs,20,0'],
  ['cs,0,19', 'cs,0,20'],
  ['cs,0,0', 'cs,0,-1'],
  ['exact_total,0', 'exact_total,-1'],
  ['exact_total,38', 'exact_total,39'],
  ['wm,h,1,1', 'wm,h,0,1'],
  ['wm,h,2,2', 'wm,h,2,1'],
  ['wm,a,19,19', 'wm,a,20,inf'],
  ['wm,a,1,19', 'wm,a,1,20'],
];

describe('the bounds of the grammar', () => {
  it.each(BOUNDS)('include %s, and not %s', (last, beyond) => {
    expect(parse(`for,${last}`).outcome).toBe(last);
    expect(parseBetType('fb', `for,${beyond}`)).toBeNull();
  });

  it.each(BY_HAND.map(([outcome]) => outcome))('leave nothing behind %s', (outcome) => {
    for (const more of [',', ',0', ',h', ',yes'])
      expect(parseBetType('fb', `for,${outcome}${more}`)).toBeNull();
  });
});

describe('descriptions', () => {
  it.each([
    ['h', 'Home'],
    ['d', 'Draw'],
    ['a', 'Away'],
    ['dc,h,d', 'Double chance: Home or Draw'],
    ['dc,h,a', 'Double chance: Home or Away'],
    ['dc,d,a', 'Double chance: Draw or Away'],
    ['dnb,h', 'Draw no bet: Home'],
    ['dnb,a', 'Draw no bet: Away'],
    ['over,2.5', 'Over 2.5'],
    ['under,3', 'Under 3'],
    ['ah,a,-4', 'Asian handicap: Away +1'],
    ['ah,h,-1', 'Asian handicap: Home -0.25'],
    ['ah,h,2', 'Asian handicap: Home +0.5'],
    ['ah,h,0', 'Asian handicap: Home 0'],
    ['ah,a,0', 'Asian handicap: Away 0'],
    ['ahover,7', 'Asian over 1.75'],
    ['ahunder,8', 'Asian under 2'],
    ['cs,2,1', 'Correct score 2-1'],
    ['score,both,yes', 'Both teams to score: yes'],
    ['score,h,no', 'Home to score: no'],
    ['score,a,yes', 'Away to score: yes'],
    ['odd', 'Odd total'],
    ['even', 'Even total'],
    ['exact_total,3', 'Exactly 3 in total'],
    ['wm,h,2,inf', 'Home to win by 2 or more'],
    ['wm,a,1,1', 'Away to win by 1'],
    ['wm,h,2,3', 'Home to win by 2 to 3'],
    ['wm,d', 'No winner'],
    ['clean,h', 'Home to keep a clean sheet'],
    ['clean,a', 'Away to keep a clean sheet'],
    ['win,7', 'Winner: 7'],
    ['top,2,7', 'Top 2: 7'],
  ])('%s is called "%s"', (outcome, text) => {
    expect(parse(`for,${outcome}`).description).toBe(text);
    expect(parse(`against,${outcome}`).description).toBe(`Against ${text}`);
  });

  it('name the teams that are known, wherever a side stands as a word', () => {
    const both = { home: 'Arsenal', away: 'Chelsea' };
    expect(describedFor('Double chance: Home or Away', both)).toBe('Double chance: Arsenal or Chelsea');
    expect(describedFor('Home or Away', { home: 'Arsenal', away: '' })).toBe('Arsenal or Away');
    expect(describedFor('Home or Away', { away: 'Chelsea' })).toBe('Home or Chelsea');
    expect(describedFor('Home or Away', {})).toBe('Home or Away');
    expect(describedFor('Homely Faraway', both)).toBe('Homely Faraway');
  });
});
