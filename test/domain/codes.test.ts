import { describe, expect, it } from 'vitest';
import { KNOWN_MARKET_TYPES, KNOWN_SPORTS, unknownCode } from '../../src/domain/codes.ts';
import { SECOND_SIDES } from '../../src/domain/exchange-prices.ts';
import {
  EXCHANGE_MODES,
  isUnmatched,
  isVoided,
  OPEN_STATUSES,
  type VenueBet,
} from '../../src/domain/orders.ts';

/** What the specification publishes of each open set, in its order. */
const PUBLISHED: readonly (readonly [what: string, known: readonly string[], values: string])[] = [
  ['sports', KNOWN_SPORTS, 'fb fb_ht fb_corn basket tennis cricket horse esports politics'],
  [
    'types of markets',
    KNOWN_MARKET_TYPES,
    'wdw ml dc dnb ou ah ahou cs score oe exact_total wm clean win top',
  ],
  ['states of open orders', OPEN_STATUSES, 'open pending'],
  ['modes of orders', EXCHANGE_MODES, 'make_and_take take_only dark'],
  ['ways of orders against', SECOND_SIDES, 'against lay finer'],
];

it.each(PUBLISHED)('the %s that are known are those that are published', (_, known, values) => {
  expect(known).toEqual(values.split(' '));
});

describe('a code that is not known', () => {
  it('is refused with those that are, and with the nearest of them', () => {
    expect(unknownCode('fb_corns', ['fb', 'fb_corn'], ['futsal'])).toBe(
      '"fb_corns" is not known (did you mean "fb_corn"?); known are fb, fb_corn, futsal. If the exchange uses it, name it in exchange.otherCodes',
    );
  });

  it('is accepted if the operator knows it', () => {
    expect([unknownCode('futsal', ['fb'], ['futsal']), unknownCode('fb', ['fb'], [])]).toEqual([null, null]);
  });
});

it.each<[status: string, isNoMatch: boolean, isOver: boolean]>([
  ['success', false, false],
  ['inprogress', false, false],
  ['danger', false, false],
  ['brand_new', false, false],
  ['unplaced', true, false],
  ['void', true, true],
  ['failed', true, true],
  ['rejected', true, true],
  ['cancelled', true, true],
])('a bet that is %s is unmatched: %s, and void for good: %s', (statusCode, isNoMatch, isOver) => {
  const bet = { statusCode } as VenueBet;
  expect([isUnmatched(bet), isVoided(bet)]).toEqual([isNoMatch, isOver]);
});
