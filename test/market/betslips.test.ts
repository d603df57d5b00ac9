import { expect, it } from 'vitest';
import * as ids from '../../src/domain/ids.ts';
import { Betslips } from '../../src/market/betslips.ts';
import { Books } from '../../src/market/books.ts';
import { EVENT, FB, FIXTURE, FOR, HOME, prices, quoteEntry, rig, STALE_MS } from './support.ts';

const BET_TYPE = ids.betType('for,h');

it('forgets a betslip some time after its last quote when the stream reports nothing but quotes', () => {
  const betslips = new Betslips();
  const quoteOn = (id: string, receivedMs: number) => {
    const books = new Books();
    const market = books.openMarket(books.openEvent(FIXTURE), BET_TYPE);
    if (market === null) throw new Error('the bet type has a direction');
    const named = { betslipId: ids.betslipId(id), sport: FB, eventId: EVENT, betType: BET_TYPE };
    const quote = { ...named, statusCode: 'success', totalMicros: null, priceList: prices([2, 10]) };
    betslips.quoted(market, { quote, layKind: null, receivedMs, epoch: 1, converted: null });
    return market;
  };
  quoteOn('old', 0);
  const market = quoteOn('young', 500_000);
  quoteOn('new', 700_000);
  expect(betslips.closed(ids.betslipId('old'))).toBeNull();
  expect(betslips.closed(ids.betslipId('young'))).toBe(market);
});

it('keeps a betslip while its quotes come, though no refresh is reported', async () => {
  const { market, frame, clock } = rig();
  const freshness = (): string | undefined => market.selection(HOME)?.quotes.for?.freshness;
  frame([{ tag: 'betslip', betslipId: ids.betslipId('s1'), expiryMs: clock.wallMs() + 45_000 }]);
  for (let seconds = 0; seconds <= 60; seconds += 2) {
    await clock.advance(2_000);
    frame([quoteEntry('for,h', FOR)]);
    expect(freshness()).toBe('fresh');
  }
  await clock.advance(STALE_MS + 1);
  expect(freshness()).toBe('stale');
});
