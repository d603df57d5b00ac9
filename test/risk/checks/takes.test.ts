import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlaceOrder, TakeTerms } from '../../../src/domain/orders.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { edgeOf } from '../../../src/risk/checks/activity.ts';
import { ACCOUNT } from '../../../src/risk/states/trading-states.ts';
import { betsOf } from '../../support/account.ts';
import { learnGrids } from '../support/books.ts';
import {
  type Ask,
  ask,
  bench,
  type Bench,
  codesOf,
  FACTS,
  fillOf,
  limitsWith,
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
const HOME = live(ask()).selectionId;
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

  it('is judged again at the last instant, by the limits and the takes of then', () => {
    const { risk, wallMs } = bench(LIMITS);
    const result = risk.approve(take({ stake: 20 }));
    const again = (): readonly string[] =>
      (result.ok ? risk.recheck(result.order) : []).map(({ code }) => code);
    expect(again()).toEqual([]);
    // A take of an earlier run turns up.
    betsOf(risk).report(fillOf(take({ stake: 10 }), 10, { atMs: wallMs }));
    expect(again()).toEqual(['take_event']);
    risk.setLimits(limitsWith({ take: { eventUsdt: 100, hourUsdt: 25, minEdge: 0.2 } }));
    expect(again()).toEqual(['take_hour', 'take_edge']);
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

it.each([
  ['helps no selection', 'for,d', 0.6],
  ['helps its own selection', 'against,h', 0.4],
] as const)(
  'a take that leaves its event worse off counts like any other, though it %s',
  (_, betType, fairProbability) => {
    const world = bench(LIMITS);
    learnGrids(world.risk, ['for,h', 'for,d', 'for,a']);
    // Whoever wins, the three bets pay 0.
    for (const backed of ['for,h', 'for,d', 'for,a'])
      betsOf(world.risk).report(fillOf(ask({ betType: backed, price: 3, stake: 50 }), 50));
    expect(codesOf(world.risk, take({ betType, stake: 20 }, { fairProbability }))).toEqual([]);
    const second = take({ betType, stake: 19 }, { fairProbability: null });
    expect(codesOf(world.risk, second)).toEqual(['take_event', 'take_edge']);
  },
);

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

describe('a bet of a hedge', () => {
  /** Home is backed at 3, so that a draw and an away win lose 50. */
  function backed(table: Readonly<Record<string, object>> = LIMITS): Bench {
    const world = bench(table);
    learnGrids(world.risk, ['for,h', 'for,d', 'for,a']);
    betsOf(world.risk).report(fillOf(ask({ price: 3, stake: 50 }), 50));
    return world;
  }
  const bet = (given: Ask, isHedge = true): PlaceOrder =>
    take(given, { fairProbability: null, ...(isHedge && { hedge: 'a' }) });
  const DRAW: Ask = { betType: 'for,d', price: 3.5, stake: 10 };

  it('passes the limits on takes though it alone improves nothing: two lift the worst case together', () => {
    expect(codesOf(backed().risk, bet(DRAW, false))).toEqual(['take_edge']);
    const { risk } = backed();
    // A draw pays more, and an away win loses 10 more, so it is not yet harmless.
    expect(codesOf(risk, bet(DRAW))).toEqual(['take_edge']);
    betsOf(risk).report(fillOf(ask({ betType: 'for,a', price: 5, stake: 20 }), 20));
    // Now a draw is the worst.
    expect(codesOf(risk, bet(DRAW))).toEqual([]);
  });

  it('passes them where nothing can be lost any more, so that no worst case can improve', () => {
    const { risk } = backed();
    betsOf(risk).report(fillOf(ask({ betType: 'against,h', price: 1.5, stake: 60 }), 60));
    const green: Ask = { betType: 'against,h', price: 1.5, stake: 5 };
    expect(codesOf(risk, bet(green, false))).toEqual(['take_edge']);
    expect(codesOf(risk, bet(green))).toEqual([]);
  });

  it('passes them while orders of ours rest that may lapse, however they would end beside it', () => {
    const { risk } = backed();
    risk.onOrder(live(ask({ betType: 'against,h', price: 2, stake: 120 })));
    const flat: Ask = { betType: 'against,h', price: 2, stake: 40 };
    expect(codesOf(risk, bet(flat))).toEqual([]);
    expect(codesOf(risk, bet({ ...flat, stake: 151 }))).toContain('take_edge');
  });

  it('rests where an event is only reduced though it reduces nothing alone, unlike any other take', () => {
    const { risk } = backed();
    betsOf(risk).report(fillOf(ask({ betType: 'against,h', price: 1.5, stake: 60 }), 60));
    risk.setState(ACCOUNT, 'reducing', 'anna', 'drill');
    const wanted = {
      selectionId: HOME,
      direction: 'against',
      tick: tickOf(1.5) ?? 0,
      stakeMicros: 5e6,
      level: 0,
    } as const;
    const rests = (intent: Partial<QuoteIntent>): number =>
      risk.admit([HOME], [{ ...wanted, priceKind: 'lay-for', ...intent }]).quotes.length;
    expect([rests({ take: 'a' }), rests({ take: 'a', hedge: 'h' })]).toEqual([0, 1]);
  });

  it('leaves no trace in what takes may lose', () => {
    const world = backed();
    const hedge = bet({ betType: 'against,h', price: 2, stake: 50 });
    expect(codesOf(world.risk, hedge)).toEqual([]);
    settled(world, hedge, 50);
    expect(codesOf(world.risk, take({ stake: 25 }))).toEqual([]);
  });

  it('passes a limit on the worst case that is passed already, if no subset of fills is worse with it', () => {
    const tight = {
      ...LIMITS,
      worstCase: { selectionUsdt: 40, eventUsdt: 40 },
      order: { maxLiabilityUsdt: 40 },
    };
    const { risk } = backed(tight);
    learnGrids(risk, ['for,ah,h,0']);
    betsOf(risk).report(fillOf(ask({ betType: 'for,a', price: 5, stake: 20 }), 20));
    // Only a draw loses, and there such a bet gets its stake back.
    const pushed: Ask = { betType: 'for,ah,h,0', price: 2, stake: 10 };
    expect(codesOf(risk, bet(pushed, false))).toEqual(
      expect.arrayContaining(['event_worst_case', 'take_edge']),
    );
    expect(codesOf(risk, bet(pushed))).toEqual([]);
    expect(codesOf(risk, bet({ betType: 'for,h', price: 2, stake: 10 }))).toContain('event_worst_case');
  });

  it.each([
    ['leave it', 20, []],
    ['would lose more with it than is lost now', 25, ['event_worst_case']],
  ])('passes it beside orders of ours that %s', (_, stake, codes) => {
    const tight = {
      ...LIMITS,
      worstCase: { selectionUsdt: 40, eventUsdt: 40 },
      order: { maxLiabilityUsdt: 40 },
    };
    const { risk } = backed(tight);
    learnGrids(risk, ['for,ah,h,0']);
    betsOf(risk).report(fillOf(ask({ betType: 'for,a', price: 5, stake: 20 }), 20));
    // A draw loses 70, and an away win pays 30 less what an order against it may lose.
    risk.onOrder(live(ask({ betType: 'against,a', price: 5, stake })));
    expect(codesOf(risk, bet({ betType: 'for,ah,h,0', price: 2, stake: 10 }))).toEqual(codes);
  });

  it('passes nothing while a look-up may still show that it breaks up a hedge', () => {
    const { risk } = backed();
    betsOf(risk).report(fillOf(ask({ betType: 'for,cs,0,0', price: 8, stake: 5 }), 5));
    const flat = bet({ betType: 'against,h', price: 2, stake: 40 });
    expect(codesOf(risk, flat)).toContain('take_edge');
    learnGrids(risk, ['for,cs,0,0']);
    expect(codesOf(risk, flat)).toEqual([]);
  });
});
