import { describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { type ExchangePrices, LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import type { BetslipId } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import type { PriceKind } from '../../../src/domain/odds.ts';
import type { BetslipRequest, VenueOrder } from '../../../src/domain/orders.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { type Fact, factOf } from '../../../src/orders/journal/records.ts';
import { matches } from '../../../src/account/reports.ts';
import { BY_HAND, OrderManagerRig, quote, type RigOptions } from '../../support/order-manager-rig.ts';
import { failing } from '../support/failing.ts';
import { onlyOpen } from '../support/only-open.ts';

const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'finer' };

const listOf = (...prices: readonly number[]): PriceList =>
  packLevels(prices.map((price) => ({ price, minMicros: null, maxMicros: 500e6 })));

/** Nothing is offered, unless a test says what. */
const rigOf = (given: RigOptions = {}): OrderManagerRig =>
  new OrderManagerRig({
    exchangePrices: () => ODDS,
    market: () => ({ for: [], against: [] }),
    ...given,
    venue: { quote: () => [], ...given.venue },
  });

/** A quote against the home side at a price of its own kind. */
const against = (priceKind: PriceKind, price: number, over: Partial<QuoteIntent> = {}): QuoteIntent =>
  quote({ direction: 'against', priceKind, tick: tickOf(price) as number, ...over });

/** The markets of the betslips that were requested. */
function slipsOf(rig: OrderManagerRig): BetslipRequest[] {
  const asked: BetslipRequest[] = [];
  const create = rig.venue.createBetslip.bind(rig.venue);
  rig.venue.createBetslip = (request, options) => {
    asked.push(request);
    return create(request, options);
  };
  return asked;
}

const intended = (rig: OrderManagerRig) =>
  rig.store.records
    .map(factOf)
    .filter((fact): fact is Extract<Fact, { kind: 'order_intended' }> => fact.kind === 'order_intended');

describe('an order', () => {
  it.each([
    ['odds-for', 'for', 'for,h', undefined, 'normal'],
    ['odds-against', 'against', 'against,h', undefined, 'normal'],
    ['lay-for', 'against', 'for,h', 'lay', 'lay'],
  ] as const)('with a price of kind %s is placed on the betslip with such prices', async (...row) => {
    const [priceKind, direction, betType, betslipType, orderType] = row;
    const rig = rigOf();
    const asked = slipsOf(rig);
    const { tick } = against(priceKind, 3);
    await rig.startQuoting(quote({ direction, priceKind, tick, stakeMicros: 7e6 }));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.betslipType).toBe(betslipType);
    expect(onlyOpen(rig)).toMatchObject({ betType, orderType, wantPrice: 3, wantStakeMicros: 7e6 });
    expect([...rig.manager.orders()]).toMatchObject([
      { betType, direction, priceKind, tick, stakeMicros: 7e6 },
    ]);
    expect(intended(rig)).toMatchObject([{ direction, tick, place: { betType, priceKind } }]);
  });

  it('without a kind has the price of the selection: a lay betslip on the bet type of the other side', async () => {
    const rig = rigOf();
    await rig.startQuoting(quote({ direction: 'against', tick: tickOf(3) as number }));
    expect(onlyOpen(rig)).toMatchObject({ betType: 'for,h', orderType: 'lay', wantPrice: 3 });
  });

  it('does not share its betslip with one of the other side on the same bet type', async () => {
    const rig = rigOf();
    const asked = slipsOf(rig);
    await rig.startQuoting(quote({ tick: tickOf(3) as number }), against('lay-for', 2.5));
    expect(asked.map(({ betType, betslipType }) => [betType, betslipType ?? 'normal'])).toEqual([
      ['for,h', 'normal'],
      ['for,h', 'lay'],
    ]);
    expect(rig.venue.open().map(({ view }) => [view.orderType, view.wantPrice])).toEqual([
      ['normal', 3],
      ['lay', 2.5],
    ]);
  });

  it('is renewed on the betslip that its market keeps', async () => {
    const rig = rigOf();
    const asked = slipsOf(rig);
    await rig.startQuoting(against('lay-for', 3));
    await rig.advance(90_000);
    expect(rig.venue.held.size).toBeGreaterThan(1);
    expect(asked).toHaveLength(1);
  });

  it('is not sent once its betslip turns out to have other prices', async () => {
    let prices = ODDS;
    const rig = rigOf({ exchangePrices: () => prices });
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 1_000 } : null);
    rig.desire(against('odds-against', 1.5));
    while (!rig.states().includes('sending')) await rig.advance(10);
    prices = LAY_PRICES;
    await rig.advance(1_500);
    expect([rig.venue.held.size, rig.states()]).toEqual([0, []]);
  });
});

describe('a lay betslip', () => {
  it('is known as one while the stream may bring its quotes, also after it closed', async () => {
    const rig = rigOf();
    await rig.startQuoting(quote({ tick: tickOf(3) as number }), against('lay-for', 2.5));
    const ids = [...rig.venue.betslips.values()].map(({ id, betslipType }) => [id, betslipType === 'lay']);
    expect(ids).toHaveLength(2);
    const known = () => ids.map(([id]) => [id, rig.manager.isLayBetslip(id as BetslipId)]);
    expect(known()).toEqual(ids);
    rig.desire();
    await rig.advance(30_000);
    expect(rig.venue.betslips.size).toBe(0);
    expect(known()).toEqual(ids);
    expect(rig.manager.isLayBetslip('another' as BetslipId)).toBe(false);
  });
});

