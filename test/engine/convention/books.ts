import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import type { PriceConvention } from '../../../src/domain/odds.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { Votes } from '../../../src/engine/convention/votes.ts';

export const list = (...prices: readonly number[]): PriceList =>
  packLevels(prices.map((price) => ({ price, minMicros: null, maxMicros: 10e6 })));

export const offer = (
  outcome: string,
  direction: string,
  prices: PriceList,
  event = '1',
  type = 'ou',
): StreamEntry => ({
  tag: 'offer',
  offer: {
    sport: sport('fb'),
    eventId: eventId(event),
    betType: betType(`${direction},${outcome}`),
    marketType: type,
    inRunning: false,
    priceList: prices,
  },
});

export const book = (
  outcome: string,
  forPrice: number,
  against: number,
  event = '1',
  type = 'ou',
): StreamEntry[] => [
  offer(outcome, 'for', list(forPrice), event, type),
  offer(outcome, 'against', list(against), event, type),
];

/** Selections of one event whose books are possible under this convention alone. */
export const books = (count: number, convention: PriceConvention, from = 0): StreamEntry[] =>
  Array.from({ length: count }, (_, at) =>
    book(`over,${from + at}`, 3, convention === 'lay' ? 3.1 : 1.47),
  ).flat();

export const votesAfter = (...frames: readonly (readonly StreamEntry[])[]): Votes => {
  const votes = new Votes();
  for (const frame of frames) votes.take(frame);
  return votes;
};

export const verdictAfter = (...frames: readonly (readonly StreamEntry[])[]) =>
  votesAfter(...frames).tally.verdict;
