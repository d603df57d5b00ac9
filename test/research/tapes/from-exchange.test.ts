import { describe, expect, it } from 'vitest';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { type EventTape, MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { ExchangeTapes } from '../../../src/research/tapes/from-exchange.ts';

const NAME = { sport: sport('fb'), eventId: eventId('2026-01-03,11,22') };

const offer = (type: string, ...levels: readonly (readonly [number, number])[]): StreamEntry => ({
  tag: 'offer',
  offer: {
    ...NAME,
    betType: betType(type),
    marketType: 'wdw',
    inRunning: false,
    priceList: levels.flatMap(([price, stake]) => [price, -1, toMicros(stake)]),
  },
});

const described = (irStatus: string): StreamEntry => ({
  tag: 'event',
  event: {
    ...NAME,
    eventType: 'normal',
    eventName: 'Home v Away',
    competitionId: 7,
    competitionName: 'League',
    competitionCountry: '',
    home: 'Home',
    away: 'Away',
    teams: [],
    irStatus,
    startTimeMs: 5_000,
  },
});

const OPS = new Map<number, string>([
  [OP.restingFor, 'for'],
  [OP.restingAgainst, 'against'],
  [OP.state, 'state'],
]);

const rowsOf = ({ updates, selections }: EventTape): string[] =>
  Array.from({ length: updates.length }, (_, at) => {
    const op = updates.op[at] ?? -1;
    const what = OPS.get(op) ?? `op ${op}`;
    const subject = op === OP.state ? '' : ` ${selections[updates.of[at] ?? -1]?.outcome}`;
    const value =
      op === OP.state
        ? `${updates.tick[at]}`
        : `${priceOf(updates.tick[at] ?? 0)} ${fromMicros(updates.micros[at] ?? 0)}`;
    return `${updates.atMs[at]} ${what}${subject} ${value}`;
  });

function only(tapes: ExchangeTapes): EventTape {
  const [tape, ...more] = tapes.tapes();
  expect(more).toEqual([]);
  if (tape === undefined) throw new Error('no tape');
  return tape;
}

describe('a tape of what an exchange sent', () => {
  it('has the stake that takers of each direction get as resting stake of the other', () => {
    const tapes = new ExchangeTapes();
    tapes.entry(described('pre_event'), 1_000);
    tapes.entry(offer('for,h', [2.4, 30], [2.38, 20]), 1_000);
    tapes.entry(offer('against,h', [2.5, 10]), 2_000);
    tapes.entry(offer('for,h', [2.4, 25]), 3_000);
    tapes.entry({ tag: 'remove_offer', ...NAME, betType: betType('against,h') }, 4_000);
    tapes.entry({ tag: 'remove_event', ...NAME }, 5_000);
    const tape = only(tapes);
    expect(rowsOf(tape)).toEqual([
      `1000 state ${MARKET_STATE.open}`,
      '1000 against h 2.4 30',
      '1000 against h 2.38 20',
      '2000 for h 2.5 10',
      '3000 against h 2.38 0',
      '3000 against h 2.4 25',
      '4000 for h 2.5 0',
      `5000 state ${MARKET_STATE.closed}`,
    ]);
    expect(tape).toMatchObject({
      eventName: 'Home v Away',
      home: 'Home',
      away: 'Away',
      competitionId: 7,
      startMs: 5_000,
      inPlayMs: null,
      hasTrades: false,
      markets: [{ marketId: 'wdw', marketType: 'wdw' }],
    });
  });

  it.each([
    ['Home', 'Away', ['Home', 'Away']],
    ['Home', '', [null, null]],
    ['', 'Away', [null, null]],
  ])('is of a match if it has two sides: %j and %j', (home, away, expected) => {
    const tapes = new ExchangeTapes();
    const told = described('pre_event');
    if (told.tag === 'event') tapes.entry({ ...told, event: { ...told.event, home, away } }, 1_000);
    tapes.entry(offer('for,h', [2.4, 30]), 1_000);
    expect([only(tapes).home, only(tapes).away]).toEqual(expected);
  });

  it('turns in play once, with the event or with an offer', () => {
    const tapes = new ExchangeTapes();
    tapes.entry(offer('for,h', [2.4, 30]), 1_000);
    tapes.entry(described('in_running'), 6_000);
    tapes.entry(described('in_running'), 7_000);
    const tape = only(tapes);
    expect(tape.inPlayMs).toBe(6_000);
    expect(rowsOf(tape).slice(2)).toEqual([`6000 state ${MARKET_STATE.open + MARKET_STATE.inPlay}`]);
  });

  it('has a gap from a lost connection or feed to the next sync', () => {
    const tapes = new ExchangeTapes();
    tapes.entry(offer('for,h', [2.4, 30]), 1_000);
    tapes.lost(2_000);
    tapes.entry({ tag: 'sync', sessionId: null }, 3_000);
    tapes.entry(offer('for,h', [2.4, 31]), 3_500);
    tapes.entry({ tag: 'clear_events' }, 4_000);
    tapes.entry({ tag: 'sync', sessionId: null }, 9_000);
    expect(only(tapes).gaps).toEqual([
      { fromMs: 2_000, toMs: 3_000, market: null },
      { fromMs: 4_000, toMs: 9_000, market: null },
    ]);
  });

  it('has one gap from the first loss on, however often it is lost before the next sync', () => {
    const tapes = new ExchangeTapes();
    tapes.entry(offer('for,h', [2.4, 30]), 1_000);
    tapes.lost(2_000);
    tapes.entry({ tag: 'clear_events' }, 4_000);
    tapes.lost(5_000);
    tapes.entry({ tag: 'sync', sessionId: null }, 6_000);
    tapes.entry({ tag: 'sync', sessionId: null }, 8_000);
    expect(only(tapes).gaps).toEqual([{ fromMs: 2_000, toMs: 6_000, market: null }]);
  });

  it('has each change of score, red cards and clock, and says nothing where none was sent', () => {
    const tapes = new ExchangeTapes();
    tapes.entry(offer('for,h', [2.4, 30]), 1_000);
    expect(only(tapes).scores).toBeUndefined();
    tapes.entry({ tag: 'event_score', ...NAME, score: [0, 0] }, 2_000);
    tapes.entry({ tag: 'event_time', ...NAME, time: { period: '1h', minutes: 3 } }, 3_000);
    tapes.entry({ tag: 'event_score', ...NAME, score: [0, 0] }, 4_000);
    tapes.entry({ tag: 'event_red_cards', ...NAME, redCards: [0, 1] }, 5_000);
    const clock = { period: '1h', minutes: 3 };
    expect(only(tapes).scores).toEqual([
      { atMs: 2_000, score: [0, 0], redCards: null, clock: null },
      { atMs: 3_000, score: [0, 0], redCards: null, clock },
      { atMs: 5_000, score: [0, 0], redCards: [0, 1], clock },
    ]);
  });

  it('has the prices of price sources as they arrived', () => {
    const tapes = new ExchangeTapes();
    tapes.entry(offer('for,h', [2.4, 30]), 1_000);
    expect(only(tapes).sourcePrices).toBeUndefined();
    tapes.prices({ source: 'mine', prices: [{ key: 'a', price: 2.1, atMs: 1_900 }] }, 2_000.5);
    tapes.prices({ source: 'mine', prices: [{ key: 'a', price: null }] }, 1_500);
    expect(only(tapes).sourcePrices).toEqual([
      { source: 'mine', arrivedMs: 2_000, key: 'a', price: 2.1, atMs: 1_900 },
      { source: 'mine', arrivedMs: 2_000, key: 'a', price: null },
    ]);
  });

  it('counts what it leaves out, and never goes back in time', () => {
    const tapes = new ExchangeTapes();
    tapes.entry(offer('for,no-such-bet', [2.4, 30]), 1_000);
    tapes.entry(offer('for,h', [2.4003, 30], [2.3, 5]), 2_000);
    tapes.entry(offer('for,h', [2.3, 6]), 1_500);
    expect(tapes.leftOut).toEqual({ unknownBetTypes: 1, offLadder: 1 });
    const { atMs } = only(tapes).updates;
    expect([...atMs]).toEqual([2_000, 2_000, 2_000]);
  });
});
