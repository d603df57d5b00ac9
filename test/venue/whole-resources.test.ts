import { describe, expect, it } from 'vitest';
import { readBalance, readHeartbeat, readPosition, readRates } from '../../src/venue/wire/account.ts';
import { readBet } from '../../src/venue/wire/bets.ts';
import { readBetslip } from '../../src/venue/wire/betslips.ts';
import { betTypeReader, readEvent } from '../../src/venue/wire/events.ts';
import { readEntry, readFrame, readRegistered } from '../../src/venue/wire/frame.ts';
import { readOffer, readQuote } from '../../src/venue/wire/offers.ts';
import { readOrder } from '../../src/venue/wire/orders.ts';
import type { Survey } from '../../src/venue/wire/survey.ts';
import {
  NAMES,
  READ_NAMES,
  LEG,
  BET,
  READ_BET,
  ORDER,
  READ_ORDER,
  EVENT,
  READ_EVENT,
  BETSLIP,
  READ_BETSLIP,
  OFFER,
  READ_OFFER,
  QUOTE,
  READ_QUOTE,
  BALANCE,
  READ_BALANCE,
  POSITION,
  READ_POSITION,
  ASKED,
  LOOKUP,
} from './support/resources.ts';

/** What a reader makes of a value, and what it notes meanwhile. */
function read<T>(reader: (raw: unknown, survey: Survey) => T, raw: unknown) {
  const noted: string[] = [];
  const value = reader(raw, { note: (kind, name) => void noted.push(`${kind} ${name}`) });
  return { value, noted };
}

describe('a resource with every published field is read whole, and nothing in it is unknown', () => {
  it.each<[string, (raw: unknown, survey: Survey) => unknown, object, object]>([
    ['bet', readBet, BET, READ_BET],
    ['order', readOrder, ORDER, READ_ORDER],
    ['event', readEvent, EVENT, READ_EVENT],
    ['betslip', readBetslip, BETSLIP, READ_BETSLIP],
    ['offer', readOffer, OFFER, READ_OFFER],
    ['quote', readQuote, QUOTE, READ_QUOTE],
    ['balance', readBalance, BALANCE, READ_BALANCE],
    [
      'heartbeat',
      readHeartbeat,
      { heartbeat_id: 'h', expiry_time: 1_767_261_600 },
      { heartbeatId: 'h', expiryMs: Date.UTC(2026, 0, 1, 10) },
    ],
    ['bet type', betTypeReader(ASKED), LOOKUP, { ...ASKED, description: 'Home', grid: [['w', 'l']] }],
    ['list of rates', readRates, [{ ccy: 'EUR', rate: '1.1' }], [{ ccy: 'EUR', rate: 1.1 }]],
  ])('%s', (_, reader, raw, whole) => {
    expect(read(reader, raw)).toEqual({ value: whole, noted: [] });
  });

  it('position, of which a total that cannot be read is noted', () => {
    expect(read(readPosition, POSITION)).toEqual({
      value: READ_POSITION,
      noted: ['bad-entry totals: unreadable total: value: Invalid input: expected object, received number'],
    });
  });
});

const NO_NAMES = { sport: '', eventId: '', betType: '' };

