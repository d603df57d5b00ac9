import { describe, expect, it } from 'vitest';
import {
  closing,
  definitionOf,
  FIRST_MS,
  type GivenMarket,
  imported,
  line,
  opening,
  START,
} from '../../support/betfair-lines.ts';

const TEAMS = [{ id: 11 }, { id: 22 }];
const NAMED = [
  { id: 11, name: 'Arsenal' },
  { id: 22, name: 'Chelsea' },
];
const DRAW = { id: 58805 };

const outcomesOf = async (...markets: readonly GivenMarket[]): Promise<Record<string, string[]>> => {
  const { events } = await imported(markets.map((market) => [opening(market)]));
  return Object.fromEntries(
    events.flatMap(({ tapes }) =>
      tapes.map(({ event, selections }) => [event.sport, selections.map(({ outcome }) => outcome)]),
    ),
  );
};

const market = (
  type: string,
  runners: GivenMarket['runners'],
  more: Partial<GivenMarket> = {},
): GivenMarket => ({ id: `1.${type}`, type, runners, ...more });

describe('the bet types of a market', () => {
  it.each<[string, GivenMarket, Record<string, string[]>]>([
    ['match odds', market('MATCH_ODDS', [...TEAMS, DRAW]), { fb: ['h', 'a', 'd'] }],
    ['over and under', market('OVER_UNDER_25', [{ id: 1 }, { id: 2 }]), { fb: ['under,2.5', 'over,2.5'] }],
    [
      'over and under by name',
      market('OVER_UNDER_05', [
        { id: 1, name: 'Over 0.5 Goals' },
        { id: 2, name: 'Under 0.5 Goals' },
      ]),
      { fb: ['over,0.5', 'under,0.5'] },
    ],
    [
      'Asian handicaps, in quarters of the home team',
      market('ASIAN_HANDICAP', [
        { id: 11, hc: -0.75 },
        { id: 22, hc: 0.75 },
        { id: 11 },
        { id: 22 },
        { id: 11, hc: 1 },
        { id: 22, hc: -1 },
      ]),
      { fb: ['ah,h,-3', 'ah,a,-3', 'ah,h,0', 'ah,a,0', 'ah,h,4', 'ah,a,4'] },
    ],
    [
      'Asian totals',
      market('ALT_TOTAL_GOALS', [
        { id: 1, hc: 2.25, name: 'Under' },
        { id: 2, hc: 2.25, name: 'Over' },
      ]),
      { fb: ['ahunder,9', 'ahover,9'] },
    ],
    [
      'Asian totals without names, under before over on each line',
      market('ALT_TOTAL_GOALS', [
        { id: 1, hc: 2 },
        { id: 2, hc: 2 },
        { id: 1, hc: 2.25 },
        { id: 2, hc: 2.25 },
      ]),
      { fb: ['ahunder,8', 'ahover,8', 'ahunder,9', 'ahover,9'] },
    ],
    [
      'correct scores by name',
      market('CORRECT_SCORE', [
        { id: 1, name: '0 - 0' },
        { id: 6, name: '2 - 1' },
        { id: 9063254, name: 'Any Other Home Win' },
      ]),
      { fb: ['cs,0,0', 'cs,2,1'] },
    ],
    [
      'correct scores by id',
      market('CORRECT_SCORE', [{ id: 1 }, { id: 4 }, { id: 6 }, { id: 16 }]),
      { fb: ['cs,0,0', 'cs,0,1', 'cs,2,1', 'cs,0,3'] },
    ],
    [
      'both teams to score',
      market('BOTH_TEAMS_TO_SCORE', [{ id: 1 }, { id: 2 }]),
      { fb: ['score,both,yes', 'score,both,no'] },
    ],
    ['draw no bet', market('DRAW_NO_BET', TEAMS), { fb: ['dnb,h', 'dnb,a'] }],
    [
      'double chance',
      market('DOUBLE_CHANCE', [{ id: 1 }, { id: 2 }, { id: 3 }]),
      { fb: ['dc,h,d', 'dc,d,a', 'dc,h,a'] },
    ],
    ['odd or even', market('ODD_OR_EVEN', [{ id: 1 }, { id: 2 }]), { fb: ['odd', 'even'] }],
    [
      'goals or more',
      market('TOTAL_GOALS', [
        { id: 1, name: '1 goal or more' },
        { id: 2, name: '3 goals or more' },
      ]),
      { fb: ['over,0.5', 'over,2.5'] },
    ],
    [
      'the half, which is an event of its own',
      market('HALF_TIME', [...TEAMS, DRAW]),
      { fb_ht: ['h', 'a', 'd'] },
    ],
    [
      'goals of the half',
      market('FIRST_HALF_GOALS_15', [{ id: 1 }, { id: 2 }]),
      { fb_ht: ['under,1.5', 'over,1.5'] },
    ],
    [
      'corners',
      market('OVER_UNDER_105_CORNR', [{ id: 1 }, { id: 2 }]),
      { fb_corn: ['under,10.5', 'over,10.5'] },
    ],
    ['tennis', market('MATCH_ODDS', TEAMS, { sport: '2' }), { tennis: ['h', 'a'] }],
    ['basketball', market('MATCH_ODDS', TEAMS, { sport: '7522' }), { basket: ['h', 'a'] }],
    ['a race', market('WIN', TEAMS, { sport: '7' }), { horse: ['win,11', 'win,22'] }],
    ['places', market('PLACE', TEAMS, { sport: '7', winners: 3 }), { horse: ['top,3,11', 'top,3,22'] }],
    ['a sport that is not known', market('MATCH_ODDS', TEAMS, { sport: '99' }), { betfair_99: ['h', 'a'] }],
  ])('are known for %s', async (_, given, expected) => {
    expect(await outcomesOf(given)).toEqual(expected);
  });

  it.each<[GivenMarket, string]>([
    [market('NEXT_GOAL', TEAMS), 'the exchange has no such bet type'],
    [
      market('HANDICAP', TEAMS, { sport: '7522' }),
      'outside football the exchange has match odds of two sides alone',
    ],
    [market('MATCH_ODDS', [...TEAMS, { id: 60443 }], { sport: '4' }), '3 runners; outside football'],
    [market('PLACE', TEAMS, { sport: '7', winners: 0 }), 'the number of places is not stated'],
  ])('that are missing are counted and named: $0.type', async (given, why) => {
    const { events } = await imported([[opening(given)]]);
    expect(events[0]?.tapes).toEqual([]);
    expect(events[0]?.leftOut).toEqual([
      {
        marketType: given.type,
        why: expect.stringContaining(why) as string,
        markets: 1,
        selections: given.runners.length,
      },
    ]);
  });

  it('count runners without a bet type', async () => {
    const given = market('CORRECT_SCORE', [
      { id: 1, name: '0 - 0' },
      { id: 9, name: 'Any Unquoted' },
    ]);
    const { events } = await imported([[opening(given)]]);
    expect(events[0]?.leftOut).toMatchObject([{ marketType: 'CORRECT_SCORE', selections: 1 }]);
  });

  it('are taken once: the goals of two markets', async () => {
    const both = [
      market('OVER_UNDER_25', [{ id: 1 }, { id: 2 }]),
      market('TOTAL_GOALS', [{ id: 3, name: '3 goals or more' }]),
    ];
    const { events } = await imported(both.map((given) => [opening(given)]));
    expect(events[0]?.tapes[0]?.selections.map(({ outcome }) => outcome)).toEqual(['under,2.5', 'over,2.5']);
    expect(events[0]?.leftOut).toMatchObject([{ why: 'another market of the event has the same bet types' }]);
  });
});

