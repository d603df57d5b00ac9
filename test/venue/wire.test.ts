import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/domain/errors.ts';
import type { BetType, Sport } from '../../src/domain/ids.ts';
import { levelsOf } from '../../src/domain/price-list.ts';
import { Secret } from '../../src/domain/secret.ts';
import { readBalance, readHeartbeats, readPosition } from '../../src/venue/wire/account.ts';
import { readEntry } from '../../src/venue/wire/frame.ts';
import { betTypeReader, readEvent } from '../../src/venue/wire/events.ts';
import { readOffer, readQuote } from '../../src/venue/wire/offers.ts';
import { readOrder } from '../../src/venue/wire/orders.ts';
import { readMoney, readNumber, readTimestamp } from '../../src/venue/wire/scalars.ts';
import { silentSurvey, type Survey } from '../../src/venue/wire/survey.ts';
import { wireOffer, wireOrder } from './support/samples.ts';

function noting(): { survey: Survey; noted: string[] } {
  const noted: string[] = [];
  return { noted, survey: { note: (kind, name) => noted.push(`${kind} ${name}`) } };
}

const bet = (part: Record<string, unknown> = {}) => ({
  bet_id: 5,
  order_id: 77,
  status: { code: 'success' },
  sport: 'fb',
  event_id: '2026-01-01,10,20',
  bet_type: 'for,h',
  want_price: 2.02,
  got_price: 2.04,
  want_stake: ['USDT', 10],
  got_stake: ['USDT', 4],
  profit_loss: ['USDT', 0],
  reconciled: false,
  exchange_role: 'maker',
  ...part,
});

describe('scalars', () => {
  it.each([
    ['2026-01-01T00:00:00Z', 1767225600000],
    ['2026-01-01T00:00:00+00:00', 1767225600000],
    ['2026-01-01T00:00:00.123456+00:00', 1767225600123],
    ['2026-01-01T00:00:00', 1767225600000],
    ['2026-01-01 01:00:00+01:00', 1767225600000],
    [1767225600, 1767225600000],
    [1767225600.123456, 1767225600123.456],
    ['1767225600.5', 1767225600500],
    [1767225600000, 1767225600000],
    [1767225600000000000, null],
    ['yesterday', null],
    ['2026-13-45T99:00:00Z', null],
    ['', null],
    [null, null],
    [Infinity, null],
  ])('timestamp %s', (value, expected) => {
    const read = readTimestamp(value);
    if (expected === null) expect(read).toBeNull();
    else expect(read).toBeCloseTo(expected, 3);
  });

  it.each([
    [['USDT', 10.5], 10_500_000],
    [['USDT', '0.000001'], 1],
    [['USDT', -3], -3_000_000],
    [['EUR', 10], null],
    [['USDT'], null],
    [['USDT', 1e300], null],
    [['USDT', 'much'], null],
    [10, null],
    [null, null],
  ])('money %j', (value, expected) => {
    expect(readMoney(value)).toBe(expected);
  });

  it('numbers may come as strings, and nothing else may', () => {
    expect(['1', ' -2.5 ', '1e3', 4].map(readNumber)).toEqual([1, -2.5, 1000, 4]);
    expect(['', 'NaN', 'Infinity', '0x10', '1,5', NaN, true, [], null].map(readNumber)).toEqual(
      Array(9).fill(null),
    );
  });
});

