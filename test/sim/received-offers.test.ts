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
  ...{ priceList: [price, -1, 10e6], ageMs: 0, epoch: 1, freshness },
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
  const run = { received: { offers: received }, composed: { engine, parts: { market } } };
  const court = { world: { run }, fail: (_: string, what: string) => void seen.push(what) };
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