describe('the event of a match', () => {
  it('joins its markets from several files, with teams from the match odds', async () => {
    const eventName = 'Arsenal v Chelsea';
    const { events } = await imported([
      [opening(market('OVER_UNDER_25', [{ id: 1 }, { id: 2 }], { eventName }))],
      [opening(market('MATCH_ODDS', [...NAMED, DRAW], { eventName }))],
      [opening(market('MATCH_ODDS', TEAMS, { id: '1.9', eventId: '32', start: '2026-01-03T14:30:00.000Z' }))],
    ]);
    expect(events.map(({ tapes }) => tapes.map(({ markets }) => markets.length))).toEqual([[1], [2]]);
    expect(events[1]?.tapes[0]).toMatchObject({
      event: { sport: 'fb', eventId: '2026-01-03,11,22' },
      eventName,
      home: 'Arsenal',
      away: 'Chelsea',
      startMs: Date.parse(START),
      hasTrades: false,
      markets: [
        { marketId: '1.MATCH_ODDS', marketType: 'wdw', commissionRate: 0.05 },
        { marketId: '1.OVER_UNDER_25', marketType: 'ou', commissionRate: 0.05 },
      ],
    });
  });

  it('takes the teams from the name of the match where runners have none', async () => {
    const given = market('MATCH_ODDS', [...TEAMS, DRAW], { eventName: 'Arsenal v Chelsea' });
    const { events } = await imported([[opening(given)]]);
    expect(events[0]?.tapes[0]).toMatchObject({ home: 'Arsenal', away: 'Chelsea' });
  });

  it('is one for each start of a race day', async () => {
    const races = ['2026-01-03T15:00:00.000Z', '2026-01-03T15:35:00.000Z'].map((start, at) =>
      market('WIN', [{ id: 100 + at }], { id: `1.${at}`, sport: '7', start }),
    );
    const { events } = await imported(races.map((race) => [opening(race)]));
    expect(events.map(({ tapes }) => tapes[0]?.event.eventId)).toEqual([
      '2026-01-03,31,54000',
      '2026-01-03,31,56100',
    ]);
  });

  it('has its states: delay, suspension, play, end', async () => {
    const given = market('MATCH_ODDS', [...TEAMS, DRAW]);
    const state = (ms: number, more: object): string =>
      line(ms, { id: given.id, marketDefinition: definitionOf(given, more) });
    const { events } = await imported([
      [
        opening(given),
        state(10, { status: 'SUSPENDED' }),
        state(20, { inPlay: true, betDelay: 5 }),
        state(25, { inPlay: true, betDelay: 5, version: 7 }),
        state(27, { inPlay: true, betDelay: 8 }),
        state(28, { inPlay: true, betDelay: 0 }),
        state(30, { status: 'CLOSED', inPlay: true, betDelay: 0 }),
      ],
    ]);
    const tape = events[0]?.tapes[0];
    expect(tape?.inPlayMs).toBe(FIRST_MS + 20);
    expect([...(tape?.updates.tick ?? [])]).toEqual([0, 1, 4, 4, 4, 2]);
    expect([...(tape?.updates.micros ?? [])]).toEqual([0, 0, 5_000, 8_000, 0, 0]);
  });
});

