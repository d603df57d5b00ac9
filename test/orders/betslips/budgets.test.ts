import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BetslipId, BetType } from '../../../src/domain/ids.ts';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import type { BetslipRequest } from '../../../src/domain/orders.ts';
import { packLevels, selectionList } from '../../../src/domain/price-list.ts';
import { answerOf } from '../../../src/orders/betslips/answer.ts';
import { BetslipBudgets, PacedBudget } from '../../../src/orders/betslips/budgets.ts';
import type { Slot } from '../../../src/orders/betslips/slot.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { EVENT_NAME } from '../../support/order-manager-rig.ts';
import { PartRig } from '../support/part.ts';

const DAY_MS = 86_400_000;

function budgetOf(perDay: number, burst: number, ages: readonly number[] = []) {
  const clock = { nowMs: 10 * DAY_MS };
  return { clock, budget: new PacedBudget(perDay, burst, () => clock.nowMs, ages) };
}

describe('a budget that is spread over the day', () => {
  it.each([
    ['the burst', 100, 40, 40, 60],
    ['half of the day at most', 100, 90, 50, 50],
    ['half of the day, rounded up', 5, 90, 3, 2.5],
    ['one of one', 1, 90, 1, 0.5],
  ])('allows %s at once, and gives the rest back over the day', async (_, perDay, burst, atOnce, aDay) => {
    const { clock, budget } = budgetOf(perDay, burst);
    expect([budget.burst, budget.level()]).toEqual([atOnce, atOnce]);
    for (let spent = 0; spent < atOnce; spent++) budget.spend();
    expect(budget.level()).toBe(0);
    clock.nowMs += DAY_MS / 10;
    expect(budget.level()).toBeCloseTo(aDay / 10, 9);
    clock.nowMs += 5 * DAY_MS;
    expect(budget.level()).toBe(atOnce);
  });

  it('may be overdrawn, gets one back that was not used, and never more than the burst', () => {
    const { budget } = budgetOf(4, 2);
    for (let spent = 0; spent < 3; spent++) budget.spend();
    expect(budget.level()).toBe(-1);
    budget.giveBack();
    expect(budget.level()).toBe(0);
    for (let given = 0; given < 5; given++) budget.giveBack();
    expect(budget.level()).toBe(2);
  });

  it('counts what was given back from the moment at which it was given', () => {
    const { clock, budget } = budgetOf(100, 40);
    budget.spend();
    clock.nowMs += DAY_MS / 120;
    budget.giveBack();
    expect(budget.level()).toBe(40);
  });

  it('is as if it had spent all that is younger than a day, whatever the order', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 2 * DAY_MS }), { size: 'max', maxLength: 60 });
    fc.assert(
      fc.property(ages, (drawn) => {
        const { clock, budget } = budgetOf(100, 40);
        const endMs = clock.nowMs + 3 * DAY_MS;
        for (const age of drawn.toSorted((a, b) => b - a)) {
          clock.nowMs = endMs - Math.min(age, DAY_MS);
          budget.spend();
        }
        clock.nowMs = endMs;
        expect(budgetOf(100, 40, drawn).budget.level()).toBeCloseTo(budget.level(), 6);
        expect(budgetOf(100, 40, drawn.toReversed()).budget.level()).toBeCloseTo(budget.level(), 6);
      }),
    );
  });
});

describe('the betslips of a day', () => {
  const OPTIONS = { perDay: 1_000, dailyReserve: 101, burst: 200 };
  function begin(waitMs = 0) {
    const asked: unknown[][] = [];
    const rig = new PartRig({
      options: { betslips: OPTIONS },
      venue: { waitMs: (...of: unknown[]) => (asked.push(of), waitMs) },
    });
    return { asked, budgets: new BetslipBudgets(rig.context) };
  }

  it('are those of the pace, and half of the reserve at once', () => {
    const { budgets } = begin();
    const goesSoon = { normal: true, reducing: true };
    expect(budgets.levels()).toEqual({ pace: 200, burst: 200, reserve: 51, goesSoon });
    budgets.of({ isReserve: false }).spend();
    for (let spent = 0; spent < 2; spent++) budgets.of({ isReserve: true }).spend();
    expect(budgets.levels()).toEqual({ pace: 199, burst: 200, reserve: 49, goesSoon });
  });

  it('count those of earlier runs, each kind for itself', () => {
    const { budgets } = begin();
    budgets.remember({ pacedMs: [0, 0, 0], reserveMs: [0] });
    expect(budgets.levels()).toMatchObject({ pace: 197, reserve: 50 });
  });

  it.each([
    [5_000, true],
    [5_001, false],
  ])('go soon if the client holds them back for %i ms: %s', (waitMs, isSoon) => {
    const { asked, budgets } = begin(waitMs);
    expect([budgets.goesSoon('normal'), budgets.goesSoon('reducing')]).toEqual([isSoon, isSoon]);
    expect(asked).toEqual([
      ['betslips', 'normal'],
      ['betslips', 'reducing'],
    ]);
  });
});

describe('the answer of a betslip', () => {
  const market = (over: Partial<BetslipRequest> = {}): BetslipRequest => ({
    ...EVENT_NAME,
    betType: 'for,h' as BetType,
    ...over,
  });
  const slot = (over: Partial<Slot> = {}): Slot =>
    ({
      id: 'slip' as BetslipId,
      state: 'open',
      expiresMs: 9_000,
      quote: DEFAULT_QUOTE,
      quoteMs: 5_000,
      market: market(),
      ...over,
    }) as Slot;
  const FACTS = { nowMs: 8_999, freshFromMs: 5_000, exchangePrices: LAY_PRICES };

  it.each<[code: string | null, over: Partial<Slot>]>([
    [null, {}],
    ['betslip_creating', { state: 'creating' }],
    ['betslip_creating', { state: 'deleting' }],
    ['betslip_creating', { id: null }],
    ['betslip_creating', { expiresMs: 8_999 }],
    ['quote_pending', { quote: null }],
    ['quote_stale', { quoteMs: 4_999 }],
  ])('is that it may be used, or why not: %s', (code, over) => {
    const answer = answerOf(slot(over), FACTS);
    expect(answer).toEqual(
      code === null ? { ok: true, betslip: { id: 'slip', quote: DEFAULT_QUOTE } } : { ok: false, code },
    );
  });

  it.each([
    ['for,h', undefined, 'odds-for'],
    ['against,h', undefined, 'odds-against'],
    ['for,h', 'lay', 'lay-for'],
    ['against,h', 'lay', 'lay-against'],
  ] as const)(
    'has prices of the selection, whatever those of the betslip are: %s %s',
    (betType, betslipType, kind) => {
      const of = market({ betType: betType as BetType, ...(betslipType !== undefined && { betslipType }) });
      const quote = packLevels([{ price: 3, minMicros: null, maxMicros: 1_000_000 }]);
      const odds = { ...FACTS, exchangePrices: { ...LAY_PRICES, convention: 'odds' as const } };
      const expected = { ok: true, betslip: { id: 'slip', quote: selectionList(kind, quote) } };
      expect(answerOf(slot({ market: of, quote }), odds)).toEqual(expected);
    },
  );

  it('has the prices as they are on a market of unknown direction', () => {
    const of = market({ betType: 'nonsense' as BetType });
    expect(answerOf(slot({ market: of }), FACTS)).toMatchObject({ betslip: { quote: DEFAULT_QUOTE } });
  });
});
