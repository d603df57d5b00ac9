import { describe, expect, it } from 'vitest';
import { offerRow } from '../../src/cli/commands/exchange/market.ts';
import { orderRow } from '../../src/cli/commands/exchange/orders.ts';
import { fillRow } from '../../src/cli/commands/daemon/history.ts';
import { renderWhy } from '../../src/cli/output/operate-view.ts';
import { TERMINAL } from '../../src/lib/formats.ts';
import { onExchange } from '../../src/read-model/bet-terms.ts';
import type { ExchangePrices } from '../../src/domain/exchange-prices.ts';
import { betType, eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import { packLevels } from '../../src/domain/price-list.ts';

const LAY: ExchangePrices = { convention: 'lay', secondSide: 'against' };
const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'against' };
const EVENT = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };

describe('touchline exchange offers', () => {
  const offer = (type: string) => ({
    ...EVENT,
    betType: betType(type),
    marketType: 'wdw',
    inRunning: false,
    priceList: packLevels(
      [2.3, 2.2, 2.1].map((price) => ({ price, minMicros: null, maxMicros: price * 1e6 })),
    ),
  });

  it.each([
    ['for,h', LAY, 2.3, 'odds'],
    ['against,h', LAY, 2.1, 'lay price'],
    ['for,h', ODDS, 2.3, 'odds'],
    ['against,h', ODDS, 2.3, 'odds'],
    ['proposition', ODDS, 2.3, null],
  ])('give of %s in %o the best price %s, which is %s', (type, prices, best, what) => {
    expect(offerRow(offer(type), prices)).toMatchObject({
      best_price: best,
      up_to_usdt: best,
      price_is: what,
      levels: 3,
    });
  });
});

describe('touchline exchange orders', () => {
  const order = (type: string, orderType: string) =>
    ({
      ...EVENT,
      betType: betType(type),
      orderType,
      wantPrice: 2.3,
      bets: [],
      eventInfo: null,
      betTypeDescription: '',
      closed: false,
      placementTimeMs: null,
      expiryTimeMs: null,
    }) as never;

  it.each([
    ['against,h', 'normal', LAY, 'lay price'],
    ['against,h', 'normal', ODDS, 'odds'],
    ['for,h', 'lay', ODDS, 'lay price'],
    ['for,h', 'normal', ODDS, 'odds'],
    ['for,h', 'parlay', ODDS, 'odds'],
  ])('say what the price of a bet %s of an order %s is', (type, orderType, prices, what) => {
    expect(orderRow(order(type, orderType), prices)).toMatchObject({ price: 2.3, price_is: what });
  });
});

describe('touchline history --fills', () => {
  const fill = (direction: string, priceKind: string, price: number) =>
    fillRow({
      ...EVENT,
      selectionId: 'fb|2026-01-01,1,2|h',
      direction,
      priceKind,
      price,
      stakeMicros: 10e6,
      atMs: 0,
      fair: null,
      markouts: {},
    } as never);

  it('says what a price is, and which price of the selection it stands for', () => {
    expect(fill('against', 'odds-against', 1.75)).toMatchObject({
      price: 1.75,
      price_is: 'odds',
      selection_price: 2.333333,
      stake: 10,
    });
    expect(fill('against', 'lay-for', 2.34)).toMatchObject({
      price: 2.34,
      price_is: 'lay price',
      selection_price: 2.34,
    });
  });
});

describe('touchline why', () => {
  it('shows a wanted quote at the price of the selection, and what it is on the exchange', () => {
    const exchange = { label: 'against', price: 1.75, stake: 10 };
    const [, , row] = renderWhy([
      {
        selectionId: 'fb|1|h' as SelectionId,
        verdicts: [],
        state: 'active',
        alarms: [],
        wanted: [{ direction: 'against', price: 175 / 75, stakeUsdt: 7.5, exchange }],
        reason: { for: null, against: null },
      },
    ]);
    expect(row).toContain('7.50 at 2.333 (on the exchange against 10.00 at 1.75)');
  });
});

describe('what an order is on the exchange', () => {
  it('is nothing where the exchange has the same', () => {
    expect(onExchange(undefined, TERMINAL)).toBe('');
  });
});
