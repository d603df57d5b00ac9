import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/domain/errors.ts';
import { type BetfairFeed, createBetfairFeed } from '../../../../src/simulator/feeds/betfair/index.ts';
import { recordingOf } from '../../../support/recorded-file.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const T0 = Date.parse('2024-05-01T12:00:00Z');
const WALL = Date.parse('2030-01-02T12:00:00Z');
const EVENT = 'tennis,2030-01-02,1,2';
const HOME = { sport: 'tennis', eventId: '2030-01-02,1,2', outcome: 'h' };

const RUNNERS = [
  { id: 2, status: 'ACTIVE', sortPriority: 2, name: 'Bea' },
  { id: 1, status: 'ACTIVE', sortPriority: 1, name: 'Ann' },
];

const definition = (over: object = {}) => ({
  eventTypeId: '2',
  marketType: 'MATCH_ODDS',
  marketTime: '2024-05-01T12:10:00Z',
  inPlay: false,
  status: 'OPEN',
  numberOfWinners: 1,
  runners: RUNNERS,
  ...over,
});

const statuses = (...all: readonly string[]) =>
  all.map((status, i) => ({ id: i + 1, status, sortPriority: i }));

const message = (atMs: number, mc: object): string =>
  JSON.stringify({ op: 'mcm', pt: T0 + atMs, mc: [{ id: '1.5', ...mc }] });

const opening = message(0, {
  img: true,
  marketDefinition: definition(),
  rc: [
    {
      id: 1,
      atb: [
        [1.9, 100],
        [1.88, 50],
      ],
      atl: [[1.95, 80]],
      trd: [[1.9, 40]],
    },
  ],
});

function play(messages: readonly string[], setUp?: (market: RecordingMarket) => void) {
  const market = new RecordingMarket();
  const feed = createBetfairFeed({
    recording: recordingOf(messages),
    fromMs: T0,
    speed: 10,
    startWallMs: WALL,
  });
  feed.start(market, WALL);
  feed.advance(market, WALL);
  setUp?.(market);
  feed.advance(market, WALL + 3_600_000);
  return { market, feed };
}

const callsOf = (market: RecordingMarket, name: string) =>
  market.calls.filter((call) => call.split(' ')[1] === name);