describe('a resource with as few fields as it may have', () => {
  it.each<[string, (raw: unknown, survey: Survey) => unknown, object, object]>([
    [
      'bet',
      readBet,
      { bet_id: 5, order_id: 77, status: 'success' },
      {
        betId: 5,
        orderId: 77,
        orderCcyRate: null,
        ccyRate: null,
        ...NO_NAMES,
        statusCode: 'success',
        statusReason: null,
        responseLevel: null,
        wantPrice: null,
        gotPrice: null,
        wantStakeMicros: null,
        gotStakeMicros: null,
        profitLossMicros: null,
        reconciled: null,
        exchangeRole: null,
      },
    ],
    [
      'order',
      readOrder,
      { order_id: 77, want_price: 2, want_stake: ['USDT', 1], status: 'open', order_type: 'normal' },
      {
        orderId: 77,
        orderType: 'normal',
        ...NO_NAMES,
        betTypeDescription: '',
        wantPrice: 2,
        wantStakeMicros: 1e6,
        ccyRate: null,
        placementTimeMs: null,
        expiryTimeMs: null,
        closed: false,
        closeReason: null,
        status: 'open',
        keepOpenInRunning: false,
        exchangeMode: null,
        price: null,
        stakeMicros: null,
        profitLossMicros: null,
        betBarValues: null,
        currentScore: null,
        legs: [],
        eventInfo: null,
        bets: [],
        userData: null,
        result: null,
      },
    ],
    [
      'betslip',
      readBetslip,
      { betslip_id: 'b' },
      {
        betslipId: 'b',
        ...NO_NAMES,
        betTypeDescription: '',
        expiryMs: null,
        isOpen: true,
        closeReason: null,
        equivalentBets: null,
        customerUsername: null,
        customerCcy: null,
        betslipType: '',
        userData: null,
        legs: [],
        priceList: null,
        totalMicros: null,
      },
    ],
    [
      'offer',
      readOffer,
      { ...NAMES, price_list: [] },
      { ...READ_NAMES, marketType: '', inRunning: false, priceList: [] },
    ],
    [
      'balance',
      readBalance,
      { balance: ['USDT', 5] },
      { balanceMicros: 5e6, openStakeMicros: 0, smartCreditMicros: null },
    ],
    ['heartbeat', readHeartbeat, { heartbeat_id: 'h' }, { heartbeatId: 'h', expiryMs: null }],
    [
      'position',
      readPosition,
      {},
      {
        sport: '',
        eventId: '',
        unknownBetsCount: 0,
        unknownGrid: null,
        cashoutInfo: null,
        ccyCode: null,
        payoffGridMicros: null,
        totals: new Map(),
        descriptions: new Map(),
      },
    ],
  ])('is a %s', (_, reader, raw, whole) => {
    expect(read(reader, raw)).toEqual({ value: whole, noted: [] });
  });

  it('is closed where a betslip says why, unless it says that it is open', () => {
    const isOpen = (part: object) => read(readBetslip, { betslip_id: 'b', ...part }).value.isOpen;
    const reasons = { close_reason: 'expired' };
    expect([isOpen(reasons), isOpen({ ...reasons, is_open: true }), isOpen({ is_open: false })]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('a fact of a bet’s status', () => {
  it.each([
    ['success', ['success', null, null]],
    [{ code: 'failed', reason: 'late' }, ['failed', 'late', null]],
    [{ code: 7, reason: 7, response_pmm: 7 }, ['', null, null]],
    [[], ['', null, null]],
    [null, ['', null, null]],
  ])('is read of %j', (status, facts) => {
    const { statusCode, statusReason, responseLevel } = read(readBet, { ...BET, status }).value;
    expect([statusCode, statusReason, responseLevel]).toEqual(facts);
  });

  it.each([true, false, 'settled'])('%s says whether the bet is settled', (reconciled) => {
    expect(read(readBet, { ...BET, reconciled }).value.reconciled).toBe(reconciled);
  });
});

type Reading = (value: string) => readonly string[];

const notedIn: Readonly<Record<string, Reading>> = {
  sport: (v) => read(readEvent, { ...EVENT, sport: v }).noted,
  event_type: (v) => read(readEvent, { ...EVENT, event_type: v }).noted,
  ir_status: (v) => read(readEvent, { ...EVENT, ir_status: v }).noted,
  'order.status': (v) => read(readOrder, { ...ORDER, status: v }).noted,
  'order.order_type': (v) => read(readOrder, { ...ORDER, order_type: v }).noted,
  'order.close_reason': (v) => read(readOrder, { ...ORDER, close_reason: v }).noted,
  'order.exchange_mode': (v) => read(readOrder, { ...ORDER, exchange_mode: v }).noted,
  'leg.outcome': (v) => read(readOrder, { ...ORDER, legs: [{ ...LEG, outcome: v }] }).noted,
  'bet.status': (v) => read(readBet, { ...BET, status: v }).noted,
  'bet.exchange_role': (v) => read(readBet, { ...BET, exchange_role: v }).noted,
  'pmm.status': (v) => read(readQuote, { ...QUOTE, status: { code: v } }).noted,
};

/** The values that the exchange publishes. */
const PUBLISHED: Readonly<Record<keyof typeof notedIn, string>> = {
  sport:
    'fb fb_ht fb_et fb_corn fb_corn_ht fb_htft basket basket_ht tennis cricket horse esports politics af baseball ih rl ru mma boxing golf darts',
  event_type: 'normal multirunner',
  ir_status: 'pre_event in_running',
  'order.status': 'open pending done failed reconciled partial_void full_void',
  'order.order_type': 'normal lay parlay',
  'order.close_reason': 'order_filled cancelled timed_out expired',
  'order.exchange_mode': 'make_and_take take_only dark',
  'leg.outcome': 'w l v v/w l/v l/w unknown',
  'bet.status': 'success inprogress danger unplaced pending failed',
  'bet.exchange_role': 'maker taker',
  'pmm.status': 'success',
};

describe.each(Object.entries(notedIn))('the value of %s', (field, noted) => {
  it('is known if it is published', () => {
    for (const value of (PUBLISHED[field] as string).split(' ')) expect(noted(value)).toEqual([]);
  });

  it('is noted otherwise, cut to 64 characters', () => {
    expect(noted('brand_new')).toEqual([`value ${field}=brand_new`]);
    expect(noted('n'.repeat(64))).toEqual([`value ${field}=${'n'.repeat(64)}`]);
    expect(noted('n'.repeat(65))).toEqual([`value ${field}=${'n'.repeat(64)}`]);
  });
});

describe('an entry of the stream is read whole', () => {
  const ref = { sport: 'fb', event_id: 'e' };
  const name = { sport: 'fb', eventId: 'e' };
  it.each<[string, unknown, object]>([
    ['event', EVENT, { event: READ_EVENT }],
    ['remove_event', ref, name],
    ['clear_events', null, {}],
    ['sync', { session_id: 's' }, { sessionId: 's' }],
    ['sync', { session_id: 7 }, { sessionId: null }],
    ['offer', OFFER, { offer: READ_OFFER }],
    ['remove_offer', { ...ref, bet_type: 'for,h' }, { ...name, betType: 'for,h' }],
    ['event_score', { ...ref, score: [1, 2] }, { ...name, score: [1, 2] }],
    ['event_red_cards', { ...ref, score: [1, 2] }, { ...name, redCards: [1, 2] }],
    ['event_time', { ...ref, time: ['1h', 12] }, { ...name, time: { period: '1h', minutes: 12 } }],
    ['event_time', { ...ref, time: [2] }, { ...name, time: { period: '2', minutes: null } }],
    ['event_time', { ...ref, time: [] }, { ...name, time: null }],
    ['event_time', ref, { ...name, time: null }],
    ['pmm', QUOTE, { quote: READ_QUOTE }],
    ['betslip', { betslip_id: 'b', expiry_ts: 1, other: 1 }, { betslipId: 'b', expiryMs: 1_000 }],
    ['betslip_closed', { betslip_id: 'b', close_reason: 'x' }, { betslipId: 'b', closeReason: 'x' }],
    ['order', ORDER, { order: READ_ORDER }],
    ['bet', BET, { bet: READ_BET }],
    ['balance', BALANCE, { balance: READ_BALANCE }],
    ['response', { status: 'ok', code: null, data: [1] }, { ok: true, code: null, data: [1] }],
    ['response', { status: 'error', code: 'c' }, { ok: false, code: 'c', data: null }],
  ])('%s: %j', (tag, payload, rest) => {
    expect(read(readEntry, [tag, payload])).toEqual({ value: { tag, ...rest }, noted: [] });
  });

  it.each(['xrate', 'info', 'ir_info', 'remove_ir_info', 'event_exchange_dark_liquidity'])(
    'but for %s, which is of no use',
    (tag) => {
      expect(read(readEntry, [tag, {}])).toEqual({ value: { tag: 'other', name: tag }, noted: [] });
    },
  );

  it.each<[string, unknown, unknown, string]>([
    ['another tag', ['t'.repeat(65), {}], { tag: 'other', name: 't'.repeat(65) }, `tag ${'t'.repeat(64)}`],
    ['no pair', 'offer', null, 'bad-entry not a [tag, payload] pair'],
    ['a tag that is no text', [7, {}], null, 'bad-entry not a [tag, payload] pair'],
    ['no betslip', ['betslip', {}], null, 'bad-entry betslip: unreadable betslip: betslip_id'],
    ['no offer', ['offer', 7], null, 'bad-entry offer: unreadable offer: expected an object'],
    ...['sport', 'event_id', 'bet_type'].map(
      (field): [string, unknown, unknown, string] =>
        [
          `no ${field} of an offer`,
          ['offer', { ...OFFER, [field]: 7 }],
          null,
          'bad-entry offer: unreadable offer: sport, event_id or bet_type is no string',
        ] as [string, unknown, unknown, string],
    ),
    [
      'no prices',
      ['offer', { ...OFFER, price_list: 7 }],
      null,
      'bad-entry offer: unreadable offer: price_list',
    ],
    [
      'a new field',
      ['offer', { ...OFFER, shiny: 1 }],
      { tag: 'offer', offer: READ_OFFER },
      'field offer.shiny',
    ],
  ])('and notes %s', (_, raw, value, noted) => {
    expect(read(readEntry, raw)).toEqual({ value, noted: [noted] });
  });
});

describe('a frame', () => {
  const frame = (value: unknown) =>
    read(
      (raw, survey) => readFrame(raw as Uint8Array, survey),
      new TextEncoder().encode(JSON.stringify(value)),
    );

  it('has its instant, and its entries but for those that cannot be read', () => {
    const data = [['clear_events'], 7, ['remove_event', { sport: 'fb', event_id: 'e' }]];
    expect(frame({ ts: '2026-01-01T10:00:00Z', data })).toEqual({
      value: {
        sentMs: Date.UTC(2026, 0, 1, 10),
        entries: [{ tag: 'clear_events' }, { tag: 'remove_event', sport: 'fb', eventId: 'e' }],
      },
      noted: ['bad-entry not a [tag, payload] pair'],
    });
    expect(frame({ data: [] })).toEqual({ value: { sentMs: null, entries: [] }, noted: [] });
  });

  it.each([[[]], [{ ts: 1 }], [{ ts: 1, data: {} }], [null]])('is none of %j', (value) => {
    expect(frame(value)).toEqual({
      value: { sentMs: null, entries: [] },
      noted: ['bad-frame not {"ts", "data"}'],
    });
  });
});

it.each([[[7, 'e']], [['fb', 7]], ['fb,e']])('a registered event is no %j', (item) => {
  expect(() => readRegistered({ registered_events: [item] })).toThrow('expected [sport, event_id]');
});
