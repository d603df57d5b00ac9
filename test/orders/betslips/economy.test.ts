import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { BetslipBudgets, PacedBudget } from '../../../src/orders/betslips/budgets.ts';
import { BetslipCap } from '../../../src/orders/betslips/cap.ts';
import { budgetFor, isPinnedSpending } from '../../../src/orders/plan/budget.ts';
import { boundedLifetimeS, rotatingDurationS } from '../../../src/orders/plan/lifetime.ts';
import { marketsToPin, passingPlaces } from '../../../src/orders/plan/pins.ts';
import { DEFAULT_ORDER_OPTIONS } from '../../../src/orders/options.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { EVENT, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const DAY_MS = 86_400_000;

const market = fc
  .record({ key: fc.uuid(), value: fc.integer({ min: 0, max: 100 }), held: fc.boolean() })
  .map((drawn) => ({ ...drawn, selection: drawn.key }));
const markets = fc.uniqueArray(market, { selector: ({ key }) => key, maxLength: 40 });

describe('the plan of pinned markets', () => {
  it('keeps all when they fit, and leaves places for passing betslips when they do not', () => {
    fc.assert(
      fc.property(markets, fc.integer({ min: 1, max: 40 }), (wanted, cap) => {
        const hot = marketsToPin(wanted, cap, passingPlaces(cap));
        if (wanted.length <= cap) expect(hot.size).toBe(wanted.length);
        else expect(hot.size).toBe(Math.max(0, cap - passingPlaces(cap)));
      }),
    );
  });

  it('never prefers a market of less worth that has no betslip yet', () => {
    fc.assert(
      fc.property(markets, fc.integer({ min: 3, max: 20 }), (wanted, cap) => {
        const hot = marketsToPin(wanted, cap, passingPlaces(cap));
        const worst = Math.min(
          ...wanted.filter(({ key, held }) => hot.has(key) && !held).map(({ value }) => value),
        );
        const passedOver = wanted.filter(({ key, value }) => !hot.has(key) && value > worst);
        expect(passedOver).toEqual([]);
      }),
    );
  });

  it('stays when values change a little', () => {
    const wanted = (bonus: number) => [
      ...Array.from({ length: 8 }, (_, at) => ({
        key: `held-${at}`,
        selection: `held-${at}`,
        value: 10,
        held: true,
      })),
      ...Array.from({ length: 8 }, (_, at) => ({
        key: `new-${at}`,
        selection: `new-${at}`,
        value: 10 + bonus,
        held: false,
      })),
    ];
    expect([...marketsToPin(wanted(1), 10, 2)].every((key) => key.startsWith('held'))).toBe(true);
    expect([...marketsToPin(wanted(9), 10, 2)].every((key) => key.startsWith('new'))).toBe(true);
  });

  it('keeps rotating orders open long enough for the day’s betslips', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 2_000 }), (cold, perDay) => {
        const seconds = rotatingDurationS(cold, perDay, 60, 86_400);
        expect((cold * 86_400) / seconds).toBeLessThanOrEqual(Math.max(perDay, cold));
        expect(seconds).toBeGreaterThanOrEqual(60);
      }),
    );
    expect(rotatingDurationS(10, 0, 60, 14_400)).toBe(14_400);
  });

  it('lets an order live as its strategy wants, within the longest life and twice the lead of its renewal', () => {
    expect(boundedLifetimeS(20, 2_500, 3_600)).toBe(20);
    expect(boundedLifetimeS(1, 2_500, 3_600)).toBe(5);
    expect(boundedLifetimeS(1, 2_600, 3_600)).toBe(6);
    expect(boundedLifetimeS(86_400, 2_500, 3_600)).toBe(3_600);
  });
});

