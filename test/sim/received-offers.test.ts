import { expect, it } from 'vitest';
import type { HeldPrices } from '../../src/market/index.ts';
import type { Court } from './judges/judge.ts';
import { offers } from './judges/offers.ts';
import { ReceivedOffers } from './received-offers.ts';

const MARKET = { sport: 'fb', event_id: '2026-03-01,1,2', bet_type: 'for,h' };
const PRICE = { effective: { price: 2, min: null, max: ['USDT', 10] } };
const OFFER = { ...MARKET, market_type: 'wdw', in_running: false, price_list: [PRICE] };
const ID = `fb|${MARKET.event_id}|h`;

const heldAt = (price: number, freshness: HeldPrices['freshness']): HeldPrices => ({
  priceList: [price, -1, 10e6],
  ageMs: 0,
  epoch: 1,
  freshness,
});

/**
 * The judge's report at rest where REST has reported an offer, and the stream of that connection has reported it or
 * not.
 */
function saidOf(held: HeldPrices | null, isStreamed: boolean): readonly string[] {
  const received = new ReceivedOffers(() => 0);
  received.connected();
  if (isStreamed) received.frame(JSON.stringify({ ts: '', data: [['offer', OFFER]] }));
  received.read(OFFER);
  const seen: string[] = [];
  const engine = { chosen: new Map([['event', [ID]]]) };
  const market = { selection: () => ({ offers: { for: held, against: null } }) };
  const run = { received: { offers: received }, composed: { engine, parts: { core: { market } } } };
  const court = {
    world: { run },
    plan: { world: {} },
    fail: (_: string, what: string) => void seen.push(what),
  };
  offers(court as unknown as Court).atRest?.();
  return seen;
}

it('lets a daemon ignore an offer that only REST reported, and use no unreported one', () => {
  expect(saidOf(null, false)).toEqual([]);
  expect(saidOf(heldAt(3, 'earlier-epoch'), false)).toEqual([]);
  expect(saidOf(heldAt(2, 'fresh'), false)).toEqual([]);
  expect(saidOf(heldAt(3, 'fresh'), false)).toHaveLength(1);
  expect(saidOf(null, true)).toEqual([`for,h of ${MARKET.event_id}: told and not held`]);
});

/** The judge's report at rest where `against` prices are odds: 3 is 1.5 of the selection, and 1.5 is 3. */
function saidOfOdds(priceList: readonly number[]): readonly string[] {
  const received = new ReceivedOffers(() => 0);
  const level = (price: number, max: number) => ({
    effective: { price, min: ['USDT', 2], max: ['USDT', max] },
  });
  const offer = { ...OFFER, bet_type: 'against,h', price_list: [level(3, 10), level(1.5, 10)] };
  received.connected();
  received.frame(JSON.stringify({ ts: '', data: [['offer', offer]] }));
  const seen: string[] = [];
  const engine = { chosen: new Map([['event', [ID]]]) };
  const against = { priceList, ageMs: 0, epoch: 1, freshness: 'fresh' };
  const market = { selection: () => ({ offers: { for: null, against } }) };
  const run = { received: { offers: received }, composed: { engine, parts: { core: { market } } } };
  const plan = { world: { againstPrices: 'odds' } };
  const court = { world: { run }, plan, fail: (_: string, what: string) => void seen.push(what) };
  offers(court as unknown as Court).atRest?.();
  return seen;
}

it('has a daemon hold odds against a selection as prices of the selection, with the stakes at them', () => {
  expect(saidOfOdds([3, 1e6, 5e6, 1.5, 4e6, 20e6])).toEqual([]);
  for (const wrong of [
    [3, 2e6, 10e6, 1.5, 2e6, 10e6],
    [1.5, 4e6, 20e6, 3, 1e6, 5e6],
    [3, 2e6, 5e6, 1.5, 4e6, 20e6],
  ])
    expect(saidOfOdds(wrong)).toHaveLength(1);
});

it('keeps the quote of a lay betslip with the side that its orders take', () => {
  const received = new ReceivedOffers(() => 0);
  received.connected();
  const entry = (tag: string, data: object) =>
    received.frame(JSON.stringify({ ts: '', data: [[tag, data]] }));
  const quote = (id: string) => ({
    betslip_id: id,
    ...MARKET,
    status: { code: 'success' },
    price_list: [PRICE],
  });
  entry('betslip', { betslip_id: 'a', ...MARKET, betslip_type: 'lay' });
  entry('pmm', quote('a'));
  const of = (betType: string) => received.quoteOf({ sport: 'fb', eventId: MARKET.event_id, betType });
  expect(of('against,h')).toMatchObject({ levels: [2, -1, 10], kind: 'lay-for' });
  expect(of('for,h')).toBeNull();
  entry('pmm', quote('b'));
  expect(of('for,h')).toMatchObject({ levels: [2, -1, 10], kind: null });
});
