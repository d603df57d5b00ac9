import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { BetslipId } from '../../../src/domain/ids.ts';
import type { BetslipRequest } from '../../../src/domain/orders.ts';
import { PacedBudget } from '../../../src/orders/betslips/budgets.ts';
import { RecentIds } from '../../../src/orders/betslips/recent-ids.ts';
import {
  attemptOf,
  BetslipCreate,
  boreFruit,
  heldOf,
  newSlot,
  noteTargets,
  quotelessSinceMs,
  refreshDueMs,
  type Slot,
} from '../../../src/orders/betslips/slot.ts';
import { StallDetector } from '../../../src/orders/betslips/stall-detector.ts';
import type { KeptBetslip } from '../../../src/orders/plan/betslips.ts';

const MARKET = {} as BetslipRequest;
const budgetOf = (): PacedBudget => new PacedBudget(100, 40, () => new VirtualClock().monotonicMs());
const createOf = (budget = budgetOf(), priority: 'normal' | 'reducing' = 'normal'): BetslipCreate =>
  new BetslipCreate(budget, priority, false, 1_000);

const slot = (over: Partial<Slot> = {}): Slot => ({
  ...newSlot({ key: 'm', market: MARKET, create: createOf(), value: 7 }, 1_000),
  ...over,
});
const OPEN = { id: 'b' as BetslipId, state: 'open', openedMs: 2_000, expiresMs: 62_000, quote: [] } as const;
const kept = (over: Partial<KeptBetslip> = {}): KeptBetslip => ({
  value: 9,
  isPlacing: false,
  servesOrder: false,
  ...over,
});

describe('the request for a betslip', () => {
  it('uses the budget at once, and gives it back only if it is withdrawn before it leaves', () => {
    const budget = budgetOf();
    const create = createOf(budget);
    expect(budget.level()).toBe(39);
    create.withdraw();
    create.withdraw();
    expect([budget.level(), create.isWithdrawn]).toEqual([40, true]);
    expect(create.signal.reason).toMatchObject({ outcome: 'not-sent' });
    expect(() => create.leave()).toThrow(expect.objectContaining({ outcome: 'not-sent' }));
    const sent = createOf(budget);
    sent.leave();
    sent.withdraw();
    expect([budget.level(), sent.isWithdrawn, sent.signal.aborted]).toEqual([39, false, false]);
  });

  it('waits behind others only before it leaves, unless it reduces risk', () => {
    const [normal, reducing, withdrawn] = [createOf(), createOf(budgetOf(), 'reducing'), createOf()];
    expect([normal.waitsAsNormal, reducing.waitsAsNormal]).toEqual([true, false]);
    normal.leave();
    withdrawn.withdraw();
    expect([normal.waitsAsNormal, withdrawn.waitsAsNormal]).toEqual([false, false]);
  });

  it('is overdue once it has waited for more than ten seconds', () => {
    const create = createOf();
    expect([create.isOverdue(11_000), create.isOverdue(11_001)]).toEqual([false, true]);
    create.leave();
    expect(create.isOverdue(90_000)).toBe(false);
  });
});

