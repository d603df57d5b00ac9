/**
 * Every statement that names a price, under both conventions: `against` prices are odds on that bet, or lay prices of the selection. The
 * market is the same: the home win offers backers 2.2 and 2.1, and layers 2.3 and 2.4, 100 each.
 */
import { describe, expect, it } from 'vitest';
import { PRICE_CONVENTIONS, type PriceConvention } from '../../src/domain/odds.ts';
import type { Client, Wire } from './support/client.ts';
import { exchange, type ServedExchange } from './support/exchange.ts';
import { EVENT, EVENT_ID, KEY, OTHER_KEY } from './support/names.ts';

/** What names a price, or a stake at one, under each convention. */
const NAMED = {
  lay: {
    offers: [
      { price: 2.4, min: null, max: ['USDT', 100] },
      { price: 2.3, min: null, max: ['USDT', 100] },
    ],
    /** The best offer, a limit that accepts it and no worse one, and what a taker of 13 at that limit gets. */
    best: 2.3,
    tooGood: 2.28,
    got: 2.3,
    offTick: [3.43, 3.4],
    /** The result of a matched stake of 13 if the home side wins and if not. */
    profits: [-16.9, 13],
    /** The stake here that 50 at 2.2 in the other direction matches, and the price at which it is shown. */
    other: { price: 2.2, shown: 2.2, stake: 50 },
    whole: { price: 2.4, stake: 200 },
  },
  odds: {
    offers: [
      { price: 1.76, min: null, max: ['USDT', 130] },
      { price: 1.71, min: null, max: ['USDT', 140] },
    ],
    best: 1.76,
    tooGood: 1.77,
    got: 230 / 130,
    offTick: [3.43, 3.45],
    profits: [-13, 10],
    other: { price: 1.83, shown: 1.83, stake: 60 },
    whole: { price: 1.71, stake: 270 },
  },
} as const;

const effective = (list: Wire): Wire[] => list.map((level: Wire) => level.effective);

