import { describe, expect, it } from 'vitest';
import { PAGE } from '../../../src/lib/formats.ts';
import { counterpartsIn } from '../../../src/research/report/counterparts.ts';
import { namesIn } from '../../../src/research/report/fill-names.ts';
import { ALL_FILLS, type FillFilter, filterFills } from '../../../src/research/report/filter.ts';
import { predictionsOf } from '../../../src/research/report/predictions.ts';
import {
  explainCounterpart,
  explainFill,
  explainLuck,
  explainResults,
} from '../../../src/research/report/words.ts';
import type { Scenario } from '../../../src/fills/fill-model.ts';
import type { ResearchFill, ScenarioResult } from '../../../src/research/result.ts';
import { generatedReport } from '../../support/backtest-report.ts';

const report = generatedReport({ events: 1, fillsPerEvent: 3 });
const drawn = report.result.scenarios[0]?.fills ?? [];
const FILL: ResearchFill = {
  ...(drawn[0] as ResearchFill),
  direction: 'for',
  tick: 99,
  stakeMicros: 12_500_000,
  restedFromMs: Date.UTC(2026, 0, 3, 19),
  atMs: Date.UTC(2026, 0, 3, 19, 1, 30),
  queueAheadMicros: 40_000_000,
  tradedMicros: 52_500_000,
  cause: 'trade',
  dataAgeMs: 250,
};

describe('the explanation of a fill', () => {
  it('says when the order rested, what stood ahead, what traded and how old the data were', () => {
    expect(explainFill(FILL)).toEqual([
      'The for order at 2.00 began to rest at 2026-01-03 19:00:00.000. 12.50 of it was filled 1.5 min later.',
      '40.00 of recorded stake stood ahead of it when it began to rest.',
      '52.50 traded at this price or better until the fill. A recorded trade reached the order.',
      'The data that the quote rested on were 250 ms old.',
    ]);
    expect(explainFill({ ...FILL, hedge: 'goal 1-0', worthMicros: -250_000 }).at(-1)).toBe(
      'It is a bet of the hedge “goal 1-0”, worth −0.25 at the fair value just before it.',
    );
    const hedged = [FILL, { ...FILL, hedge: 'goal 1-0' }];
    const names = namesIn(report.result.scenarios);
    expect(filterFills(hedged, { ...ALL_FILLS, text: 'hedge goal' }, names)).toEqual([hedged[1]]);
    expect(explainFill({ ...FILL, queueAheadMicros: 0 })[1]).toMatch(/^No recorded stake stood ahead/);
  });

  it('says in which other scenarios the fill counts', () => {
    const of = (scenario: Scenario, fills: readonly ResearchFill[]): ScenarioResult => ({
      scenario,
      fills,
      events: [],
      equity: [],
    });
    const later = { ...FILL, atMs: FILL.atMs + 1000, stakeMicros: 2_000_000 };
    const find = counterpartsIn([of('touch', [FILL, FILL]), of('queue', [later]), of('through', [])]);
    const [touch, through] = find(later, 'queue');
    expect(touch).toEqual({
      scenario: 'touch',
      when: 'other-time',
      stakeMicros: 25_000_000,
      atMs: FILL.atMs,
    });
    expect(through).toEqual({ scenario: 'through', when: 'none', stakeMicros: 0, atMs: null });
    expect(find(FILL, 'through')[0]).toMatchObject({ scenario: 'touch', when: 'same' });
    expect(
      explainCounterpart({ scenario: 'touch', when: 'same', stakeMicros: 2e6, atMs: 0 }, 'through'),
    ).toMatch(/^It counts under touch, with 2\.00 at the same instant: touch fills an order as soon as/);
    expect(
      explainCounterpart({ scenario: 'queue', when: 'other-time', stakeMicros: 2e6, atMs: 0 }, 'through'),
    ).toMatch(/^Under queue the same order got 2\.00, first at 1970-01-01/);
    expect(
      explainCounterpart({ scenario: 'through', when: 'none', stakeMicros: 0, atMs: null }, 'queue'),
    ).toMatch(/^It does not count under through: through fills an order only when a trade prints beyond/);
  });

  it('says that an order did not exist where a more generous scenario did not fill it', () => {
    expect(
      explainCounterpart({ scenario: 'touch', when: 'none', stakeMicros: 0, atMs: null }, 'through'),
    ).toMatch(/^It does not count under touch: this order did not exist there/);
  });

  it.each([
    [null, /nothing tells luck from an edge/],
    [-0.5, /0\.5 standard deviations below .*luck explains/],
    [2.4, /2\.4 standard deviations above .*rarely explains/],
  ])('puts a distance from luck of %s into words', (sigmasFromLuck, words) => {
    const settlement = report.summaries[0]?.settlement;
    expect(settlement && explainLuck({ ...settlement, sigmasFromLuck })).toMatch(words);
  });
});

describe('results in words', () => {
  const profit = {
    settledMicros: 240e6,
    afterCommissionMicros: 238.99e6,
    events: 5,
    open: { events: 3, fills: 1257, markedMicros: -245.44e6 },
    withOpenMicros: -6.45e6,
    markedMicros: -754.41e6,
  };
  const none = { ...profit, settledMicros: null, afterCommissionMicros: null };

  it.each([
    [
      profit,
      '2 of 5 events with bets settled, for +238.99 after commission; the other 3 (1\u2009257 fills), at their last fair values: −245.44',
    ],
    [{ ...profit, open: { events: 0, fills: 0, markedMicros: 0 } }, '5 of 5 events with bets settled'],
    [
      { ...none, events: 1, open: { events: 1, fills: 1, markedMicros: 0 } },
      '0 of 1 event with bets settled; the 1 fill, at their last fair values: 0.00',
    ],
    [{ ...none, events: 0, open: { events: 0, fills: 0, markedMicros: 0 } }, 'no bets'],
  ])('tell how many events have one, and what the others are worth', (given, words) => {
    expect(explainResults(given, PAGE)).toBe(words);
  });
});

describe('the filter of fills', () => {
  const other: ResearchFill = {
    ...FILL,
    direction: 'against',
    cause: 'taken',
    inPlay: true,
    marketId: '1.9',
  };
  it.each<[Partial<FillFilter>, readonly ResearchFill[]]>([
    [{}, [FILL, other]],
    [{ direction: 'for' }, [FILL]],
    [{ cause: 'taken' }, [other]],
    [{ phase: 'before play' }, [FILL]],
    [{ phase: 'in play' }, [other]],
    [{ text: ' FB|2026 ' }, [FILL, other]],
    [{ text: '1.9' }, [other]],
    [{ text: 'wexley' }, [FILL, other]],
    [{ text: 'home' }, [FILL, other]],
    [{ text: 'nothing' }, []],
  ])('by %o', (filter, expected) => {
    expect(filterFills([FILL, other], { ...ALL_FILLS, ...filter }, namesIn(report.result.scenarios))).toEqual(
      expected,
    );
  });
});

describe('predicted and real fills', () => {
  it('are compared by order', () => {
    const second = { ...FILL, restedFromMs: FILL.restedFromMs + 1 };
    const third = { ...FILL, restedFromMs: FILL.restedFromMs + 2 };
    const scenario = { scenario: 'queue' as const, fills: [FILL, FILL, second], events: [], equity: [] };
    expect(predictionsOf([scenario], [{ ...FILL, atMs: FILL.atMs + 500 }, third])).toEqual([
      {
        scenario: 'queue',
        predictedMicros: 37_500_000,
        realMicros: 25_000_000,
        both: 1,
        predictedOnly: 1,
        realOnly: 1,
      },
    ]);
  });
});
