import { expect, it } from 'vitest';
import * as ids from '../../src/domain/ids.ts';
import { Betslips } from '../../src/market/betslips.ts';
import { Books, openMarket } from '../../src/market/books.ts';
import { EVENT, FB, prices } from './support.ts';

const BET_TYPE = ids.betType('for,h');

it('a betslip of which the stream tells nothing but quotes is forgotten some time after the last', () => {
  const betslips = new Betslips();
  const quoteOn = (id: string, receivedMs: number) => {
    const event = new Books().openEvent(FB, EVENT);
    const market = openMarket(event, BET_TYPE);
    if (market === null) throw new Error('the bet type has a direction');
    const named = { betslipId: ids.betslipId(id), sport: FB, eventId: EVENT, betType: BET_TYPE };
    const quote = { ...named, statusCode: 'success', totalMicros: null, priceList: prices([2, 10]) };
    betslips.quoted(market, { quote, receivedMs, epoch: 1 });
    return market;
  };
  quoteOn('old', 0);
  const market = quoteOn('young', 500_000);
  quoteOn('new', 700_000);
  expect(betslips.closed(ids.betslipId('old'))).toBeNull();
  expect(betslips.closed(ids.betslipId('young'))).toBe(market);
});
