import { describe, expect, it } from 'vitest';
import { sport } from '../../src/domain/ids.ts';
import { groupsOf } from '../../src/fair/groups.ts';
import type { TapeMarket } from '../../src/research/tape.ts';
import { tapeOf } from '../support/tapes.ts';

function grouped(outcomes: readonly string[], market: Partial<TapeMarket> = {}, sportCode = 'fb'): string[] {
  const tape = tapeOf([], { selections: outcomes.map((outcome) => ({ outcome })), markets: [market] });
  const event = { ...tape.event, sport: sport(sportCode) };
  return groupsOf({ ...tape, event }).map(
    ({ selections, winners }) => `${selections.map((at) => outcomes[at]).join(' ')}: ${winners}`,
  );
}

describe('the groups of a market', () => {
  it.each<[string, string[], string[]]>([
    ['match odds', ['h', 'a', 'd'], ['h d a: 1']],
    ['match odds without the draw', ['h', 'a'], ['h: null', 'a: null']],
    ['lines', ['ah,h,-2', 'ah,a,-2', 'ah,h,2'], ['ah,h,-2 ah,a,-2: 1', 'ah,h,2: null']],
    ['Asian totals', ['ahunder,9', 'ahover,9'], ['ahover,9 ahunder,9: 1']],
    ['totals', ['under,2.5', 'over,2.5', 'over,3.5'], ['over,2.5 under,2.5: 1', 'over,3.5: null']],
    ['draw no bet', ['dnb,h', 'dnb,a'], ['dnb,h dnb,a: 1']],
    ['double chances', ['dc,h,d', 'dc,d,a', 'dc,h,a'], ['dc,h,d dc,d,a dc,h,a: 2']],
    ['a question', ['score,both,no', 'score,both,yes'], ['score,both,yes score,both,no: 1']],
    ['parities', ['odd', 'even'], ['odd even: 1']],
    ['scores of which others may come', ['cs,1,0', 'cs,0,0'], ['cs,1,0: null', 'cs,0,0: null']],
  ])('are known for %s', (_, outcomes, expected) => {
    expect(grouped(outcomes)).toEqual(expected);
  });

  it('are home and away in sports without a draw', () => {
    expect(grouped(['h', 'a'], {}, 'tennis')).toEqual(['h a: 1']);
    expect(grouped(['h', 'a'], { otherRunners: 1 }, 'tennis')).toEqual(['h: null', 'a: null']);
  });

  it.each(['fb', 'fb_ht', 'fb_corn'])(
    'have a draw between home and away in every part of a match: %s',
    (part) => {
      expect(grouped(['h', 'a', 'd'], {}, part)).toEqual(['h d a: 1']);
      expect(grouped(['h', 'a'], {}, part)).toEqual(['h: null', 'a: null']);
    },
  );

  it('are sets of runners if the source knows the winners and all runners', () => {
    const runners = ['win,1', 'win,2', 'win,3'];
    expect(grouped(runners, { winners: 1 })).toEqual(['win,1 win,2 win,3: 1']);
    expect(grouped(runners, { winners: 1, otherRunners: 2 })).toHaveLength(3);
    expect(grouped(runners)).toHaveLength(3);
    expect(grouped(['top,2,1', 'top,2,2', 'top,2,3'], { winners: 2 })).toEqual([
      'top,2,1 top,2,2 top,2,3: 2',
    ]);
    expect(grouped(['top,2,1', 'top,2,2'], { winners: 2 })).toHaveLength(2);
  });
});
