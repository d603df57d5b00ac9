import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { participantsIn, selectionName } from '../../src/domain/selection-name.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { eventsIn } from '../../src/simulator/feeds/betfair/events.ts';
import { loadBetfairRecording } from '../../src/app/simulated/recorded-market.ts';
import { Fixtures } from '../../src/simulator/feeds/model/fixtures.ts';
import { DEFAULTS } from '../../src/simulator/feeds/model/options.ts';

const RECORDINGS = path.resolve(import.meta.dirname, '../../../shared/data/betfair');
const present = existsSync(RECORDINGS);
if (!present) console.info(`names of recorded selections left out: ${RECORDINGS} is absent`);

const MATCH = { home: 'Arsenal', away: 'Chelsea', teams: [] };
const RACE = { home: '', away: '', teams: [{ teamId: 7, name: 'Red Rum' }] };
const UNKNOWN = { home: '', away: '', teams: [] };

describe('selectionName', () => {
  it.each([
    ['h', 'Arsenal'],
    ['d', 'Draw'],
    ['a', 'Chelsea'],
    ['dc,h,d', 'Arsenal or Draw'],
    ['dc,d,a', 'Draw or Chelsea'],
    ['dnb,a', 'Chelsea (draw no bet)'],
    ['over,2.5', 'Over 2.5'],
    ['under,3', 'Under 3'],
    ['ahover,7', 'Over 1.75 (Asian)'],
    ['ahunder,10', 'Under 2.5 (Asian)'],
    ['ah,h,-1', 'Arsenal -0.25'],
    ['ah,a,-1', 'Chelsea +0.25'],
    ['ah,h,0', 'Arsenal 0'],
    ['ah,a,0', 'Chelsea 0'],
    ['ah,a,8', 'Chelsea -2'],
    ['ir,0,2,ah,a,-2', 'Chelsea +0.5 (from 0-2)'],
    ['ir,1,0,h', 'Arsenal (from 1-0)'],
    ['cs,2,1', 'Correct score 2-1'],
    ['score,both,yes', 'Both teams to score'],
    ['score,both,no', 'Not both teams to score'],
    ['score,a,no', 'Chelsea not to score'],
    ['odd', 'Odd total'],
    ['exact_total,3', 'Exactly 3 in total'],
    ['wm,h,2,inf', 'Arsenal by 2 or more'],
    ['wm,a,1,1', 'Chelsea by 1'],
    ['wm,a,2,3', 'Chelsea by 2 to 3'],
    ['wm,d', 'No winner'],
    ['clean,h', 'Arsenal to keep a clean sheet'],
    ['clean,a', 'Chelsea to keep a clean sheet'],
    ['dnb,h', 'Arsenal (draw no bet)'],
    ['dc,h,a', 'Arsenal or Chelsea'],
    ['over,10', 'Over 10'],
    ['ah,h,5', 'Arsenal +1.25'],
    ['ah,a,5', 'Chelsea -1.25'],
    ['ahover,10', 'Over 2.5 (Asian)'],
    ['cs,0,10', 'Correct score 0-10'],
    ['score,h,yes', 'Arsenal to score'],
    ['score,h,no', 'Arsenal not to score'],
    ['even', 'Even total'],
    ['exact_total,12', 'Exactly 12 in total'],
  ])('names %s of a match %s', (outcome, name) => {
    expect(selectionName(outcome, MATCH)).toBe(name);
  });

  it('names runners by the event’s list, and by their number without it', () => {
    expect(selectionName('win,7', RACE)).toBe('Red Rum');
    expect(selectionName('top,3,7', RACE)).toBe('Red Rum in the top 3');
    expect(selectionName('win,8', RACE)).toBe('Runner 8');
  });

  it('names a runner whose name is not known yet by its number', () => {
    const unnamed = { ...RACE, teams: [{ teamId: 7, name: '' }] };
    expect(selectionName('win,7', unnamed)).toBe('Runner 7');
  });

  it('names each side by what is known of it', () => {
    expect(selectionName('dc,h,a', { ...MATCH, away: '' })).toBe('Arsenal or Away');
    expect(selectionName('dc,h,a', { ...MATCH, home: '' })).toBe('Home or Chelsea');
  });

  it('names teams by their side while the exchange has not named them', () => {
    expect(selectionName('h', UNKNOWN)).toBe('Home');
    expect(selectionName('ah,a,-2', UNKNOWN)).toBe('Away +0.5');
  });

  it.each([
    '',
    'toString',
    'h,2',
    'ah,h',
    'ah,x,1',
    'ah,h,0.25',
    'over,many',
    'cs,1',
    'wm,h,2',
    'top,3',
    'dc,h',
    'd,h',
    'a,h',
    'odd,1',
    'even,1',
    'dc,h,x',
    'dc,x,h',
    'dc,h,d,a',
    'dnb',
    'dnb,d',
    'dnb,h,a',
    'over',
    'over,1,2',
    'over,1.',
    'over,.5',
    'over,x1',
    'under,1x',
    'ahover',
    'ahover,1.5',
    'ahunder,1,2',
    'ah,h,1,2',
    'ah,h,1x',
    'ah,h,x1',
    'cs,1,x',
    'cs,x,1',
    'cs,1,2,3',
    'cs,-1,1',
    'exact_total,x',
    'exact_total,1,2',
    'exact_total',
    'score,h,maybe',
    'score,x,yes',
    'score,x,no',
    'score,h,yes,1',
    'wm,d,1',
    'wm,x,1,2',
    'wm,h,x,2',
    'wm,h,1,x',
    'wm,h,1,2,3',
    'wm,h,x,inf',
    'clean',
    'clean,h,a',
    'win',
    'win,x',
    'win,7,8',
    'top,x,7',
    'top,3,x',
    'top,3,7,8',
  ])('leaves %j, which is not of the grammar, as it is', (outcome) => {
    expect(selectionName(outcome, MATCH)).toBe(outcome);
  });

  it('names every bet type of the modelled market, each by a name of its own', () => {
    const fixtures = new Fixtures({ ...DEFAULTS, seed: 1, startWallMs: 0 });
    const drawn = Array.from({ length: 40 }, () => fixtures.next(0)).filter((fixture) => fixture !== null);
    const events = drawn.flatMap((fixture) => (fixture.half === null ? [fixture] : [fixture, fixture.half]));
    expect(new Set(events.map(({ event }) => event.sport)).size).toBeGreaterThan(5);
    for (const { event, model } of events) {
      const outcomes = model.outcomes.map(({ outcome }) => outcome);
      const names = outcomes.map((outcome) => selectionName(outcome, event));
      expect(names.filter((name, at) => name === outcomes[at])).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it.runIf(present)('names every selection of the recorded markets', async () => {
    const names: string[] = [];
    for (const file of globSync(path.join(RECORDINGS, '*.jsonl.gz'))) {
      for (const event of eventsIn(await loadBetfairRecording(file))) {
        const named = { home: event.home, away: event.away, teams: event.competitors };
        for (const { outcome } of event.selections) {
          const name = selectionName(outcome, named);
          expect(name).not.toBe(outcome);
          names.push(name);
        }
      }
    }
    expect(new Set(names).size).toBeGreaterThan(100);
  });

  it('names whatever the exchange’s grammar can say', () => {
    const word = fc.constantFrom(
      'h',
      'd',
      'a',
      'both',
      'yes',
      'no',
      'inf',
      '0',
      '1',
      '2',
      '2.5',
      '-3',
      '7',
      '10',
    );
    const family = fc.constantFrom(
      'h',
      'd',
      'a',
      'dc',
      'dnb',
      'over',
      'under',
      'ahover',
      'ahunder',
      'ah',
      'cs',
      'score',
      'odd',
      'even',
      'exact_total',
      'wm',
      'clean',
      'win',
      'top',
    );
    const outcomes = fc
      .tuple(family, fc.array(word, { maxLength: 3 }))
      .map((parts) => parts.flat().join(','));
    let parsed = 0;
    fc.assert(
      fc.property(outcomes, (outcome) => {
        const name = selectionName(outcome, MATCH);
        expect(name).not.toBe('');
        if (parseBetType('fb', `for,${outcome}`) === null) return;
        parsed++;
        expect(name).not.toBe(outcome);
        expect(name).toMatch(/^[A-Z]/);
      }),
      { numRuns: 2_000 },
    );
    expect(parsed).toBeGreaterThan(100);
  });
});

describe('the teams in the name of an event', () => {
  it.each(['v', 'vs', 'vs.', '-'])('are those around %j', (between) => {
    expect(participantsIn(`Malmö FF ${between} Åre SK`)).toEqual({
      home: 'Malmö FF',
      away: 'Åre SK',
      teams: [],
    });
  });

  it.each(['', 'Arsenal', 'Arsenal v ', ' v Chelsea', 'Arsenal against Chelsea', 'Arsenalv Chelsea'])(
    'are not known from %j',
    (title) => {
      expect(participantsIn(title)).toEqual(UNKNOWN);
    },
  );

  it('are divided at the first such word', () => {
    expect(participantsIn('A v B v C')).toEqual({ home: 'A', away: 'B v C', teams: [] });
  });
});