describe('a betslip', () => {
  it('is neither open, quoted, wanted by nobody nor used as it is requested', () => {
    const { create, ...rest } = slot();
    expect(create.isWithdrawn).toBe(false);
    expect(rest).toEqual({
      key: 'm',
      market: MARKET,
      value: 7,
      beganMs: 1_000,
      id: null,
      state: 'creating',
      openedMs: Infinity,
      expiresMs: Infinity,
      refreshing: false,
      quote: null,
      quoteMs: -Infinity,
      quotelessMs: 1_000,
      unwantedMs: Infinity,
      readyMs: Infinity,
      servesOrder: false,
      isUsed: false,
      restsUntilMs: -Infinity,
    });
    expect(attemptOf(slot())).toEqual({ market: 'm', beganMs: 1_000 });
  });

  it('is unwanted from the first moment on at which no target wants it, until one does', () => {
    const given = slot();
    noteTargets(given, undefined, 3_000);
    noteTargets(given, undefined, 4_000);
    expect([given.unwantedMs, given.value]).toEqual([3_000, 7]);
    noteTargets(given, kept(), 5_000);
    expect([given.unwantedMs, given.value, given.isUsed]).toEqual([Infinity, 9, false]);
  });

  it('is used from its first order on', () => {
    const given = slot();
    noteTargets(given, kept({ isPlacing: true, servesOrder: true }), 3_000);
    noteTargets(given, kept(), 4_000);
    expect(given.isUsed).toBe(true);
  });

  it.each([
    ['still wanted', kept()],
    ['not wanted any more', undefined],
  ])('is ready again once it serves no order, and is %s', (_, after) => {
    const given = slot({ readyMs: 500 });
    noteTargets(given, kept({ servesOrder: true }), 3_000);
    expect([given.readyMs, heldOf(given, 3_000).readyMs]).toEqual([500, Infinity]);
    noteTargets(given, after, 4_000);
    noteTargets(given, after, 5_000);
    expect([given.servesOrder, heldOf(given, 5_000).readyMs]).toEqual([false, 4_000]);
  });

  it('rests after a failure for a second at most once it is wanted, and as long as it must while it is not', () => {
    const given = slot({ restsUntilMs: 90_000 });
    noteTargets(given, undefined, 3_000);
    expect(given.restsUntilMs).toBe(90_000);
    noteTargets(given, kept(), 4_000);
    expect(given.restsUntilMs).toBe(5_000);
    noteTargets(given, kept(), 4_500);
    expect(given.restsUntilMs).toBe(5_000);
  });

  it('shows the plan all that it is', () => {
    const given = slot({ ...OPEN, unwantedMs: 4_000, readyMs: 2_500, restsUntilMs: 6_000, isUsed: true });
    expect(heldOf(given, 5_000)).toEqual({
      key: 'm',
      state: 'open',
      value: 7,
      hasQuote: true,
      isUsed: true,
      boreFruit: true,
      waitsAsNormal: true,
      readyMs: 2_500,
      unwantedMs: 4_000,
      restsUntilMs: 6_000,
    });
    expect(heldOf(slot(), 5_000)).toMatchObject({ hasQuote: false, isUsed: false, boreFruit: false });
  });

  it('bears fruit once it is used, or five seconds after it was opened', () => {
    const given = slot(OPEN);
    expect([boreFruit(given, 6_999), boreFruit(given, 7_000)]).toEqual([false, true]);
    expect(boreFruit({ ...given, isUsed: true }, 2_000)).toBe(true);
    expect(boreFruit(slot(), 90_000)).toBe(false);
  });

  it('has no usable quote since its quote grew too old, or since it has none', () => {
    expect(quotelessSinceMs(slot({ ...OPEN, quoteMs: 3_000, quotelessMs: 2_000 }), 400)).toBe(3_400);
    expect(quotelessSinceMs(slot({ quoteMs: 3_000, quotelessMs: 2_000 }), 400)).toBe(2_000);
  });

  it.each<[what: string, over: Partial<Slot>, dueMs: number]>([
    ['before its end while it rests', {}, 52_000],
    ['at once while it is created', { state: 'creating' }, -Infinity],
    ['at once while it is deleted', { state: 'deleting' }, -Infinity],
    ['at once without a quote', { quote: null }, -Infinity],
    ['at once while it is refreshed', { refreshing: true }, -Infinity],
  ])('is due %s', (_, over, dueMs) => {
    expect(refreshDueMs(slot({ ...OPEN, ...over }), 10_000)).toBe(dueMs);
  });
});

it('knows the latest two thousand ids of betslips, and forgets the oldest first', () => {
  const ids = new RecentIds();
  const id = (at: number): BetslipId => `b${at}` as BetslipId;
  for (let at = 1; at <= 2_000; at++) ids.add(id(at));
  expect([ids.has(id(1)), ids.has(id(2_000)), ids.has(id(2_001))]).toEqual([true, true, false]);
  ids.add(id(2_001));
  expect([ids.has(id(1)), ids.has(id(2)), ids.has(id(2_001))]).toEqual([false, true, true]);
});

it('takes a sweep for late after more than a second and a half, and never twice in a row', () => {
  const detector = new StallDetector();
  // The first sweep comes after no other, so what was read before it is unknown.
  const late = [1_000, 2_500, 4_001, 6_000, 8_000, 9_000].map((ms) => detector.isLate(ms));
  expect(late).toEqual([true, false, true, false, true, false]);
});