describe('the paced budget', () => {
  it('never spends more than the day allows in any rolling day', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40 * 60_000 }), { minLength: 50, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 60 }), async (waits, burst) => {
        const clock = new VirtualClock();
        const budget = new PacedBudget(60, burst, () => clock.monotonicMs());
        const spentMs: number[] = [];
        for (const wait of waits) {
          await clock.advance(wait);
          if (budget.level() < 1) continue;
          budget.spend();
          spentMs.push(clock.monotonicMs());
        }
        for (const at of spentMs) {
          expect(spentMs.filter((ms) => ms > at - DAY_MS && ms <= at).length).toBeLessThanOrEqual(61);
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each([1, 2, 3, 50])('has betslips again the day after all of %i were spent at once', async (perDay) => {
    const clock = new VirtualClock();
    const budget = new PacedBudget(perDay, 400, () => clock.monotonicMs());
    while (budget.level() >= 1) budget.spend();
    await clock.advance(2 * DAY_MS);
    expect(budget.level()).toBeGreaterThanOrEqual(1);
  });

  it('accepts returned betslips, and never exceeds the burst', () => {
    const budget = new PacedBudget(100, 40, () => 0);
    budget.spend();
    budget.giveBack();
    budget.giveBack();
    expect(budget.level()).toBe(40);
  });

  it('counts what earlier runs spent', () => {
    const fresh = new PacedBudget(100, 40, () => 0);
    const later = new PacedBudget(
      100,
      40,
      () => 0,
      Array.from({ length: 30 }, () => 60_000),
    );
    expect(fresh.level()).toBe(40);
    expect(later.level()).toBeCloseTo(10 + (60_000 * 60) / DAY_MS, 6);
  });
});

describe('the reserve for pinned markets', () => {
  function budgetsOf(perDay: number, burst: number) {
    const clock = new VirtualClock();
    const betslips = { ...DEFAULT_ORDER_OPTIONS.betslips, perDay, burst, dailyReserve: 0 };
    const deps = { clock, venue: { waitMs: () => 0 } };
    return { clock, budgets: new BetslipBudgets({ deps, options: { betslips } } as unknown as OrderContext) };
  }

  /** Spends all that a market may use at once, hot or cold. */
  function spendAll(budgets: BetslipBudgets, isHot: boolean): void {
    for (let budget; typeof (budget = budgetFor(budgets.levels(), isHot, false)) !== 'string';)
      budgets.of(budget).spend();
  }

  it('is never spent by rotating ones, whenever they take their whole share', async () => {
    const waits = fc.array(fc.integer({ min: 0, max: 3_600_000 }), { maxLength: 30 });
    const sizes = fc.record({
      perDay: fc.integer({ min: 10, max: 2_000 }),
      burst: fc.integer({ min: 1, max: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, waits, async ({ perDay, burst }, times) => {
        const { clock, budgets } = budgetsOf(perDay, burst);
        for (const ms of times) {
          await clock.advance(ms);
          spendAll(budgets, false);
          expect(isPinnedSpending(budgets.levels())).toBe(false);
        }
      }),
    );
  });

  it('counts as in use when pinned ones need betslips faster than they come back, until it is full again', async () => {
    const { clock, budgets } = budgetsOf(2_000, 400);
    spendAll(budgets, false);
    spendAll(budgets, true);
    expect(isPinnedSpending(budgets.levels())).toBe(true);
    await clock.advance(0.05 * DAY_MS);
    expect(isPinnedSpending(budgets.levels())).toBe(false);
  });
});

describe('the learned cap', () => {
  it('falls to the number open at a refusal, and is probed upwards later', async () => {
    const clock = new VirtualClock();
    const cap = new BetslipCap({ initial: 60, probeEveryMs: 1_000, now: () => clock.monotonicMs() });
    expect(cap.value).toBe(60);
    cap.refusedAt(9);
    expect(cap.value).toBe(9);
    await clock.advance(1_000);
    expect(cap.value).toBe(10);
    cap.fits(10);
    expect(cap.value).toBe(11);
    cap.refusedAt(10);
    expect(cap.value).toBe(10);
  });
});

it('leaves rotating markets a share of a day that is shorter than the burst', async () => {
  const rig = new OrderManagerRig({
    options: { betslips: { perDay: 100, openCap: 4 } },
    venue: { betslipCap: 4 },
  });
  const outcomes = ['h', 'd', 'a', 'dc,h', 'dc,d', 'dc,a'];
  await rig.startQuoting(
    ...outcomes.map((outcome) => quote({ selectionId: `fb|${EVENT}|${outcome}` as SelectionId })),
  );
  await rig.advance(60_000);
  expect(rig.venue.open()).toHaveLength(outcomes.length);
});