describe('the starting prices', () => {
  const told = async (...prices: readonly (number | string | undefined)[]) => {
    const runners = [...TEAMS, DRAW].map((runner, at) => ({
      ...runner,
      ...(prices[at] === undefined ? {} : { bsp: prices[at] }),
    }));
    const odds = market('MATCH_ODDS', [...TEAMS, DRAW]);
    const { events } = await imported([
      [opening(odds), closing({ ...odds, runners }, []), closing(odds, ['WINNER'])],
    ]);
    return events.flatMap(({ tapes }) =>
      tapes.flatMap(({ selections }) => selections.map(({ startingPrice }) => startingPrice)),
    );
  };

  it('are those that a definition told last, as far as they are prices', async () => {
    expect(await told(2.34, 4.1, 3.9)).toEqual([2.34, 4.1, 3.9]);
    expect(await told(2.34, 'NaN', 'Infinity')).toEqual([2.34, undefined, undefined]);
    expect(await told(1, 0, undefined)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the results', () => {
  const settled = async (
    ...files: readonly (readonly string[])[]
  ): Promise<Record<string, [number, number] | null>> => {
    const { events } = await imported(files);
    return Object.fromEntries(
      events
        .flatMap(({ tapes }) => tapes)
        .flatMap(({ selections }) => selections)
        .map(({ outcome, settlement }) => [outcome, settlement && [settlement.won, settlement.lost]]),
    );
  };
  const odds = market('MATCH_ODDS', [...TEAMS, DRAW]);

  it('are those of the runners', async () => {
    expect(await settled([opening(odds), closing(odds, ['WINNER', 'LOSER', 'LOSER'])])).toEqual({
      h: [1, 0],
      a: [0, 1],
      d: [0, 1],
    });
  });

  it('are open while the market is', async () => {
    expect(await settled([opening(odds)])).toEqual({ h: null, a: null, d: null });
  });

  it('give half of the stake where the scores that are left say so', async () => {
    const handicaps = market('ASIAN_HANDICAP', [
      { id: 11, hc: -0.75 },
      { id: 22, hc: 0.75 },
    ]);
    const scores = market('CORRECT_SCORE', [{ id: 6, name: '2 - 1' }]);
    const found = await settled(
      [opening(handicaps), closing(handicaps, ['WINNER', 'LOSER'])],
      [opening(scores), closing(scores, ['WINNER'])],
    );
    // 2-1 wins by one: half of -0.75 is -0.5, which wins, and half is -1, which returns the stake.
    expect(found).toEqual({ 'ah,h,-3': [0.5, 0], 'ah,a,-3': [0, 0.5], 'cs,2,1': [1, 0] });
  });

  it('name the only score that agrees, and say if none does', async () => {
    const scores = market('CORRECT_SCORE', [
      { id: 6, name: '2 - 1' },
      { id: 1, name: '0 - 0' },
    ]);
    const remarksOf = async (statuses: readonly string[]): Promise<readonly string[]> => {
      const { events } = await imported([
        [opening(odds), closing(odds, ['WINNER', 'LOSER', 'LOSER'])],
        [opening(scores), closing(scores, statuses)],
      ]);
      return events[0]?.remarks ?? [];
    };
    expect(await remarksOf(['WINNER', 'LOSER'])).toEqual(['11 v 22: the results agree on 2-1 alone']);
    expect(await remarksOf(['LOSER', 'WINNER'])).toEqual([
      '11 v 22: no score agrees with every result: each selection is settled by its own runner',
    ]);
  });

  it.each([
    [
      'a winner',
      ['WINNER', 'LOSER', 'LOSER'],
      1,
      [
        [1, 0],
        [0, 1],
        [0, 1],
      ],
    ],
    [
      'a removed runner',
      ['WINNER', 'REMOVED', 'LOSER'],
      1,
      [
        [1, 0],
        [0, 0],
        [0, 1],
      ],
    ],
    [
      'a dead heat',
      ['WINNER', 'WINNER', 'LOSER'],
      1,
      [
        [0.5, 0.5],
        [0.5, 0.5],
        [0, 1],
      ],
    ],
    [
      'two places',
      ['WINNER', 'WINNER', 'LOSER'],
      2,
      [
        [1, 0],
        [1, 0],
        [0, 1],
      ],
    ],
  ] as const)('of a race have %s', async (_, statuses, winners, expected) => {
    const race = market(winners === 1 ? 'WIN' : 'PLACE', [...TEAMS, { id: 33 }], { sport: '7', winners });
    expect(Object.values(await settled([opening(race), closing(race, statuses)]))).toEqual(expected);
  });
});