describe('replaying a recorded market', () => {
  it('names home and away in the market order and maps the start at the given speed', () => {
    const { market } = play([opening]);
    const event = market.events.get(EVENT);
    expect(event).toMatchObject({ eventName: 'Ann v Bea', home: 'Ann', away: 'Bea', homeId: 1, awayId: 2 });
    expect(event?.startTimeMs).toBe(WALL + 60_000);
  });

  it('rests available-to-back stake as against and available-to-lay stake as for', () => {
    const { market } = play([opening]);
    expect(market.levels(HOME, 'against')).toEqual([
      { price: 1.9, stakeMicros: 100e6 },
      { price: 1.88, stakeMicros: 50e6 },
    ]);
    expect(market.levels(HOME, 'for')).toEqual([{ price: 1.95, stakeMicros: 80e6 }]);
  });

  it('trades half of the traded growth before the levels, and never a correction', () => {
    const { market } = play([
      opening,
      message(1000, { rc: [{ id: 1, atb: [[1.9, 70]], trd: [[1.9, 100]] }] }),
      message(2000, { rc: [{ id: 1, trd: [[1.9, 90]] }] }),
      message(3000, { rc: [{ id: 1, trd: [[1.95, 10]] }] }),
    ]);
    expect(callsOf(market, 'trade')).toEqual([
      `${WALL + 100} trade ${EVENT} h against 1.9 30000000`,
      `${WALL + 300} trade ${EVENT} h for 1.95 5000000`,
    ]);
    const order = market.calls
      .filter((call) => call.startsWith(`${WALL + 100} `))
      .map((call) => call.split(' ')[1]);
    expect(order[0]).toBe('trade');
    expect(market.levels(HOME, 'against')[0]).toEqual({ price: 1.9, stakeMicros: 70e6 });
  });

  it('keeps the recorded stake where a trade comes without its level', () => {
    const { market } = play([opening, message(1000, { rc: [{ id: 1, trd: [[1.9, 60]] }] })]);
    expect(market.levels(HOME, 'against')[0]).toEqual({ price: 1.9, stakeMicros: 100e6 });
  });

  it('gives an account behind the queue only what is left', () => {
    const messages = [
      opening,
      message(500, { rc: [{ id: 1, atb: [[1.9, 200]] }] }),
      message(1000, { rc: [{ id: 1, atb: [[1.9, 90]], trd: [[1.9, 260]] }] }),
    ];
    const { market } = play(messages, (m) => m.rest(HOME, 'against', 1.9, 50e6));
    expect(market.fills.map(({ stakeMicros, price }) => [stakeMicros, price])).toEqual([[10e6, 1.9]]);
  });

  it('gives an account with a better price than the recorded one the first of it', () => {
    const messages = [opening, message(1000, { rc: [{ id: 1, trd: [[1.9, 100]] }] })];
    const { market } = play(messages, (m) => m.rest(HOME, 'against', 1.92, 20e6));
    expect(market.fills).toMatchObject([{ price: 1.92, stakeMicros: 20e6 }]);
    expect(callsOf(market, 'trade')).toEqual([`${WALL + 100} trade ${EVENT} h against 1.9 30000000`]);
  });

  it('gives a trade inside the spread to the nearer side', () => {
    const { market } = play([
      opening,
      message(1000, { rc: [{ id: 1, trd: [[1.91, 2]] }] }),
      message(2000, { rc: [{ id: 1, trd: [[1.94, 2]] }] }),
    ]);
    expect(callsOf(market, 'trade').map((call) => call.split(' ')[4])).toEqual(['against', 'for']);
  });

  it('folds records from before the beginning without trading them', () => {
    const market = new RecordingMarket();
    const messages = [opening, message(5000, { rc: [{ id: 1, atb: [[1.9, 7]], trd: [[1.9, 100]] }] })];
    const late = [...messages, message(9000, { rc: [{ id: 1, atb: [[1.88, 0]] }] })];
    const feed = createBetfairFeed({
      recording: recordingOf(late),
      fromMs: T0 + 6000,
      speed: 1,
      startWallMs: WALL,
    });
    feed.start(market, WALL);
    expect(market.levels(HOME, 'against')[0]).toEqual({ price: 1.9, stakeMicros: 7e6 });
    expect(callsOf(market, 'trade')).toEqual([]);
    expect(feed.nextDueMs()).toBe(WALL + 3000);
  });

  it.each([
    ['an hour before the start', '2024-05-01T15:00:00Z', 3_600_000, 7],
    ['with its first message, less than an hour before the start', '2024-05-01T12:30:00Z', 1_800_000, 100],
  ])('begins %s unless another instant is asked for', (_, marketTime, startsInMs, stake) => {
    const market = new RecordingMarket();
    const lines = [
      message(0, {
        img: true,
        marketDefinition: definition({ marketTime }),
        rc: [{ id: 1, atb: [[1.9, 100]] }],
      }),
      message(6_000_000, { rc: [{ id: 1, atb: [[1.9, 7]] }] }),
      message(8_000_000, { rc: [{ id: 1, atb: [[1.9, 9]] }] }),
    ];
    const feed = createBetfairFeed({
      recording: recordingOf(lines),
      fromMs: null,
      speed: 1,
      startWallMs: WALL,
    });
    feed.start(market, WALL);
    feed.advance(market, WALL);
    expect(market.events.get(EVENT)?.startTimeMs).toBe(WALL + startsInMs);
    expect(market.levels(HOME, 'against')).toEqual([{ price: 1.9, stakeMicros: stake * 1e6 }]);
  });

  it('treats an image as the whole book', () => {
    const { market } = play([
      opening,
      message(1000, { img: true, rc: [{ id: 1, atb: [[1.8, 5]], trd: [[1.8, 900]] }] }),
    ]);
    expect(market.levels(HOME, 'against')).toEqual([{ price: 1.8, stakeMicros: 5e6 }]);
    expect(market.levels(HOME, 'for')).toEqual([]);
    expect(callsOf(market, 'trade')).toEqual([]);
  });

  it('pauses the market that the recording lacks, and no other', () => {
    const match = { eventTypeId: '1', eventId: '9', eventName: 'Ann v Bea' };
    const totals = { ...match, marketType: 'OVER_UNDER_25', runners: statuses('ACTIVE', 'ACTIVE') };
    const { market } = play([
      message(0, { img: true, marketDefinition: definition(match) }),
      message(0, { id: '1.6', img: true, marketDefinition: definition(totals) }),
      message(2000, { id: '1.6', rc: [{ id: 1, atb: [[1.9, 5]] }] }),
      message(5000, { id: '1.6', img: true, rc: [{ id: 1, atb: [[1.8, 5]] }] }),
      message(9000, { rc: [{ id: 1, atb: [[1.9, 5]] }] }),
    ]);
    const later = market.calls.filter((call) => !call.startsWith(`${WALL} `));
    const stops = later.filter((call) => /setPaused|setSuspended/.test(call));
    expect(stops.map((call) => call.split(' ').filter((_, at) => at !== 2))).toEqual([
      [`${WALL + 200}`, 'setPaused', 'under,2.5,over,2.5', 'true'],
      [`${WALL + 500}`, 'setPaused', 'under,2.5,over,2.5', 'false'],
    ]);
  });

  it('lets no account pass the stake that an image repeats', () => {
    const image = { img: true, rc: [{ id: 1, atb: [[1.9, 90]], trd: [[1.9, 40]] }] };
    const behind = { rc: [{ id: 1, atb: [[1.9, 150]] }] };
    const trade = { rc: [{ id: 1, atb: [[1.9, 50]], trd: [[1.9, 240]] }] };
    const messages = [opening, message(1000, image), message(1500, behind), message(2000, trade)];
    const { market } = play(messages, (m) => m.rest(HOME, 'against', 1.9, 50e6));
    expect(market.fills.map(({ stakeMicros, price }) => [stakeMicros, price])).toEqual([[10e6, 1.9]]);
  });

  it('suspends, goes in play once, and settles by the winner', () => {
    const closed = { inPlay: true, status: 'CLOSED', runners: statuses('LOSER', 'WINNER') };
    const { market } = play([
      opening,
      message(1000, { marketDefinition: definition({ status: 'SUSPENDED' }) }),
      message(2000, { marketDefinition: definition({ inPlay: true }) }),
      message(3000, { marketDefinition: definition({ inPlay: true, status: 'SUSPENDED' }) }),
      message(4000, { marketDefinition: definition(closed) }),
      message(5000, { rc: [{ id: 1, atb: [[1.5, 5]] }] }),
    ]);
    const life = market.calls
      .filter((call) => /Suspended|goIn|settle|1.5 /.test(call))
      .map((call) => call.split(' ')[1]);
    expect(life).toEqual(['setSuspended', 'goInRunning', 'setSuspended', 'setSuspended', 'settle']);
    expect(market.results.get(EVENT)).toMatchObject({ home: 0, away: 1 });
  });

  it('goes in play with the first of its markets, whatever the others do', () => {
    const totals = { marketType: 'OVER_UNDER_25', runners: statuses('ACTIVE', 'ACTIVE') };
    const match = { eventTypeId: '1', eventId: '9', eventName: 'Ann v Bea' };
    const other = (atMs: number, more: object): string =>
      message(atMs, { id: '1.6', marketDefinition: definition({ ...match, ...totals, ...more }) });
    const { market } = play([
      message(0, { img: true, marketDefinition: definition(match) }),
      other(0, {}),
      other(1000, { inPlay: true }),
      message(3000, { marketDefinition: definition({ ...match, inPlay: true }) }),
    ]);
    expect(callsOf(market, 'goInRunning').map((call) => call.split(' ')[0])).toEqual([`${WALL + 100}`]);
  });

  it.each([
    ['when the file dates it', '2024-05-01T12:00:20Z', WALL + 2_000],
    ['when it is told, without a date', undefined, WALL + 5_000],
    ['when it is told, not at a later date', '2024-05-01T12:01:30Z', WALL + 5_000],
  ])('removes a runner from the instant %s', (_, removalDate, fromMs) => {
    const race = { eventTypeId: '7', marketType: 'WIN', eventName: 'Ascot' };
    const running = statuses('ACTIVE', 'ACTIVE', 'ACTIVE');
    const [gone, ...others] = running;
    const { market } = play([
      message(0, { img: true, marketDefinition: definition({ ...race, runners: running }) }),
      message(50_000, {
        marketDefinition: definition({
          ...race,
          runners: [{ ...gone, status: 'REMOVED', adjustmentFactor: 30, removalDate }, ...others],
        }),
      }),
    ]);
    expect(market.removals).toMatchObject([
      { removed: 'win,1', others: ['win,2', 'win,3'], market: 'win', factor: 30, fromMs },
    ]);
  });

  it('voids a market that closes without a winner', () => {
    const closed = definition({ status: 'CLOSED', runners: statuses('REMOVED', 'REMOVED') });
    const { market } = play([opening, message(4000, { marketDefinition: closed })]);
    expect(callsOf(market, 'voidEvent')).toEqual([`${WALL + 400} voidEvent ${EVENT}`]);
  });

  it('shows places for a race with winner and places: the winner before the placed', () => {
    const race = { eventTypeId: '7', eventId: '9', eventName: 'Ascot' };
    const win = { ...race, marketType: 'WIN' };
    const place = { ...race, marketType: 'PLACE', numberOfWinners: 2 };
    const running = statuses('ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE');
    const ended = (members: object, ...all: readonly string[]) =>
      definition({ ...members, status: 'CLOSED', runners: statuses(...all) });
    const { market } = play([
      message(0, { img: true, marketDefinition: definition({ ...win, runners: running }) }),
      message(0, { id: '1.6', img: true, marketDefinition: definition({ ...place, runners: running }) }),
      message(1000, { marketDefinition: ended(win, 'LOSER', 'WINNER', 'LOSER', 'LOSER') }),
      message(1000, { id: '1.6', marketDefinition: ended(place, 'WINNER', 'WINNER', 'LOSER', 'LOSER') }),
    ]);
    const [result] = market.results.values();
    expect(result).toEqual({
      kind: 'places',
      places: new Map([
        [2, 1],
        [1, 2],
        [3, 5],
        [4, 5],
      ]),
    });
  });

  it('plays other than two runners as an outright by finishing position', () => {
    const runners = statuses('ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE');
    const open = definition({ eventTypeId: '7', marketType: 'WIN', runners, eventName: 'Ascot' });
    const closed = { ...open, status: 'CLOSED', runners: statuses('LOSER', 'WINNER', 'REMOVED', 'LOSER') };
    const { market } = play([
      message(0, { img: true, marketDefinition: open, rc: [{ id: 3, atb: [[5, 10]] }] }),
      message(1000, { marketDefinition: closed }),
    ]);
    const [event] = market.events.values();
    expect(event).toMatchObject({
      sport: 'horse',
      eventType: 'multirunner',
      eventId: '2030-01-02,15,43800',
      eventName: 'Ascot',
    });
    expect(event?.teams).toHaveLength(4);
    expect(event?.endTimeMs).toBe((event?.startTimeMs ?? 0) + 86_400_000);
    expect(market.outcomes()).toMatchObject([{ sport: 'horse', outcome: 'win,3' }]);
    const result = market.results.get('horse,2030-01-02,15,43800');
    expect(result?.kind === 'places' && [...result.places]).toEqual([
      [1, 5],
      [2, 1],
      [4, 5],
    ]);
  });

  it.each<[string, string, object]>([
    ['1.5', 'the winner', { market: 'win', removed: 'win,3', others: ['win,1', 'win,2'] }],
    ['1.6', 'places', { market: 'place', removed: 'top,2,3', others: ['top,2,1', 'top,2,2'] }],
  ])('removes a runner of one market of a race (%s: %s) from that market alone', (id, _, expected) => {
    const race = (market: string, over: object): object => {
      const isPlace = market === '1.6';
      return {
        id: market,
        marketDefinition: definition({
          eventTypeId: '7',
          eventId: '30',
          marketType: isPlace ? 'PLACE' : 'WIN',
          numberOfWinners: isPlace ? 2 : 1,
          runners: statuses('ACTIVE', 'ACTIVE', 'ACTIVE'),
          ...over,
        }),
      };
    };
    const text = (atMs: number, mc: readonly object[]): string =>
      JSON.stringify({ op: 'mcm', pt: T0 + atMs, mc });
    const [first, second] = statuses('ACTIVE', 'ACTIVE');
    const gone = { id: 3, sortPriority: 2, status: 'REMOVED', adjustmentFactor: 20 };
    const { market } = play([
      text(0, [race('1.5', {}), race('1.6', {})]),
      text(5_000, [race(id, { runners: [first, second, gone] })]),
      text(6_000, [race(id, { runners: [first, second, gone] })]),
    ]);
    expect(market.removals).toEqual([{ ...expected, factor: 20, fromMs: WALL + 500 }]);
  });

  it('counts and omits unknown runners, and puts prices between two ticks at the worse one for takers', () => {
    const strange = {
      rc: [
        { id: 77, atb: [[2, 5]] },
        { id: 1, atb: [[1.905, 5]], trd: [[1.905, 8]] },
      ],
    };
    const { market, feed } = play([opening, message(1000, strange)]);
    expect(feed.counts().skipped).toBe(1);
    expect(market.levels(HOME, 'against')).toEqual([
      { price: 1.9, stakeMicros: 105e6 },
      { price: 1.88, stakeMicros: 50e6 },
    ]);
  });

  it('never lets exchange time go back', () => {
    const { market } = play([
      opening,
      message(3000, { rc: [{ id: 1, atb: [[1.8, 1]] }] }),
      message(2000, { rc: [{ id: 1, atb: [[1.7, 1]] }] }),
    ]);
    const times = market.calls.map((call) => Number(call.split(' ')[0]));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('begins an hour before the start by default, and refuses to begin outside of the recording', () => {
    const feedFrom = (fromMs: number | null): BetfairFeed =>
      createBetfairFeed({
        recording: recordingOf([opening, message(60_000, {})]),
        fromMs,
        speed: 1,
        startWallMs: WALL,
      });
    expect(feedFrom(null).nextDueMs()).toBe(WALL);
    expect(feedFrom(T0).nextDueMs()).toBe(WALL);
    expect(() => feedFrom(T0 + 60_001)).toThrow(ConfigError);
    expect(() => feedFrom(T0 - 1)).toThrow(/begins at 2024-05-01T12:00:00/);
  });
});
