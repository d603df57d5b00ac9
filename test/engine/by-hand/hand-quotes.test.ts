import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BetId, RequestUuid } from '../../../src/domain/ids.ts';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { type HandQuote, HandQuotes } from '../../../src/engine/by-hand/hand-quotes.ts';
import { FIXTURE, HOME } from '../../market/support.ts';

const QUOTE: HandQuote = {
  id: 'hand-1',
  event: FIXTURE,
  selectionId: HOME,
  direction: 'for',
  priceKind: 'odds-for',
  tick: 90,
  stakeMicros: 10e6,
  by: 'anna',
  why: 'my view',
  atMs: 0,
  untilMs: null,
  generation: 1,
};

const HOUR_MS = 3_600_000;

/** An order as the account reports it. */
const orderOf = (take: string, state: OrderState, filledMicros = 0) => ({
  requestUuid: take as RequestUuid,
  take: { id: take, fairProbability: null, reduces: false, byHand: 'hand-1' },
  state,
  filledMicros,
});

const fillOf = (take: string, betId: number, stakeMicros: number) => ({
  ...orderOf(take, 'live'),
  betId: betId as BetId,
  stakeMicros,
});

/** Quotes of persons with one that wants 10. */
function placed(): HandQuotes {
  const quotes = new HandQuotes();
  quotes.place(QUOTE);
  return quotes;
}

/** Orders that exist, by their takes: their stakes, what is matched of them, and whether they have ended. */
type Orders = Map<string, { readonly stake: number; filled: number; isOver: boolean }>;

/** The quotes of the next run: it books the fills of the journal, and finds the orders that are open. */
function restarted(
  before: HandQuotes,
  orders: Orders,
  fills: readonly ReturnType<typeof fillOf>[],
  nowMs: number,
): HandQuotes {
  const quotes = new HandQuotes();
  quotes.restore(before.records());
  for (const each of fills) quotes.onFill(each, nowMs);
  const open = [...orders].filter(([, { isOver }]) => !isOver);
  for (const [take, { filled }] of open) quotes.onOrder(orderOf(take, 'live', filled), nowMs);
  return quotes;
}

const takeOf = ([intent]: readonly QuoteIntent[]): string | undefined => intent?.take;

describe('a quote of a person', () => {
  it('is an intent with an id of its own, that rests', () => {
    expect(placed().intentsOn(FIXTURE, 0)).toMatchObject([
      { take: 'hand-1/1', byHand: 'hand-1', stakeMicros: 10e6, tick: 90, mode: 'make_and_take' },
    ]);
  });

  it('has its next order for what is left, once the last one has ended', () => {
    const quotes = placed();
    quotes.onOrder(orderOf('hand-1/1', 'live', 4e6), 0);
    expect(takeOf(quotes.intentsOn(FIXTURE, 0))).toBe('hand-1/1');
    quotes.onOrder(orderOf('hand-1/1', 'closed', 4e6), 600_000);
    expect(quotes.intentsOn(FIXTURE, 600_000)).toMatchObject([{ take: 'hand-1/2', stakeMicros: 6e6 }]);
  });

  it('waits at its new price until the order at the old one has ended', () => {
    const quotes = placed();
    quotes.onOrder(orderOf('hand-1/1', 'live'), 0);
    quotes.move('hand-1', 92);
    expect(quotes.intentsOn(FIXTURE, 1_000)).toEqual([]);
    quotes.onOrder(orderOf('hand-1/1', 'closing', 9e6), 1_000);
    expect(quotes.intentsOn(FIXTURE, 1_000)).toEqual([]);
    quotes.onOrder(orderOf('hand-1/1', 'closed', 9e6), 60_000);
    expect(quotes.intentsOn(FIXTURE, 60_000)).toMatchObject([
      { take: 'hand-1/2', tick: 92, stakeMicros: 1e6 },
    ]);
  });

  it.each([
    [1, 5_000],
    [2, 10_000],
    [20, 600_000],
  ])('pauses after %d orders in a row that failed, for %d ms', (failures, pauseMs) => {
    const quotes = placed();
    let nowMs = 0;
    for (let failure = 1; failure <= failures; failure++) {
      nowMs += HOUR_MS;
      const take = takeOf(quotes.intentsOn(FIXTURE, nowMs)) ?? '';
      quotes.onOrder(orderOf(take, 'sending'), nowMs);
      quotes.onOrder(orderOf(take, 'refused'), nowMs);
    }
    expect(quotes.intentsOn(FIXTURE, nowMs + pauseMs - 1)).toEqual([]);
    expect(quotes.intentsOn(FIXTURE, nowMs + pauseMs)).toHaveLength(1);
  });

  it('of an earlier run gets a new order, for what its booked fills leave', () => {
    const quotes = new HandQuotes();
    quotes.restore([QUOTE]);
    quotes.onFill(fillOf('hand-1/1', 1, 3e6), 0);
    quotes.onFill(fillOf('hand-1/1', 1, 3e6), 0);
    expect(quotes.intentsOn(FIXTURE, 0)).toMatchObject([{ take: 'hand-1/2', stakeMicros: 7e6 }]);
  });

  it('ends with its stake, its time, its event and a kill, and tells each change', () => {
    const ends: readonly ((quotes: HandQuotes) => void)[] = [
      (quotes) => quotes.onOrder(orderOf('hand-1/1', 'closed', 10e6), 0),
      (quotes) => quotes.expire(5_000),
      (quotes) => quotes.forget(FIXTURE),
      (quotes) => quotes.withdrawAll(),
    ];
    for (const end of ends) {
      const quotes = new HandQuotes();
      let changes = 0;
      quotes.change$.subscribe(() => changes++);
      quotes.place({ ...QUOTE, untilMs: 5_000 });
      end(quotes);
      expect([quotes.records(), quotes.intentsOn(FIXTURE, 0), changes]).toEqual([[], [], 2]);
    }
  });

  it('is never matched for more than its stake, whatever its orders do', () => {
    const step = fc.record({
      fill: fc.integer({ min: 0, max: 10 }),
      ends: fc.boolean(),
      moves: fc.boolean(),
      restarts: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let quotes = placed();
        let [nowMs, betId] = [0, 0];
        const orders: Orders = new Map();
        const fills: ReturnType<typeof fillOf>[] = [];
        for (const { fill, ends, moves, restarts } of steps) {
          nowMs += HOUR_MS;
          const [intent] = quotes.intentsOn(FIXTURE, nowMs);
          if (intent?.take !== undefined && !orders.has(intent.take))
            orders.set(intent.take, { stake: intent.stakeMicros, filled: 0, isOver: false });
          for (const [take, order] of orders) {
            if (order.isOver) continue;
            const matched = Math.min(order.stake - order.filled, fill * 1e6);
            order.filled += matched;
            if (matched > 0) fills.push(fillOf(take, ++betId, matched));
            order.isOver = ends || order.filled === order.stake;
            quotes.onOrder(orderOf(take, order.isOver ? 'closed' : 'live', order.filled), nowMs);
            for (const each of fills) quotes.onFill(each, nowMs);
          }
          if (moves) quotes.move('hand-1', 80 + (betId % 9));
          if (restarts) quotes = restarted(quotes, orders, fills, nowMs);
        }
        const matched = [...orders.values()].reduce((sum, { filled }) => sum + filled, 0);
        expect(matched).toBeLessThanOrEqual(QUOTE.stakeMicros);
      }),
    );
  });
});