describe('orders', () => {
  it('are read with every published field', () => {
    const order = readOrder(
      wireOrder({
        closed: true,
        close_reason: 'order_filled',
        status: 'done',
        price: '2.03',
        stake: ['USDT', 10.5],
        bets: [bet(), bet({ bet_id: 6, status: 'danger', reconciled: 'x', exchange_role: null })],
        legs: [{ id: 1, sport: 'fb', live_score: { home: 1, away: 0 }, outcome: 'l/w' }],
        event_info: { event_id: 'e', result: { ht_home: 0, ht_away: 0, ft_home: 2, ft_away: 1 } },
      }),
      silentSurvey,
    );
    expect(order).toMatchObject({
      price: 2.03,
      stakeMicros: 10_500_000,
      eventId: 'e',
      betBarValues: { successMicros: 0, unplacedMicros: 10_500_000 },
      result: { halfTime: [0, 0], fullTime: [2, 1] },
      legs: [{ id: 1, liveScore: [1, 0], outcome: 'l/w' }],
    });
    expect(order.bets.map((b) => b.statusCode)).toEqual(['success', 'danger']);
    expect(order.bets[0]).toMatchObject({ betId: 5, gotStakeMicros: 4_000_000, exchangeRole: 'maker' });
  });

  it.each([
    ['match', { ht_home: 0, ht_away: 1, ft_home: 32_767, ft_away: 1 }, [0, 1], [32_767, 1]],
    ['match of one period', { ft_home: 2, ft_away: 1 }, null, [2, 1]],
    ['match at half time', { ht_home: 0, ht_away: 1, ft_home: null, ft_away: null }, [0, 1], null],
    ['tennis', { set1_p1: 6, set1_p2: 4, set2_p1: null, set2_p2: null, who_retired: null }, null, null],
    ['ice hockey', { tp1_home: 1, tp1_away: 0, tall_home: 1, tall_away: 0, pen_home: null }, null, null],
    ['table tennis', { game1_home: 11, game1_away: 9 }, null, null],
    ['outright', { runner_results: [{ team_id: 5, position: -2 }], non_runner_count: 1 }, null, null],
  ])('are read with the result of a %s, and nothing in it is new', (_, result, halfTime, fullTime) => {
    const { survey, noted } = noting();
    const event_info = { event_type: 'normal', event_id: 'e', end_time: '2026-03-01T12:00:00Z', result };
    expect(readOrder(wireOrder({ event_info }), survey).result).toEqual({ halfTime, fullTime });
    expect(noted).toEqual([]);
  });

  it('survive new fields, which are noted', () => {
    const { survey, noted } = noting();
    const order = readOrder(wireOrder({ status: 'paused', order_type: 'ladder', shiny: 1 }), survey);
    expect(order.status).toBe('paused');
    expect(order.closed).toBe(false);
    expect(noted).toEqual([
      'field order.shiny',
      'value order.status=paused',
      'value order.order_type=ladder',
    ]);
  });

  it('without `closed` are closed unless the status says that they can still be matched', () => {
    const closed = (status: string) =>
      readOrder(wireOrder({ status, closed: undefined }), silentSurvey).closed;
    expect(['open', 'pending', 'done', 'failed', 'reconciled', 'brand_new'].map(closed)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('are closed by a final status, too, and by one that is not published only where `closed` is left out', () => {
    const closed = (status: string, flag: boolean) =>
      readOrder(wireOrder({ status, closed: flag }), silentSurvey).closed;
    const final = ['done', 'failed', 'reconciled', 'partial_void', 'full_void'];
    expect(final.filter((status) => !closed(status, false))).toEqual([]);
    expect(['open', 'pending', 'brand_new'].filter((status) => closed(status, false))).toEqual([]);
    expect(['open', 'pending', 'brand_new'].filter((status) => !closed(status, true))).toEqual([]);
  });

  it.each([
    ['an id that is none', { order_id: 'seven' }],
    ['another currency', { want_stake: ['EUR', 10] }],
    ['no status', { status: undefined }],
  ])('are rejected with %s', (_name, part) => {
    expect(() => readOrder(wireOrder(part), silentSurvey)).toThrow(ProtocolError);
  });
});

describe('market data', () => {
  it('offers keep the order of the wire, and are sorted when it is wrong', () => {
    const level = (price: unknown, max: unknown = 10) => ({
      effective: { price, min: ['USDT', 1], max: ['USDT', max] },
    });
    const offer = readOffer(wireOffer({ price_list: [level('1.9'), level(2.1)] }), silentSurvey);
    expect(levelsOf(offer.priceList).map(({ price }) => price)).toEqual([2.1, 1.9]);
  });

  it.each([0, 1, -2, 'NaN', null, 1e999])('an offer with the price %s is rejected as a whole', (price) => {
    const list = [{ effective: { price, min: null, max: ['USDT', 1] } }];
    expect(() => readOffer(wireOffer({ price_list: list }), silentSurvey)).toThrow(ProtocolError);
  });

  it('have no level without stake for takers: it passed for the best price, or for a market that goes on', () => {
    const level = (price: number, max: unknown) => ({ effective: { price, min: null, max: ['USDT', max] } });
    const read = (...list: unknown[]) =>
      levelsOf(readOffer(wireOffer({ price_list: list }), silentSurvey).priceList).map(({ price }) => price);
    expect(read(level(2.04, 0), level(2, 100), level(1.99, '0.0'))).toEqual([2]);
    expect(read(level(2.04, 0))).toEqual([]);
  });

  it('levels of one price are merged: several sources may offer it', () => {
    const level = (price: number, min: number | null, max: number) => ({
      effective: { price, min: min && ['USDT', min], max: ['USDT', max] },
    });
    const list = [
      level(2.04, 1, 7),
      level(2.02, 5, 100),
      level(2.02, 2, 50),
      level(2, 4, 1),
      level(2, null, 2),
    ];
    const { priceList } = readOffer(wireOffer({ price_list: list }), silentSurvey);
    expect(levelsOf(priceList)).toEqual([
      { price: 2.04, minMicros: 1_000_000, maxMicros: 7_000_000 },
      { price: 2.02, minMicros: 2_000_000, maxMicros: 150_000_000 },
      { price: 2, minMicros: null, maxMicros: 3_000_000 },
    ]);
  });

  it('an event needs no more than its names', () => {
    const { survey, noted } = noting();
    const event = readEvent(
      { sport: 'curling', event_id: '2026-01-01,1,2', start_time: 'soon', teams: 7 },
      survey,
    );
    expect(event).toMatchObject({ sport: 'curling', startTimeMs: null, teams: [] });
    expect(noted).toContain('value sport=curling');
  });

  it('a quote keeps a status that is not known', () => {
    const quote = readQuote(
      {
        betslip_id: 'b',
        sport: 'fb',
        event_id: 'e',
        bet_type: 'for,h',
        status: { code: 'odd' },
        price_list: [],
      },
      silentSurvey,
    );
    expect(quote).toMatchObject({ statusCode: 'odd', totalMicros: null });
  });

  it.each([[{ price_list: null }], [{}]])('a failed quote is read without prices: %j', (list) => {
    const names = { betslip_id: 'b', sport: 'fb', event_id: 'e', bet_type: 'for,h' };
    const read = (code: string) => () => readQuote({ ...names, status: { code }, ...list }, silentSurvey);
    expect(read('failed')()).toMatchObject({ betslipId: 'b', statusCode: 'failed', priceList: [] });
    expect(read('success')).toThrow('price_list');
  });
});

describe('the account', () => {
  it('reads balance, heartbeats in both shapes, and positions', () => {
    expect(readBalance({ balance: ['USDT', 5] }, silentSurvey)).toMatchObject({ openStakeMicros: 0 });
    const list = [{ heartbeat_id: 'h', expiry_time: '2026-01-01T00:00:00Z' }];
    expect(readHeartbeats({ heartbeats: list }, silentSurvey)).toEqual(readHeartbeats(list, silentSurvey));
    const position = readPosition(
      {
        sport: 'fb',
        event_id: 'e',
        payoff_grid: { ccy_code: 'USDT', values: [[1.5, -2]] },
        totals: { 'for,h': { bet_type_description: 'Home', got_price: 2, got_stake: ['USDT', 3] } },
        unknown_bets_num: 0,
        unknown_grid: null,
        cashout_info: { allowed: false },
      },
      silentSurvey,
    );
    expect(position.payoffGridMicros).toEqual([[1_500_000, -2_000_000]]);
    expect([...position.totals]).toEqual([
      ['for,h', { gotPrice: 2, gotStakeMicros: 3_000_000, unknownPrice: null, unknownStakeMicros: 0 }],
    ]);
  });
});

describe('stream entries', () => {
  const ref = { sport: 'fb', event_id: 'e' };
  it.each([
    [['clear_events', null], { tag: 'clear_events' }],
    [['clear_events'], { tag: 'clear_events' }],
    [['sync', { session_id: 's' }], { tag: 'sync', sessionId: 's' }],
    [['sync', null], { tag: 'sync', sessionId: null }],
    [['remove_event', ref], { tag: 'remove_event', eventId: 'e' }],
    [['remove_offer', { ...ref, bet_type: 'for,h' }], { tag: 'remove_offer', betType: 'for,h' }],
    [['event_score', { ...ref, score: [1, '2'] }], { tag: 'event_score', score: [1, 2] }],
    [['event_score', { ...ref, score: null }], { tag: 'event_score', score: null }],
    [['event_red_cards', { ...ref, score: [0, 1] }], { tag: 'event_red_cards', redCards: [0, 1] }],
    [
      ['event_time', { ...ref, time: ['ht', null] }],
      { tag: 'event_time', time: { period: 'ht', minutes: null } },
    ],
    [['event_time', { ...ref, time: null }], { tag: 'event_time', time: null }],
    [
      ['betslip', { betslip_id: 'b', expiry_ts: 1, any: 1 }],
      { tag: 'betslip', betslipId: 'b', expiryMs: 1000 },
    ],
    [['betslip_closed', { betslip_id: 'b' }], { tag: 'betslip_closed', betslipId: 'b', closeReason: null }],
    [['order', wireOrder()], { tag: 'order', order: { orderId: 77 } }],
    [['bet', bet()], { tag: 'bet', bet: { betId: 5 } }],
    [['balance', { balance: ['USDT', 1] }], { tag: 'balance', balance: { balanceMicros: 1_000_000 } }],
    [['info', { registered_events: 3 }], { tag: 'other', name: 'info' }],
    [['response', { status: 'error', code: 'x' }], { tag: 'response', ok: false, code: 'x' }],
    [['toString', {}], { tag: 'other', name: 'toString' }],
  ])('%j', (raw, expected) => {
    expect(readEntry(raw, silentSurvey)).toMatchObject(expected);
  });

  it('of any shape never throw', () => {
    const tags = ['event', 'offer', 'pmm', 'order', 'bet', 'response', 'sync', 'event_time', 'betslip', 'x'];
    const entry = fc.tuple(fc.constantFrom(...tags), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(entry, fc.jsonValue()), (raw) => {
        expect(() => readEntry(raw, silentSurvey)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });

  it('with junk in one field never throw', () => {
    const mutated = (whole: Record<string, unknown>) =>
      fc
        .tuple(fc.constantFrom(...Object.keys(whole)), fc.jsonValue())
        .map(([key, value]) => ({ ...whole, [key]: value }));
    const entry = fc.oneof(
      mutated(wireOrder({ bets: [bet()] })).map((order) => ['order', order]),
      mutated(bet()).map((b) => ['bet', b]),
      mutated(wireOffer()).map((offer) => ['offer', offer]),
    );
    fc.assert(
      fc.property(entry, (raw) => {
        expect(() => readEntry(raw, silentSurvey)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a secret', () => {
  it('appears in no conversion to text', () => {
    const secret = new Secret('canary');
    const holder = { deep: [{ secret }] };
    const shown = [[secret].join(), String(secret), JSON.stringify(holder), inspect(holder, { depth: 9 })];
    expect(shown.join()).not.toContain('canary');
    expect(inspect(secret, { showHidden: true, getters: true })).toBe('[secret]');
    expect(Object.keys(secret)).toEqual([]);
    expect(JSON.stringify(structuredClone({ ...secret }))).toBe('{}');
    expect(secret.reveal()).toBe('canary');
  });
});

it('reads the bet type lookup under the names that were asked for, whatever the answer calls them', () => {
  const asked = { sport: 'fb' as Sport, betType: 'for,h' as BetType };
  const read = (answer: object) =>
    betTypeReader(asked)({ bet_type_description: 'Home', winloss_grid: [['w']], ...answer }, silentSurvey);
  for (const sport of ['Football', 'fb', null]) {
    expect(read({ sport })).toEqual({ ...asked, description: 'Home', grid: [['w']] });
  }
  expect(read({ sport: 'Football', bet_type: 'for,a' })).toMatchObject(asked);
});
