import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestUuid, SelectionId } from '../../../src/domain/ids.ts';
import { PRICE_KINDS } from '../../../src/domain/odds.ts';
import { intentKey, kindOfIntent, type QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import {
  type HeldOrder,
  reconcile as reconcileByKey,
  type ReconcilePolicy,
} from '../../../src/orders/targets/reconcile.ts';

const intent = (over: Partial<QuoteIntent> = {}): QuoteIntent => ({
  selectionId: 'fb|e|h' as SelectionId,
  direction: 'for',
  tick: 100,
  stakeMicros: 10_000_000,
  level: 0,
  ...over,
});

const held = (over: Partial<HeldOrder> = {}): HeldOrder => ({
  uuid: 'u1' as RequestUuid,
  key: intentKey(intent()),
  state: 'live',
  priceKind: 'odds-for',
  tick: 100,
  mode: 'make_and_take',
  unfilledMicros: 10_000_000,
  lapsesInMs: 30_000,
  closeWanted: false,
  ...over,
});

/** The terms of an order for a quote. */
const termsOf = (wanted: QuoteIntent) => ({
  priceKind: kindOfIntent(wanted),
  tick: wanted.tick,
  unfilledMicros: wanted.stakeMicros,
});

const policy = orderOptions();

const reconcile = (desired: readonly QuoteIntent[], orders: readonly HeldOrder[], by: ReconcilePolicy) =>
  reconcileByKey(new Map(desired.map((each) => [intentKey(each), each])), orders, by);

describe('reconcile', () => {
  it('places missing orders', () => {
    expect(reconcile([intent()], [], policy).place).toEqual([{ key: intentKey(intent()), intent: intent() }]);
  });

  it('keeps matching orders, and closes those without a target', () => {
    expect(reconcile([intent()], [held()], policy)).toEqual({ close: [], place: [], waiting: [] });
    expect(reconcile([], [held()], policy)).toMatchObject({ close: ['u1'] });
  });

  it.each([
    ['away from the market by the tolerance', 101, true],
    ['away from the market by more than the tolerance', 102, false],
    ['towards the market by any step', 99, false],
  ])('judges a price that is %s', (_, tick, kept) => {
    const plan = reconcile([intent()], [held({ tick })], policy);
    expect(plan.close).toEqual(kept ? [] : ['u1']);
    expect(plan.place.length).toBe(kept ? 0 : 1);
  });

  it('mirrors the tolerance for the other direction', () => {
    const against = intent({ direction: 'against' });
    const lay = { key: intentKey(against), priceKind: 'lay-for' } as const;
    expect(reconcile([against], [held({ ...lay, tick: 99 })], policy).close).toEqual([]);
    expect(reconcile([against], [held({ ...lay, tick: 101 })], policy).close).toEqual(['u1']);
  });

  it.each([
    [undefined, 'make_and_take', true],
    ['make_and_take', 'make_and_take', true],
    ['take_only', 'take_only', true],
    ['take_only', 'make_and_take', false],
    [undefined, 'dark', false],
  ] as const)('serves a quote of mode %s by an order of mode %s: %s', (wanted, mode, kept) => {
    const quote = wanted === undefined ? intent() : intent({ mode: wanted });
    const plan = reconcile([quote], [held({ mode })], policy);
    expect(plan.close).toEqual(kept ? [] : ['u1']);
    expect(plan.place.length).toBe(kept ? 0 : 1);
  });

  it.each([
    // Tick 99 is 2.00, where a price and its complement are the same number.
    ['odds-against', 'lay-for', 99],
    ['lay-for', 'odds-against', 99],
    [undefined, 'odds-against', 99],
    ['odds-against', 'odds-against', 99],
    [undefined, 'lay-for', 99],
  ] as const)(
    'serves a quote of kind %s by an order of kind %s only if they are the same',
    (of, priceKind, tick) => {
      const against = intent({ direction: 'against', tick, ...(of !== undefined && { priceKind: of }) });
      const plan = reconcile([against], [held({ key: intentKey(against), priceKind, tick })], policy);
      const kept = kindOfIntent(against) === priceKind;
      expect([plan.close, plan.place.length]).toEqual(kept ? [[], 0] : [['u1'], 1]);
    },
  );

  it.each([
    // Odds against: more is further from fair. A lay price: less is.
    ['odds-against', 101, true],
    ['odds-against', 99, false],
    ['lay-for', 99, true],
    ['lay-for', 101, false],
  ] as const)(
    'judges the distance of a price of kind %s on its own ladder, at tick %i: %s',
    (priceKind, tick, kept) => {
      const against = intent({ direction: 'against', tick: 100, priceKind });
      const plan = reconcile([against], [held({ key: intentKey(against), priceKind, tick })], policy);
      expect(plan.close).toEqual(kept ? [] : ['u1']);
    },
  );

  it('replaces an order that was filled too far', () => {
    const plan = reconcile([intent()], [held({ unfilledMicros: 4_000_000 })], policy);
    expect(plan).toMatchObject({ close: ['u1'], place: [{ intent: intent() }] });
  });

  it('renews shortly before the order lapses, and lets it lapse', () => {
    const plan = reconcile([intent()], [held({ lapsesInMs: 2_000 })], policy);
    expect(plan).toMatchObject({ close: [], place: [{ intent: intent() }] });
  });

  it('waits for the close when configured to', () => {
    const closeFirst = orderOptions({ replacement: 'close-first' });
    const plan = reconcile([intent()], [held({ tick: 120 })], closeFirst);
    expect(plan).toMatchObject({ close: ['u1'], place: [], waiting: [{ code: 'replacing' }] });
    expect(reconcile([intent()], [], closeFirst).place).toHaveLength(1);
  });

  it.each(['prepared', 'sending', 'unknown'] as const)('never doubles an order that is %s', (state) => {
    const plan = reconcile([intent()], [held({ state, tick: 120 })], policy);
    expect(plan).toMatchObject({ close: ['u1'], place: [], waiting: [{ code: 'outcome_unknown' }] });
  });

  it('never has more than two generations at once', () => {
    const two = [held({ tick: 120 }), held({ uuid: 'u2' as RequestUuid, tick: 130 })];
    expect(reconcile([intent()], two, policy)).toMatchObject({ place: [], waiting: [{ code: 'replacing' }] });
  });
});

const arbitraryIntent = fc.record({
  selectionId: fc.constantFrom('a', 'b').map((id) => id as SelectionId),
  direction: fc.constantFrom('for' as const, 'against' as const),
  level: fc.integer({ min: 0, max: 1 }),
  tick: fc.integer({ min: 90, max: 110 }),
  stakeMicros: fc.integer({ min: 1, max: 20 }).map((n) => n * 1_000_000),
});

const arbitraryHeld = fc.record({
  uuid: fc.uuid().map((uuid) => uuid as RequestUuid),
  key: fc.option(arbitraryIntent.map(intentKey)),
  state: fc.constantFrom(
    'prepared' as const,
    'sending' as const,
    'unknown' as const,
    'live' as const,
    'closing' as const,
  ),
  priceKind: fc.constantFrom(...PRICE_KINDS),
  tick: fc.integer({ min: 90, max: 110 }),
  mode: fc.constantFrom('make_and_take' as const, 'take_only' as const),
  unfilledMicros: fc.integer({ min: 0, max: 20 }).map((n) => n * 1_000_000),
  lapsesInMs: fc.integer({ min: -1_000, max: 60_000 }),
  closeWanted: fc.boolean(),
});

describe('any reconciliation', () => {
  const world = fc.record({
    desired: fc.uniqueArray(arbitraryIntent, { selector: intentKey, maxLength: 6 }),
    orders: fc.uniqueArray(arbitraryHeld, { selector: (order) => order.uuid, maxLength: 8 }),
    replacement: fc.constantFrom('place-first' as const, 'close-first' as const),
  });

  it('decides once about every order and every quote', () => {
    fc.assert(
      fc.property(world, ({ desired, orders, replacement }) => {
        const plan = reconcile(desired, orders, orderOptions({ replacement }));
        expect(new Set(plan.close).size).toBe(plan.close.length);
        expect(orders.map((order) => order.uuid)).toEqual(expect.arrayContaining([...plan.close]));
        const keys = [...plan.place, ...plan.waiting].map((item) => item.key);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('leaves at most one order per intent that is neither lapsing nor closing', () => {
    fc.assert(
      fc.property(world, ({ desired, orders, replacement }) => {
        const policyOf = orderOptions({ replacement });
        const plan = reconcile(desired, orders, policyOf);
        for (const { key } of plan.place) {
          const rivals = orders.filter(
            (order) =>
              order.key === key &&
              !plan.close.includes(order.uuid) &&
              order.state !== 'closing' &&
              !order.closeWanted &&
              order.lapsesInMs > policyOf.renewLeadMs,
          );
          expect(rivals).toEqual([]);
        }
      }),
    );
  });

  it('never places beside an order with an unknown outcome', () => {
    fc.assert(
      fc.property(world, ({ desired, orders }) => {
        const plan = reconcile(desired, orders, policy);
        const open = orders.filter((order) => ['prepared', 'sending', 'unknown'].includes(order.state));
        for (const { key } of plan.place) expect(open.some((order) => order.key === key)).toBe(false);
      }),
    );
  });

  it('changes nothing more once it was carried out', () => {
    fc.assert(
      fc.property(fc.uniqueArray(arbitraryIntent, { selector: intentKey, maxLength: 6 }), (desired) => {
        const placed = reconcile(desired, [], policy).place.map(({ key, intent: wanted }, at) =>
          held({ uuid: `${at}` as RequestUuid, key, ...termsOf(wanted) }),
        );
        expect(reconcile(desired, placed, policy)).toMatchObject({ close: [], place: [], waiting: [] });
      }),
    );
  });
});
