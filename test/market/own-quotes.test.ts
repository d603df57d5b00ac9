import { describe, expect, it } from 'vitest';
import type { MarketSide } from '../../src/domain/event-view.ts';
import type { OrderState } from '../../src/domain/lifecycle.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import { ownQuoteOf, type QuoteSurroundings } from '../../src/market/own-quotes.ts';
import { liveOrder, prices } from './support.ts';

const side = (...levels: readonly (readonly [number, number])[]): MarketSide => ({
  priceList: prices(...levels),
  source: 'offer',
  ageMs: 0,
});
const MARKET = { for: side([2.0, 70], [1.98, 50]), against: side([2.1, 30], [2.06, 40]) };
const around = (changes: Partial<QuoteSurroundings> = {}): QuoteSurroundings => ({
  market: MARKET,
  inRunning: false,
  betDelayMs: null,
  nowMs: 100_000,
  ...changes,
});
const order = (price: number, direction: 'for' | 'against' = 'for', createdMonotonicMs = 0) =>
  liveOrder({ direction, tick: tickOf(price) ?? -1, stakeMicros: 10e6, state: 'live', createdMonotonicMs });

describe('the phase of an order', () => {
  it.each<readonly [state: OrderState, ageMs: number, changes: Partial<QuoteSurroundings>, phase: string]>([
    ['prepared', 9_000, {}, 'sent'],
    ['sending', 9_000, {}, 'sent'],
    ['unknown', 9_000, {}, 'sent'],
    ['live', 499, {}, 'delayed'],
    ['live', 500, {}, 'resting'],
    ['live', 1_999, { inRunning: true }, 'delayed'],
    ['live', 2_000, { inRunning: true }, 'resting'],
    ['live', 5_499, { inRunning: true, betDelayMs: 5_000 }, 'delayed'],
    ['live', 5_500, { inRunning: true, betDelayMs: 5_000 }, 'resting'],
    ['live', 500, { inRunning: true, betDelayMs: 0 }, 'resting'],
    ['closing', 0, {}, 'closing'],
  ])('that is %s after %d ms with %j is %s', (state, ageMs, changes, phase) => {
    const quote = ownQuoteOf({ ...order(2.06, 'for', 100_000 - ageMs), state }, around(changes));
    expect(quote.phase).toBe(phase);
  });
});

it.each([
  ['a take', 'take_only', {}, 'delayed'],
  ['an offer of a hedge', 'make_and_take', { hedge: 'h' }, 'resting'],
  ['a quote of a person', 'make_and_take', { byHand: 'q' }, 'resting'],
] as const)(
  '%s, once it is live, is shown with its id, and as what its mode makes of it',
  (_, mode, terms, phase) => {
    const take = { id: 'a', fairProbability: null, reduces: false, ...terms };
    const quote = ownQuoteOf({ ...order(2.06), mode, take }, around());
    expect([quote.take, quote.phase, quote.aheadMicros]).toEqual([
      'a',
      phase,
      phase === 'resting' ? 40e6 : null,
    ]);
  },
);

describe('the stake ahead of an order', () => {
  it.each([
    ['for', 2.06, 40e6],
    ['for', 2.1, 30e6],
    // Between levels, or better than all of them, nobody stands before us.
    ['for', 2.08, 0],
    ['for', 2.04, 0],
    // Further from the market than what is shown.
    ['for', 2.2, null],
    ['against', 2.0, 70e6],
    ['against', 1.99, 0],
    ['against', 1.9, null],
  ] as const)('of %s at %d is %d', (direction, price, micros) => {
    expect(ownQuoteOf(order(price, direction), around()).aheadMicros).toBe(micros);
  });

  it('is not known without fresh prices, and before the order rests', () => {
    const stale = around({ market: { for: null, against: null } });
    expect(ownQuoteOf(order(2.06), stale).aheadMicros).toBeNull();
    expect(ownQuoteOf(order(2.06, 'for', 99_900), around()).aheadMicros).toBeNull();
  });
});
