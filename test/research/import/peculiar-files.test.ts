/** Files as they are: what one line too many, or a line less, must not change. Imported, and replayed on the exchange. */
import { describe, expect, it } from 'vitest';
import { MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { createBetfairFeed } from '../../../src/simulator/feeds/betfair/index.ts';
import {
  closing,
  definitionOf,
  FIRST_MS,
  type GivenMarket,
  imported,
  line,
  opening,
} from '../../support/betfair-lines.ts';
import { recordingOf } from '../../support/recorded-file.ts';
import { RecordingMarket } from '../../support/recording-market.ts';

const RACE: GivenMarket = {
  id: '1.7',
  type: 'WIN',
  sport: '7',
  eventId: '8002',
  runners: [{ id: 101 }, { id: 102 }, { id: 103 }],
};
const RACE_EVENT = 'horse,2026-01-03,8002,54000';
const MATCH: GivenMarket = { id: '1.8', type: 'MATCH_ODDS', sport: '2', runners: [{ id: 11 }, { id: 22 }] };
const MATCH_EVENT = 'tennis,2026-01-03,11,22';

const state = (market: GivenMarket, ms: number, more: object): string =>
  line(ms, { id: market.id, marketDefinition: definitionOf(market, more) });
const book = (market: GivenMarket, ms: number, change: object): string =>
  line(ms, { id: market.id, rc: [{ id: market.runners[0]?.id, ...change }] });
const statuses = (market: GivenMarket, ...all: readonly string[]): object[] =>
  market.runners.map((runner, at) => ({ ...runner, status: all[at], sortPriority: at + 1 }));

const tapeOf = async (...lines: readonly string[]) => {
  const { events } = await imported([lines]);
  const [tape] = events.flatMap(({ tapes }) => tapes);
  if (tape === undefined) throw new Error('no tape');
  return { tape, remarks: events.flatMap(({ remarks }) => remarks) };
};
const settled = async (...lines: readonly string[]): Promise<Record<string, unknown>> => {
  const { tape } = await tapeOf(...lines);
  return Object.fromEntries(
    tape.selections.map(({ outcome, settlement }) => [
      outcome,
      settlement && [settlement.won, settlement.lost],
    ]),
  );
};

/** Plays a file to its end. */
function played(...lines: readonly string[]): RecordingMarket {
  const market = new RecordingMarket();
  const recording = recordingOf(lines);
  const feed = createBetfairFeed({ recording, fromMs: FIRST_MS, speed: 1, startWallMs: FIRST_MS });
  feed.start(market, FIRST_MS);
  feed.advance(market, FIRST_MS + 100_000_000);
  return market;
}
const callsOf = (market: RecordingMarket, names: RegExp): string[] =>
  market.calls
    .filter((call) => names.test(call.split(' ')[1] ?? ''))
    .map((call) => call.split(' ').slice(1).join(' '));

describe('a market that closes, reopens and closes with another result', () => {
  const lines = [
    opening(RACE),
    state(RACE, 10, { status: 'CLOSED', runners: statuses(RACE, 'WINNER', 'LOSER', 'LOSER') }),
    state(RACE, 20, { status: 'SUSPENDED' }),
    state(RACE, 30, { status: 'OPEN' }),
    book(RACE, 35, { trd: [[2, 10]] }),
    state(RACE, 40, { status: 'CLOSED', runners: statuses(RACE, 'LOSER', 'WINNER', 'LOSER') }),
  ];

  it('trades on, and pays the last result in the import', async () => {
    expect(await settled(...lines)).toEqual({ 'win,101': [0, 1], 'win,102': [1, 0], 'win,103': [0, 1] });
    const { tape } = await tapeOf(...lines);
    const { open, suspended, closed } = MARKET_STATE;
    const states = [...tape.updates.tick].filter((_, at) => tape.updates.op[at] === OP.state);
    expect(states).toEqual([open, suspended, suspended, open, closed]);
  });

  it('trades on, and pays the last result once in the feed', () => {
    const market = played(...lines);
    expect(callsOf(market, /trade|settle|void/)).toEqual([
      expect.stringMatching(/^trade /),
      `settle ${RACE_EVENT} ${JSON.stringify([
        [101, 4],
        [102, 1],
        [103, 4],
      ])}`,
    ]);
  });
});

describe('a definition that does not list all runners', () => {
  const removed = [{ ...RACE.runners[2], status: 'REMOVED', sortPriority: 3 }];

  it.each([
    ['the removed one alone', removed],
    ['none', []],
    ['nothing at all', undefined],
  ])('at the end, but %s, takes nobody out', async (_, runners) => {
    const lines = [
      opening(RACE),
      state(RACE, 10, { status: 'CLOSED', runners: statuses(RACE, 'WINNER', 'LOSER', 'REMOVED') }),
      state(RACE, 20, { status: 'CLOSED', runners }),
    ];
    expect(await settled(...lines)).toEqual({ 'win,101': [1, 0], 'win,102': [0, 1], 'win,103': [0, 0] });
    expect(callsOf(played(...lines), /settle/)).toEqual([
      `settle ${RACE_EVENT} ${JSON.stringify([
        [101, 1],
        [102, 4],
      ])}`,
    ]);
  });

  it('suspends the market all the same', async () => {
    const lines = [opening(MATCH), state(MATCH, 10, { status: 'SUSPENDED', runners: undefined, name: null })];
    const { tape } = await tapeOf(...lines);
    expect(tape.updates.tick.at(-1)).toBe(MARKET_STATE.suspended);
    expect(callsOf(played(...lines), /setSuspended/)).toEqual([`setSuspended ${MATCH_EVENT} true`]);
  });
});

describe('a price as text', () => {
  const bad = book(MATCH, 10, { atb: [['1.9', '5']] });

  it('names its line, in both', async () => {
    await expect(imported([[opening(MATCH), bad]])).rejects.toThrow(
      'file 1, line 2: mc.rc.atb: the price "1.9" is not a number above 0',
    );
    const { otherLines } = recordingOf([opening(MATCH), bad]);
    expect([...otherLines.values()]).toEqual([
      { count: 1, first: 'line 2: mc.rc.atb: the price "1.9" is not a number above 0' },
    ]);
  });
});

describe('a dead heat', () => {
  it('of a match divides the stakes, in both', async () => {
    const lines = [opening(MATCH), closing(MATCH, ['WINNER', 'WINNER'])];
    expect(await settled(...lines)).toEqual({ h: [0.5, 0.5], a: [0.5, 0.5] });
    const result = played(...lines).results.get(MATCH_EVENT);
    expect(result?.kind === 'settled' && Object.fromEntries(result.settlements)).toEqual({
      h: { won: 0.5, lost: 0.5 },
      a: { won: 0.5, lost: 0.5 },
    });
  });

  it('for the last place has no settlement, and a remark, in both', async () => {
    const places: GivenMarket = { ...RACE, type: 'PLACE', winners: 2 };
    const lines = [opening(places), closing(places, ['WINNER', 'WINNER', 'WINNER'])];
    expect(await settled(...lines)).toEqual({ 'top,2,101': null, 'top,2,102': null, 'top,2,103': null });
    expect((await tapeOf(...lines)).remarks.join()).toMatch(
      /guessed.*3 runners won and the market pays 2 places/,
    );
    expect(callsOf(played(...lines), /settle|void/)).toEqual([`voidEvent ${RACE_EVENT}`]);
  });
});

describe('WIN and PLACE of one race', () => {
  const place: GivenMarket = { ...RACE, id: '1.9', type: 'PLACE', winners: 2 };
  const moved = state(RACE, 20, { marketTime: '2026-01-03T14:58:00.000Z' });

  it('are one event, also if the start of one moves, in both', async () => {
    const { events } = await imported([[opening(RACE), moved], [opening(place)]]);
    expect(events.map(({ tapes }) => tapes.map(({ markets }) => markets.length))).toEqual([[2]]);
    expect([...played(opening(RACE), opening(place), moved).events.keys()]).toEqual([RACE_EVENT]);
  });
});

describe('an image of one market', () => {
  const other: GivenMarket = { ...MATCH, id: '1.10', type: 'OVER_UNDER_25', sport: '1' };
  const odds: GivenMarket = { ...MATCH, sport: '1', runners: [...MATCH.runners, { id: 58805 }] };

  it('is a gap of that market alone', async () => {
    const { tape } = await tapeOf(
      opening(odds),
      opening(other),
      book(odds, 10, { atb: [[2, 5]] }),
      line(50, { id: other.id, img: true, rc: [{ id: 11, atb: [[1.9, 5]] }] }),
    );
    expect(tape.gaps).toEqual([{ fromMs: FIRST_MS, toMs: FIRST_MS + 50, market: 1 }]);
  });

  it('pauses that market alone on the exchange, until the image', () => {
    const market = played(
      opening(odds),
      opening(other),
      book(odds, 10, { atb: [[2, 5]] }),
      book(other, 20, { atb: [[1.8, 5]] }),
      line(50, { id: other.id, img: true, rc: [{ id: 11, atb: [[1.9, 5]] }] }),
    );
    const later = market.calls.filter(
      (call) => /setPaused|setSuspended/.test(call) && !call.startsWith(`${FIRST_MS} `),
    );
    expect(later).toEqual([
      `${FIRST_MS + 20} setPaused ${MATCH_EVENT.replace('tennis', 'fb')} under,2.5,over,2.5 true`,
      `${FIRST_MS + 50} setPaused ${MATCH_EVENT.replace('tennis', 'fb')} under,2.5,over,2.5 false`,
    ]);
  });
});

describe('removals', () => {
  const factors = [40, 30, 30];
  const listed = (...all: readonly string[]): object[] =>
    statuses(RACE, ...all).map((runner, at) => ({ ...runner, adjustmentFactor: factors[at] }));
  const lines = [
    opening(RACE, { runners: listed('ACTIVE', 'ACTIVE', 'ACTIVE'), betDelayModels: ['PASSIVE'] }),
    state(RACE, 10, { runners: listed('ACTIVE', 'ACTIVE', 'REMOVED') }),
    state(RACE, 40, { status: 'CLOSED', runners: listed('WINNER', 'LOSER', 'REMOVED') }),
  ];

  it('are on the tape with their factor, as are winners and the model of the bet delay', async () => {
    const { tape } = await tapeOf(...lines);
    expect(tape.removals).toEqual([{ atMs: FIRST_MS + 10, market: 0, selection: 2, factor: 30 }]);
    expect(tape.markets).toMatchObject([{ winners: 1, otherRunners: 0, betDelayModels: ['PASSIVE'] }]);
  });

  it('are told to the exchange once', () => {
    expect(callsOf(played(...lines), /removeRunner/)).toEqual([`removeRunner ${RACE_EVENT} win,103 30`]);
  });
});
