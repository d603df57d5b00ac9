import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlaceOrder, TakeTerms } from '../../../src/domain/orders.ts';
import { edgeOf } from '../../../src/risk/checks/activity.ts';
import { betsOf } from '../../support/account.ts';
import {
  type Ask,
  ask,
  bench,
  type Bench,
  codesOf,
  FACTS,
  fillOf,
  live,
  START_MS,
} from '../support/harness.ts';

/** A take of 10 at 2.00 with an edge of 10 %, unless told otherwise. */
const take = (given: Ask = {}, terms: Partial<TakeTerms> = {}): PlaceOrder => ({
  ...ask(given),
  exchangeMode: 'take_only',
  take: { id: 'a', fairProbability: 0.55, reduces: false, ...terms },
});

const LIMITS = { take: { eventUsdt: 25, hourUsdt: 40, minEdge: 0.05 } };
const OTHER = '2026-11-21,30,40' as never;

function settled(world: Bench, order: PlaceOrder, filled: number): void {
  betsOf(world.risk).report(fillOf(order, filled, { atMs: world.wallMs }));
  world.risk.onOrder(live(order, { state: 'closed', filledMicros: filled * 1e6 }));
}

describe('a take that does not reduce risk', () => {
  it('may lose no more on an event than its limit, open and matched takes together', () => {
    const world = bench(LIMITS);
    expect(codesOf(world.risk, take())).toEqual([]);
    expect(codesOf(world.risk, take({ stake: 15 }))).toEqual([]);
    expect(codesOf(world.risk, take({ stake: 0.01 }))).toEqual(['take_event']);
    expect(codesOf(world.risk, ask({ stake: 100 }))).toEqual([]);
  });

  it('may lose no more within an hour than its limit, on all events', () => {
    const world = bench(LIMITS);
    world.facts = { ...FACTS, startTimeMs: START_MS + 86_400_000 };
    const orders = [take({ stake: 20 }), take({ stake: 20, event: OTHER })];
    for (const order of orders) expect(codesOf(world.risk, order)).toEqual([]);
    expect(codesOf(world.risk, take({ stake: 1 }))).toEqual(['take_hour']);
    for (const order of orders) settled(world, order, 20);
    world.wallMs += 3_599_000;
    expect(codesOf(world.risk, take({ stake: 1 }))).toEqual(['take_hour']);
    world.wallMs += 1_000;
    expect(codesOf(world.risk, take({ stake: 1 }))).toEqual([]);
  });

  it('counts what it got, once it is over', () => {
    const world = bench(LIMITS);
    const first = take({ stake: 25 });
    expect(codesOf(world.risk, first)).toEqual([]);
    settled(world, first, 5);
    expect(codesOf(world.risk, take({ stake: 20 }))).toEqual([]);
    expect(codesOf(world.risk, take({ stake: 1 }))).toEqual(['take_event']);
  });

  it('counts over a restart, by its fills', () => {
    const world = bench(LIMITS);
    betsOf(world.risk).report(fillOf(take({ stake: 25 }), 25, { atMs: world.wallMs }));
    expect(codesOf(world.risk, take({ stake: 1 }))).toEqual(['take_event']);
  });

  it('does not count against itself when it is checked again', () => {
    const { risk } = bench(LIMITS);
    const result = risk.approve(take({ stake: 25 }));
    expect(result.ok && risk.recheck(result.order)).toEqual([]);
  });

  it.each([
    ['just enough', {}, 0.525, []],
    ['too little', {}, 0.524, ['take_edge']],
    ['none', {}, null, ['take_edge']],
    ['enough against', { betType: 'against,h' }, 0.47, []],
    ['too little against', { betType: 'against,h' }, 0.48, ['take_edge']],
  ])('needs an edge by its own fair probability: %s', (_, given, fairProbability, codes) => {
    expect(codesOf(bench(LIMITS).risk, take(given, { fairProbability }))).toEqual(codes);
  });
});

it('a take that reduces the worst case passes these limits, and uses none of them', () => {
  const world = bench({ take: { eventUsdt: 1, hourUsdt: 1, minEdge: 0.5 } });
  betsOf(world.risk).report(fillOf(ask({ stake: 100 }), 100, { atMs: world.wallMs }));
  const hedge = take({ betType: 'against,h', stake: 40 }, { fairProbability: null, reduces: true });
  expect(codesOf(world.risk, hedge)).toEqual([]);
  settled(world, hedge, 40);
  expect(codesOf(world.risk, take({ betType: 'against,h', stake: 40 }, { reduces: true }))).toEqual([]);
});

it('the edge is the expected profit for each USDT that the bet may lose', () => {
  const PRICES = [1.5, 2, 3, 5] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...PRICES),
      fc.constantFrom('for', 'against'),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (price, direction, fair) => {
        const priceKind = direction === 'for' ? 'odds-for' : 'lay-for';
        const stakeMicros = 10e6;
        const bet = { direction, priceKind, price, stakeMicros } as never;
        const won = direction === 'for' ? fair : 1 - fair;
        const [gain, loss] = direction === 'for' ? [price - 1, 1] : [1, price - 1];
        expect(edgeOf(bet, fair)).toBeCloseTo((won * gain - (1 - won) * loss) / loss, 6);
      },
    ),
  );
});