describe.each(PRICE_CONVENTIONS)('under the convention `%s`', (priceConvention) => {
  const named = NAMED[priceConvention as PriceConvention];
  const started = (): Promise<ServedExchange> => exchange({ settings: { priceConvention } });
  const offersOf = async (client: Client, betType: string): Promise<Wire[]> => {
    const { data } = await client.get(`offers/?sport=fb&event_id=${EVENT_ID}&bet_type=${betType}`);
    return effective(data[0]?.price_list ?? []);
  };

  it('offers both markets of a selection by falling price, each with the stake of its own takers', async () => {
    const ex = await started();
    const anna = ex.client();
    const stream = await anna.stream();
    await stream.register();
    expect(await offersOf(anna, 'for,h')).toMatchObject([{ price: 2.2 }, { price: 2.1 }]);
    expect(await offersOf(anna, 'against,h')).toEqual(named.offers);
    const sent = stream.all('offer').find((offer: Wire) => offer.bet_type === 'against,h') as Wire;
    expect(effective(sent.price_list)).toEqual(named.offers);
  });

  it('quotes a normal betslip what the offers show', async () => {
    const ex = await started();
    const anna = ex.client();
    const id = await anna.betslip('against,h');
    await ex.pass(2);
    expect(effective((await anna.get(`betslips/${id}/`)).data.price_list)).toEqual(named.offers);
  });

  it('moves an off-tick limit of either market to the first tick that honours it', async () => {
    const ex = await started();
    const anna = ex.client();
    const backed = await anna.placed('for,d', 3.52, 10);
    const [wanted, limit] = named.offTick;
    const other = await anna.placed('against,d', wanted, 10);
    expect([backed.want_price, other.want_price]).toEqual([3.55, limit]);
    const [first, second] = ex.inspect().orders;
    expect([first?.price, second?.price]).toEqual([3.55, limit]);
  });

  it('fills at the price or better, with the exact price of the trade on both sides', async () => {
    const ex = await started();
    const anna = ex.client();
    const backed = await anna.placed('for,h', 2.1, 150);
    expect(backed.bets.map((bet: Wire) => bet.got_price)).toEqual([2.2, 2.1]);
    const other = await anna.placed('against,h', named.best, 13);
    expect(other.bets).toMatchObject([{ got_price: named.got, got_stake: ['USDT', 13] }]);
    expect((await anna.placed('against,h', named.tooGood, 13)).bets).toEqual([]);
  });

  it('advertises the rest of an order to the other market, and both sides of a trade have their own stakes', async () => {
    const ex = await started();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    const order = await anna.placed('for,h', 2.2, 150);
    expect(order.bets).toMatchObject([{ got_price: 2.2, got_stake: ['USDT', 100], exchange_role: 'taker' }]);
    const { price, shown, stake } = named.other;
    const best = (await offersOf(ben, 'against,h')).find((level) => level.price === shown);
    expect(best.max).toEqual(['USDT', stake]);
    const other = await ben.placed('against,h', price, stake);
    expect(other.bets).toMatchObject([{ exchange_role: 'taker', got_stake: ['USDT', stake] }]);
    const filled = await anna.order(order.order_id);
    expect(filled).toMatchObject({ status: 'done', close_reason: 'order_filled' });
    expect(filled.bets.at(-1)).toMatchObject({
      exchange_role: 'maker',
      got_price: 2.2,
      got_stake: ['USDT', 50],
    });
  });

  it('consumes only with take_only, hides dark stake, and holds its minimum in its own stake', async () => {
    const ex = await started();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    await anna.placed('against,h', named.tooGood, 10, { exchange_mode: 'take_only' });
    await anna.placed('for,h', 2.26, 20, { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 15] });
    expect(await offersOf(ben, 'against,h')).toEqual(named.offers);
    expect(await offersOf(ben, 'for,h')).toHaveLength(2);
    const [price, enough] = priceConvention === 'odds' ? [1.79, 18.9] : [2.26, 15];
    const take = { exchange_mode: 'take_only' };
    expect((await ben.placed('against,h', price, enough - 0.01, take)).bets).toEqual([]);
    expect((await ben.placed('against,h', price, enough, take)).bets).toHaveLength(1);
  });

  it('can insist on the whole stake, on the shown price, and on the own price, in either market', async () => {
    const ex = await started();
    const anna = ex.client();
    const { price, stake } = named.whole;
    const whole = { accept_partial_fill: false };
    expect((await anna.placed('against,h', price, stake + 1, whole)).bets).toEqual([]);
    const exact = { accept_better_price: false, exchange_mode: 'take_only' };
    expect((await anna.placed('against,h', price, 1, exact)).bets[0].got_price).toBeCloseTo(
      priceConvention === 'odds' ? 240 / 140 : 2.4,
      12,
    );
    const forced = await anna.placed('against,h', price, 10, { force_want_price: true });
    expect(forced.bets[0]).toMatchObject({ got_price: price, got_stake: ['USDT', 10] });
  });

  it('uses a source only for its minimum in the stake of the order', async () => {
    const ex = await started();
    const anna = ex.client();
    const { price, stake } = named.whole;
    const least = (usdt: number) => ({
      bookie_min_stakes: { maker: ['USDT', usdt] },
      exchange_mode: 'take_only',
    });
    expect((await anna.placed('against,h', price, 1_000, least(stake + 0.01))).bets).toEqual([]);
    expect((await anna.placed('against,h', price, 1_000, least(stake))).bets).toHaveLength(2);
  });

  it('pays a bet by what its price is, and shows so in the position before', async () => {
    const ex = await started();
    const anna = ex.client();
    const order = await anna.placed('against,h', named.best, 13);
    const [won, lost] = named.profits;
    const { data } = await anna.get(`orders/position/?event_id=${EVENT_ID}`);
    const { values } = data.payoff_grid;
    expect([values[2][1], values[1][1]]).toEqual([won, lost]);
    expect(data.totals['against,h'].got_price).toBeCloseTo(named.got, 6);
    const result = { kind: 'score', home: 2, away: 1, halfTimeHome: 1, halfTimeAway: 0 } as const;
    ex.market((market, nowMs) => market.settle(EVENT, result, nowMs));
    const paid = await anna.order(order.order_id);
    expect(paid).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', won] });
    expect(paid.price).toBeCloseTo(named.got, 6);
    expect((await anna.get('balance/')).data.balance).toEqual(['USDT', 100_000 + won]);
  });

  it('holds what an open order can lose', async () => {
    const ex = await started();
    const anna = ex.client();
    await anna.placed('against,h', named.tooGood, 100);
    const { open_stake: open } = (await anna.get('balance/')).data;
    expect(open[1]).toBeCloseTo(priceConvention === 'odds' ? 100 : 128, 6);
  });

  it('says of a bet type what it pays, whatever its prices are', async () => {
    const ex = await started();
    const grid = async (betType: string) =>
      (await ex.client().get(`sports/fb/bet_types/${betType}/`)).data.winloss_grid;
    expect([(await grid('for,h'))[2][1], (await grid('against,h'))[2][1]]).toEqual(['w', 'l']);
    expect([(await grid('for,h'))[1][1], (await grid('against,h'))[1][1]]).toEqual(['l', 'w']);
  });

  it('has lay betslips with lay prices, by which their orders take the other side of the bet type', async () => {
    const ex = await started();
    const anna = ex.client();
    const laid = async (betType: string, price: number): Promise<Wire> => {
      const body = { betslip_id: await anna.betslip(betType, EVENT_ID, 'lay'), price, stake: ['USDT', 10] };
      const { data } = await anna.post('orders/', { ...body, duration: 600 });
      await ex.pass(1);
      return anna.order(data.order_id);
    };
    if (priceConvention === 'lay') {
      const lay = { sport: 'fb', event_id: EVENT_ID, betslip_type: 'lay', bet_type: 'for,h' };
      expect((await anna.post('betslips/', lay)).data.validation_errors).toEqual({
        bet_type: ['invalid_bet_type'],
      });
      expect(await laid('against,h', 2.31)).toMatchObject({ order_type: 'lay', bets: [{ got_price: 2.3 }] });
      return;
    }
    const order = await laid('for,h', 2.31);
    expect(order).toMatchObject({ order_type: 'lay', bet_type: 'for,h', want_price: 2.3 });
    expect(order.bets).toMatchObject([{ want_price: 2.3, got_price: 2.3, got_stake: ['USDT', 10] }]);
    expect(await laid('against,h', 2.01)).toMatchObject({
      order_type: 'lay',
      bets: [{ got_price: 220 / 120 }],
    });
    const { values } = (await anna.get('orders/position/')).data.payoff_grid;
    expect([values[2][1], values[1][1]]).toEqual([-3, 1.666667]);
  });
});