describe('the private quote of a betslip', () => {
  /** Whether an order against at this price of its kind is sent, while takers there get these prices of the same kind. */
  async function isSent(priceKind: PriceKind, price: number, offered: readonly number[]): Promise<boolean> {
    const rig = rigOf({ venue: { quote: () => listOf(...offered) } });
    await rig.startQuoting(against(priceKind, price));
    return rig.venue.held.size > 0;
  }

  it.each([
    // Takers get odds of 1.8 at best: an order for 1.9 rests. As lay prices, 1.8 would be 2.25 for takers.
    ['odds-against', 1.9, [1.8, 1.75], true],
    ['odds-against', 1.8, [1.8, 1.75], false],
    ['odds-against', 1.81, [1.8, 1.75], true],
    // As lay prices, 2.5 would be 1.67 for takers.
    ['odds-against', 2, [2.5, 1.4], false],
    ['odds-against', 2.5, [2.5, 1.4], false],
    ['odds-against', 2.52, [2.5, 1.4], true],
    ['lay-for', 2.48, [2.6, 2.5], true],
    ['lay-for', 2.5, [2.6, 2.5], false],
    ['lay-for', 1.5, [1.5], false],
    ['lay-for', 1.49, [1.5], true],
  ] as const)('is read by its own kind: %s at %d beside %o', async (priceKind, price, offered, sent) => {
    expect(await isSent(priceKind, price, offered)).toBe(sent);
  });
});

describe('the market, in prices of the selection', () => {
  it.each([
    // The selection at 2.25 is 1.8 against it.
    ['odds-against', 1.79, 2.25, false],
    ['odds-against', 1.8, 2.25, false],
    ['odds-against', 1.81, 2.25, true],
    ['lay-for', 2.26, 2.25, false],
    ['lay-for', 2.24, 2.24, false],
    ['lay-for', 2.22, 2.24, true],
  ] as const)('blocks an order of kind %s at %d beside %d', async (priceKind, price, best, sent) => {
    const rig = rigOf({ market: () => ({ for: [], against: listOf(best) }) });
    await rig.startQuoting(against(priceKind, price));
    expect(rig.venue.held.size > 0).toBe(sent);
    if (!sent) expect(rig.manager.status().waiting).toMatchObject([{ code: 'would_take' }]);
  });

  it.each([
    // 1/f + 1/a ≥ 1 crosses. Doubles fail at 1.04/26 and 1.08/13.5.
    [1.04, 'odds-against', 26, true],
    [1.05, 'odds-against', 26, false],
    [1.08, 'odds-against', 13.5, true],
    [3, 'odds-against', 1.5, true],
    [3, 'odds-against', 1.51, false],
    [3, 'lay-for', 3, true],
    [3, 'lay-for', 2.98, false],
  ] as const)(
    'lets no order cross our own: for at %d, %s at %d: %s',
    async (price, priceKind, other, crosses) => {
      const rig = rigOf();
      await rig.startQuoting(quote({ tick: tickOf(price) as number }));
      rig.desire(quote({ tick: tickOf(price) as number }), against(priceKind, other));
      await rig.advance(3_000);
      expect(rig.venue.open()).toHaveLength(crosses ? 1 : 2);
      if (crosses) expect(rig.manager.status().waiting).toMatchObject([{ code: 'would_cross_own' }]);
    },
  );
});

describe('a quote whose prices become those of another kind', () => {
  it.each([
    ['odds-against', 'lay-for'],
    ['lay-for', 'odds-against'],
  ] as const)('closes its order and places another: from %s to %s', async (before, after) => {
    const rig = rigOf();
    // At 2.00 both kinds have the same tick and stake.
    await rig.startQuoting(against(before, 2));
    rig.desire(against(after, 2));
    await rig.advance(3_000);
    expect([...rig.manager.orders()]).toMatchObject([{ priceKind: after }]);
    expect([...rig.venue.held.values()].map(({ view }) => view.closed)).toEqual([true, false]);
    expect(onlyOpen(rig).orderType).toBe(after === 'lay-for' ? 'lay' : 'normal');
  });

  it('withdraws its order that is not sent yet', async () => {
    const rig = rigOf();
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 1_000 } : null);
    rig.desire(against('lay-for', 2));
    while (!rig.states().includes('sending')) await rig.advance(10);
    rig.venue.fault = () => null;
    rig.desire(against('odds-against', 2));
    await rig.advance(10_000);
    expect([...rig.venue.held.values()].map(({ view }) => view.orderType)).toEqual(['normal']);
  });
});

const EACH_KIND = [
  ['odds-for', 'for'],
  ['odds-against', 'against'],
  ['lay-for', 'against'],
] as const;

