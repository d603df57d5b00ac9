import { describe, expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES } from '../../src/domain/exchange-prices.ts';
import { eventKey, type EventName } from '../../src/domain/events.ts';
import {
  betId,
  betType,
  eventId,
  orderId,
  requestUuid,
  type SelectionId,
  sport,
} from '../../src/domain/ids.ts';
import type { LiveOrder } from '../../src/domain/live-order.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { PriceKind } from '../../src/domain/odds.ts';
import { packLevels } from '../../src/domain/price-list.ts';
import type { Direction } from '../../src/domain/selection.ts';
import { type LiveReadings, liveState } from '../../src/read-model/live/live-state.ts';
import {
  type LiveFill,
  type LiveRefused,
  type LiveSelection,
  PIECES,
} from '../../src/read-model/live/message.ts';
import { type Fact, ReadModel } from '../../src/read-model/read-model.ts';
import { type Readings, statusOf } from '../../src/read-model/status.ts';
import { liveOrder } from '../support/orders.ts';
import { readings } from '../support/readings.ts';
import { bookedFact } from '../support/booked.ts';

const EVENT: EventName = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const KEY = eventKey(EVENT);
const HOME = `${KEY}|h` as SelectionId;
const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'finer' };

function modelWith(...facts: readonly Fact[]): ReadModel {
  const model = new ReadModel(0);
  model.take({
    kind: 'look',
    look: { events: [EVENT], chosen: new Map([[KEY, [HOME]]]) },
    titles: new Map(),
  });
  for (const fact of facts) model.take(fact);
  return model;
}

const order = (
  direction: Direction,
  priceKind: PriceKind,
  price: number,
  over: Partial<Omit<LiveOrder, 'requestUuid'>> = {},
): Fact => ({
  kind: 'account',
  change: {
    kind: 'order',
    order: liveOrder({
      requestUuid: requestUuid(`${priceKind} ${price}`),
      ...EVENT,
      selectionId: HOME,
      direction,
      priceKind,
      tick: tickOf(price) ?? -1,
      stakeMicros: 10e6,
      filledMicros: 5e6,
      ...over,
    }),
    before: null,
  },
  atMs: 4_000,
  wallMs: 1_004_000,
});

const inOdds = (over: Partial<Readings> = {}): Readings => readings({ exchangePrices: ODDS, ...over });

const live = (over: Partial<Readings> = {}): LiveReadings => ({
  ...inOdds(over),
  heartbeatS: 30,
  play: () => null,
  risk: () => null,
  alertsAt: () => [],
  trading: { state: 'active', by: null, why: null, sinceMs: null, kept: 'over restarts' },
  restriction: () => null,
  adjustments: () => [],
  byHand: () => [],
});

function quotesOf(model: ReadModel, given: LiveReadings) {
  const { pieces } = liveState(model, given, new Set([KEY]));
  const found = pieces.find(({ name }) => name.startsWith(PIECES.selection(KEY)));
  return (found?.value as LiveSelection | undefined)?.quotes ?? [];
}

