import { describe, expect, it } from 'vitest';
import type { RunnerRemoval } from '../../../src/simulator/core/api.ts';
import { at, EVENT, Harness } from './harness.ts';

/** The exchange with a runner `a` that is removed after a bet of 10 at the best price on `h`. */
const removal = (h: Harness, given: Partial<RunnerRemoval> = {}): RunnerRemoval => ({
  removed: 'a',
  others: ['h'],
  market: 'win',
  factor: 30,
  fromMs: h.nowMs,
  ...given,
});
const remove = (h: Harness, given: Partial<RunnerRemoval> = {}): void =>
  h.exchange.market.removeRunner(EVENT, removal(h, given), h.nowMs);
const settle = (h: Harness, home: number): void =>
  h.exchange.market.settle(
    EVENT,
    { kind: 'score', home, away: 0, halfTimeHome: 0, halfTimeAway: 0 },
    h.nowMs,
  );
const stateOf = (h: Harness, id: number): unknown[] => {
  const order = h.exchange.inspect().orders.find(({ orderId }) => orderId === id);
  return [order?.status, order?.closedBy, order?.price];
};

describe('a removal', () => {
  it.each<[string, Partial<RunnerRemoval>, number, number]>([
    // 10 at 2.2: 2.2 x 0.7 = 1.54, and 1 + 1.2 x 0.7 = 1.84.
    ['of a winner market', {}, 1, 5.4],
    ['of a place market', { market: 'place' }, 1, 8.4],
    ['of a small factor', { factor: 2.4 }, 1, 12],
    ['of an unknown factor', { factor: null }, 1, 12],
    ['of another market', { others: ['d'] }, 1, 12],
    ['of a market whose bets stay', { market: null }, 1, 12],
    ['before the bet', { fromMs: 0 }, 1, 12],
    ['where the bet loses', {}, 0, -10],
  ])('%s settles an earlier bet for the runner', (_, given, home, expected) => {
    const h = new Harness();
    const bet = h.place('for,h', 2.2, 10);
    h.pass(1_000);
    remove(h, given);
    settle(h, home);
    expect(h.order(bet.order_id).profit_loss).toEqual(['USDT', expected]);
  });

  it('settles a bet against the runner as the other side of the reduced bet', () => {
    const h = new Harness();
    const bet = h.place('against,h', 2.3, 10, { betslip_type: 'lay' });
    h.pass(1_000);
    remove(h);
    settle(h, 1);
    // 2.3 x 0.7 = 1.61.
    expect(h.order(bet.order_id).profit_loss).toEqual(['USDT', -6.1]);
  });

  it.each<[string, Partial<RunnerRemoval>]>([
    ['of a winner market', {}],
    ['of a place market', { market: 'place', factor: 4 }],
  ])('%s closes orders against the others, and keeps orders for them', (_, given) => {
    const h = new Harness();
    const lay = h.place('against,h', 2.25, 10, { betslip_type: 'lay' });
    const back = h.place('for,h', 2.26, 10);
    remove(h, given);
    expect(stateOf(h, lay.order_id)).toEqual(['failed', 'event', 2.24]);
    expect(stateOf(h, back.order_id)).toEqual(['open', null, 2.26]);
  });

  it('reduces a kept order against the others, in its book', () => {
    const h = new Harness();
    const lay = h.place('against,h', 2.24, 10, { betslip_type: 'lay' });
    remove(h, { market: 'place', factor: 3.9 });
    // 1 + 1.24 x 0.961 = 2.19164, and a lay price goes down.
    expect(stateOf(h, lay.order_id)).toEqual(['open', null, 2.18]);
    const prices = h.exchange.market.levels(at('h'), 'against').map(({ price }) => price);
    expect(prices).toEqual([2.2, 2.18, 2.1]);
  });
});