describe('the order of a killed run', () => {
  it.each(EACH_KIND)('keeps the kind of its price: %s', async (priceKind, direction) => {
    const rig = rigOf();
    await rig.startQuoting(quote({ direction, priceKind, tick: 150 }));
    const { orderId, betType } = onlyOpen(rig);
    rig.kill();
    rig.venue.fill(orderId, 3e6);
    rig.revive();
    await rig.start();
    const terms = { betType, direction, priceKind };
    expect([...rig.manager.orders()]).toMatchObject([{ ...terms, orderId, tick: 150, filledMicros: 3e6 }]);
    expect(rig.fills).toMatchObject([{ ...terms, stakeMicros: 3e6 }]);
    await rig.restart();
    expect(rig.rememberedFills).toMatchObject([{ ...terms, stakeMicros: 3e6 }]);
    expect(rig.manager.status().latched).toBeNull();
  });

  it.each(EACH_KIND)('is found by its request when the answer was lost: %s', async (priceKind, direction) => {
    const rig = rigOf();
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'answer-lost' } : null);
    const emit = rig.venue.emit.bind(rig.venue);
    rig.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'order'));
    rig.desire(quote({ direction, priceKind, tick: 150 }));
    while (rig.venue.held.size === 0) await rig.advance(10);
    rig.kill();
    rig.venue.fault = () => null;
    rig.revive();
    await rig.start();
    await rig.advance(3_000);
    expect([...rig.manager.orders()]).toMatchObject([{ priceKind, direction, state: 'live' }]);
    expect(rig.manager.status().latched).toBeNull();
  });
});

it.each(EACH_KIND)('a repeated request that conflicts with its first finds its order: %s', async (...row) => {
  const [priceKind, direction] = row;
  const rig = rigOf();
  await rig.start();
  failing(rig, 'placeOrder', 1, { kind: 'late', ms: 600 });
  failing(rig, 'placeOrder', 1, { kind: 'answer-lost' });
  rig.desire(quote({ direction, priceKind, tick: 150 }));
  await rig.advance(20_000);
  expect(rig.states()).toEqual(['live']);
  expect([...rig.manager.orders()]).toMatchObject([{ priceKind, direction }]);
  expect(rig.manager.status().latched).toBeNull();
});

describe('a report on an order', () => {
  /** An order of ours, as far as reports are compared with it. */
  const ours = (betType: string, priceKind: PriceKind): TrackedOrder =>
    ({ order: { betType, eventId: 'e', tick: 99, priceKind }, place: { stakeMicros: 5e6 } }) as never;
  const report = (betType: string, orderType: string): VenueOrder =>
    ({ betType, orderType, eventId: 'e', wantPrice: 2, wantStakeMicros: 5e6 }) as never;

  it.each([
    ['for,h', 'odds-for', 'normal', true],
    ['for,h', 'odds-for', '', true],
    ['for,h', 'odds-for', 'lay', false],
    ['for,h', 'lay-for', 'lay', true],
    ['for,h', 'lay-for', 'normal', false],
    ['against,h', 'odds-against', 'normal', true],
    ['against,h', 'odds-against', 'lay', false],
    ['against,h', 'lay-for', 'normal', true],
  ] as const)('is about ours on %s of kind %s, if its type is %s: %s', (betType, kind, orderType, isIt) => {
    expect(matches(ours(betType, kind), report(betType, orderType))).toBe(isIt);
  });

  it('of another type than asked for stops quoting', async () => {
    const rig = rigOf();
    await rig.startQuoting(against('lay-for', 3));
    rig.venue.emit({ tag: 'order', order: { ...onlyOpen(rig), orderType: 'normal' } });
    await rig.advance(100);
    expect(rig.manager.status().latched).toBe('an order differs from the journal');
  });

  it('on an order of others of the same terms but for its type is not taken for the answer to ours', async () => {
    const rig = rigOf();
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    rig.desire(against('lay-for', 3));
    while (!rig.states().includes('sending')) await rig.advance(10);
    const byHand = { ...BY_HAND, stakeMicros: 10e6 };
    rig.venue.placeByHand(byHand);
    rig.venue.placeByHand(byHand, 'lay');
    await rig.advance(10);
    // The `lay` one may be the result of our request, and is judged later.
    expect(rig.foreign.map(({ orderType }) => orderType)).toEqual(['normal']);
  });
});

describe('a fill of another’s order', () => {
  it.each([
    ['for,h', 'normal', 'for', 'odds-for'],
    ['for,h', 'lay', 'against', 'lay-for'],
    ['against,h', 'normal', 'against', 'odds-against'],
    ['against,h', 'lay', 'for', 'lay-against'],
  ] as const)(
    'on %s of type %s has the terms of its order',
    async (betType, orderType, direction, priceKind) => {
      const rig = rigOf();
      await rig.start();
      const { orderId } = rig.venue.placeByHand({ ...BY_HAND, betType: betType as never }, orderType);
      rig.venue.fill(orderId, 1e5);
      await rig.advance(100);
      const terms = { betType, direction, priceKind, isParlay: false, requestUuid: null };
      expect(rig.fills).toMatchObject([terms]);
      await rig.restart();
      expect(rig.rememberedFills).toMatchObject([terms]);
    },
  );
});