describe('orders on the ladder of the complement', () => {
  it('stand in the status at the price and with the stake of the selection', () => {
    const model = modelWith(order('against', 'odds-against', 1.8), order('for', 'odds-for', 2.5));
    const { events, recentOrders } = statusOf(model, inOdds());
    const against = { label: 'against', price: 1.8, stake: 10 };
    expect(events[0]?.selections[0]).toMatchObject({
      quoted: { for: 2.5, against: 2.25 },
      exchange: { against },
      // 5 of its stake of 10 at 1.8 are 4 of 8 at 2.25.
      stake: { for: 5, against: 4 },
      filled: { for: 5, against: 4 },
    });
    expect(events[0]?.selections[0]?.exchange).not.toHaveProperty('for');
    expect(recentOrders).toMatchObject([
      { direction: 'for', price: 2.5, stake: 10, filled: 5 },
      { direction: 'against', price: 2.25, stake: 8, filled: 4, exchange: against },
    ]);
    expect(recentOrders[0]).not.toHaveProperty('exchange');
  });

  it.each<[string, readonly [PriceKind, number][], number]>([
    // The lower odds against are the higher price of the selection.
    [
      'of two on one ladder',
      [
        ['odds-against', 1.75],
        ['odds-against', 1.8],
      ],
      7 / 3,
    ],
    [
      'of one on each ladder',
      [
        ['odds-against', 1.8],
        ['lay-for', 2.24],
      ],
      2.25,
    ],
    [
      'of one on each ladder, the other way round',
      [
        ['odds-against', 1.8],
        ['lay-for', 2.26],
      ],
      2.26,
    ],
  ])('give the quote that the next taker gets, %s', (_, orders, price) => {
    const facts = orders.map(([kind, at]) => order('against', kind, at));
    for (const given of [facts, facts.toReversed()]) {
      const [event] = statusOf(modelWith(...given), inOdds()).events;
      expect(event?.selections[0]?.quoted.against).toBeCloseTo(price, 12);
    }
  });

  it('stand on the ladder at their exact price, with what the exchange calls them', () => {
    const quotes = quotesOf(
      modelWith(order('against', 'odds-against', 1.75), order('against', 'lay-for', 2.34)),
      live(),
    );
    expect(quotes).toMatchObject([
      { price: 175 / 75, stake: 7.5, unfilled: 3.75, exchange: { label: 'against', price: 1.75, stake: 10 } },
      { price: 2.34, stake: 10, unfilled: 5, exchange: { label: 'lay', price: 2.34, stake: 10 } },
    ]);
  });

  it('count what stands before them by the tick at which takers see them', () => {
    // Orders for at 2.54 and 2.56 are both shown to takers against as 1.64, which is 2.5625 for the selection.
    const against = packLevels([2.5625, 2.5].map((price) => ({ price, minMicros: null, maxMicros: 30e6 })));
    // An order against at 1.75 (2.333) is shown to takers for as 2.32.
    const forTakers = packLevels(
      [2.34, 2.32, 2.3].map((price) => ({ price, minMicros: null, maxMicros: 20e6 })),
    );
    const quotes = quotesOf(
      modelWith(order('for', 'odds-for', 2.54), order('against', 'odds-against', 1.75)),
      live({ depthOf: () => ({ for: forTakers, against }) }),
    );
    expect(quotes.map(({ direction, ahead }) => [direction, ahead])).toEqual([
      ['against', 40],
      ['for', 60],
    ]);
  });

  it('are named so in the lists of fills and refusals', () => {
    const model = modelWith(
      order('against', 'odds-against', 1.8),
      bookedFact({
        ...EVENT,
        betId: betId(7),
        orderId: orderId(1),
        requestUuid: null,
        selectionId: HOME,
        betType: betType('against,h'),
        direction: 'against',
        priceKind: 'odds-against',
        price: 1.8,
        stakeMicros: 10e6,
        role: 'maker',
        atMs: 1_003_000,
      }),
    );
    model.take(order('against', 'odds-against', 1.8, { state: 'refused' }));
    const { pieces } = liveState(model, live(), new Set());
    const terms = { price: 2.25, stake: 8, exchange: { label: 'against', price: 1.8, stake: 10 } };
    const valueOf = (name: string): unknown => pieces.find((piece) => piece.name === name)?.value;
    expect(valueOf(PIECES.fill(7)) as LiveFill).toMatchObject(terms);
    const uuid = requestUuid('odds-against 1.8');
    expect(valueOf(PIECES.refused(uuid)) as LiveRefused).toMatchObject(terms);
    expect(statusOf(model, inOdds()).recentFills).toMatchObject([terms]);
  });
});

describe('orders at prices of the selection', () => {
  it('have no other words', () => {
    const model = modelWith(order('against', 'lay-for', 2.24), order('for', 'odds-for', 2.5));
    const status = statusOf(model, readings());
    const said = JSON.stringify([
      status,
      liveState(model, live({ exchangePrices: LAY_PRICES }), new Set([KEY])),
    ]);
    expect(said).not.toContain('"exchange"');
  });
});
