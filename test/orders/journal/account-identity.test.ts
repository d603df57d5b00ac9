import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, type HeartbeatId, heartbeatId, orderId, requestUuid } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import {
  accountSeenOn,
  accountVerdict,
  isRecognised,
  type KnownAccount,
  type KnownOrder,
  knownAccount,
  type ShownAccount,
} from '../../../src/orders/journal/account-identity.ts';
import { checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { applyFact, emptyState, type FoldedState } from '../../../src/orders/journal/fold.ts';
import type { Fact } from '../../../src/orders/journal/records.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { markedBy, OWN } from '../../support/claims.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const MINUTE_MS = 60_000;
const FOR_H = betType('for,h');

const known = (id: number, over: Partial<KnownOrder> = {}): KnownOrder => ({
  orderId: orderId(id),
  uuid: requestUuid(`uuid-${id}`),
  betType: FOR_H,
  placedMs: null,
  keptUntilMs: NOW + 1,
  ...over,
});

const account = (over: Partial<KnownAccount> = {}): KnownAccount => ({
  orders: [known(1), known(2)],
  heartbeats: new Set<HeartbeatId>(),
  covered: null,
  ...over,
});

const shownOrder = (id: number, over: Partial<VenueOrder> = {}): VenueOrder =>
  ({
    orderId: orderId(id),
    betType: FOR_H,
    placementTimeMs: NOW - DAY_MS,
    userData: null,
    ...over,
  }) as VenueOrder;

const shown = (over: Partial<ShownAccount> = {}): ShownAccount => ({
  orders: [],
  heartbeats: [],
  missing: new Set(),
  ...over,
});

const missing = (...ids: readonly number[]) => new Set(ids.map(orderId));
const kindOf = (of: KnownAccount, by: ShownAccount): string => accountVerdict(of, by, NOW).kind;

describe('the account that a key opens', () => {
  it.each([
    ['shows an order that we placed', account(), shown({ orders: [shownOrder(1)] }), 'same'],
    [
      'shows an order of ours with our mark',
      account(),
      shown({ orders: [shownOrder(2, { userData: markedBy(OWN, '1', 'uuid-2') })] }),
      'same',
    ],
    [
      'shows one order of ours and lost another',
      account(),
      shown({ orders: [shownOrder(1)], missing: missing(2) }),
      'same',
    ],
    [
      'holds our heartbeat, though an order is missing',
      account({ heartbeats: new Set([heartbeatId('hb')]) }),
      shown({ heartbeats: [heartbeatId('hb')], missing: missing(1, 2) }),
      'same',
    ],
    ['holds the heartbeat of others', account(), shown({ heartbeats: [heartbeatId('other')] }), 'undecided'],
    ['does not know an order that it must still have', account(), shown({ missing: missing(1) }), 'other'],
    [
      'may have forgotten the order',
      account({ orders: [known(1, { keptUntilMs: NOW })] }),
      shown({ missing: missing(1) }),
      'undecided',
    ],
    ['has orders placed by hand only', account(), shown({ orders: [shownOrder(70)] }), 'undecided'],
    [
      'has another order by the id of ours',
      account(),
      shown({ orders: [shownOrder(1, { userData: markedBy(OWN, '1', 'another') })], missing: missing(1) }),
      'other',
    ],
    ['is not known at all', account({ orders: [] }), shown({ orders: [shownOrder(1)] }), 'undecided'],
  ])('that %s', (_, of, by, kind) => {
    expect(kindOf(of, by)).toBe(kind);
  });

  const covered = { fromMs: NOW - DAY_MS, toMs: NOW - DAY_MS / 2 };
  it.each([
    [covered.fromMs, 'undecided'],
    [covered.fromMs + 1, 'other'],
    [covered.toMs - 1, 'other'],
    [covered.toMs, 'undecided'],
  ])('is another where it has a strange order from a covered time: %d', (placementTimeMs, kind) => {
    const of = account({ orders: [known(1, { keptUntilMs: 0 })], covered });
    const verdict = accountVerdict(of, shown({ orders: [shownOrder(70, { placementTimeMs })] }), NOW);
    expect(verdict.kind).toBe(kind);
    if (verdict.kind === 'other') expect(verdict).toMatchObject({ missing: [], strange: [70] });
  });

  it('does not take an order for strange whose id the journal knows', () => {
    const of = account({ orders: [known(1, { betType: betType('for,a') })], covered });
    const order = shownOrder(1, { placementTimeMs: covered.toMs - 1 });
    expect(kindOf(of, shown({ orders: [order] }))).toBe('undecided');
  });

  it('is never another one while it shows a single order that the journal knows', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 });
    const property = fc.property(ids, ids, fc.nat(), (ours, theirs, pick) => {
      const of = account({ orders: ours.map((id) => known(id)), covered: { fromMs: 0, toMs: NOW } });
      const one = ours[pick % ours.length] as number;
      const foreign = theirs.map((id) => shownOrder(id + 100));
      const by = shown({
        orders: [...foreign, shownOrder(one)],
        missing: missing(...ours.filter((id) => id !== one)),
      });
      expect(kindOf(of, by)).toBe('same');
      expect(kindOf(of, { ...by, orders: foreign, missing: missing(...ours) })).toBe('other');
    });
    fc.assert(property);
  });
});

describe('an order is recognised', () => {
  it.each([
    [
      'by our mark',
      known(1),
      shownOrder(1, { userData: markedBy(OWN, '3', 'uuid-1'), betType: betType('x') }),
      true,
    ],
    [
      'not by the mark of another order',
      known(1),
      shownOrder(1, { userData: markedBy(OWN, '3', 'uuid-2') }),
      false,
    ],
    ['by its market where the exchange drops marks', known(1), shownOrder(1), true],
    ['not on another market', known(1), shownOrder(1, { betType: betType('for,a') }), false],
    ['by its time', known(1, { uuid: null, placedMs: NOW - DAY_MS }), shownOrder(1), true],
    ['not at another time', known(1, { uuid: null, placedMs: NOW }), shownOrder(1), false],
    [
      'where its time is not told',
      known(1, { placedMs: NOW }),
      shownOrder(1, { placementTimeMs: null }),
      true,
    ],
    ['not by another id', known(2), shownOrder(1), false],
  ])('%s', (_, one, order, is) => {
    expect(isRecognised(one, order)).toBe(is);
  });
});

/** The state after facts, each at its wall-clock instant. */
function stateOf(...facts: readonly (readonly [Fact, number])[]): FoldedState {
  const state = emptyState();
  for (const [fact, atMs] of facts) applyFact(state, fact, atMs);
  return state;
}

const seen = (orders: readonly (readonly [number, number | null])[], isWhole: boolean): Fact => ({
  kind: 'account_seen',
  orders: orders.map(([id, placedMs]) => ({ orderId: orderId(id), betType: FOR_H, placedMs })),
  isWhole,
});

describe('what the journal knows of its account', () => {
  it('covers the whole past where the list was whole, up to ten minutes before the start', () => {
    expect(knownAccount(stateOf([seen([], true), NOW])).covered).toEqual({
      fromMs: -Infinity,
      toMs: NOW - 10 * MINUTE_MS,
    });
    const recent = stateOf([seen([[1, NOW - 2 * MINUTE_MS]], true), NOW]);
    expect(knownAccount(recent).covered?.toMs).toBe(NOW - 3 * MINUTE_MS);
  });

  it('covers the time of the list, except its last minute, where it was not whole', () => {
    const listed = [9, 8, 5].map((at, id) => [id, NOW - DAY_MS + at * MINUTE_MS] as const);
    expect(knownAccount(stateOf([seen(listed, false), NOW])).covered).toEqual({
      fromMs: NOW - DAY_MS + 5 * MINUTE_MS,
      toMs: NOW - DAY_MS + 8 * MINUTE_MS,
    });
  });

  it.each([
    ['is not in order', [5, 9]],
    ['has an order without a time', [9, null]],
  ])('covers nothing where the list %s', (_, minutes) => {
    const listed = minutes.map((at, id) => [id, at === null ? null : NOW + at * MINUTE_MS] as const);
    expect(knownAccount(stateOf([seen(listed, false), NOW])).covered).toBeNull();
  });

  it('expects a listed order for three days after its placement', () => {
    const { orders } = knownAccount(
      stateOf([
        seen(
          [
            [1, NOW - DAY_MS],
            [2, null],
          ],
          true,
        ),
        NOW,
      ]),
    );
    expect(orders.map(({ orderId: id, keptUntilMs }) => [id, keptUntilMs])).toEqual([
      [2, NOW + 3 * DAY_MS],
      [1, NOW + 2 * DAY_MS],
    ]);
  });

  const bookedOn = (eventId: string, atMs = NOW, uuid: string | null = null): Fact => {
    const fill = { betId: 7, orderId: 4, eventId, betType: FOR_H, requestUuid: uuid, sport: 'fb', atMs };
    return { kind: 'fill_booked', fill } as object as Fact;
  };

  it.each([
    ['an event to come', '2026-03-20,1,2', Date.parse('2026-03-23T00:00:00Z')],
    ['an event of the day, which began before', '2026-03-10,1,2', NOW + 3 * DAY_MS],
    ['an event of long ago', '2026-01-10,1,2', NOW + 3 * DAY_MS],
    ['an event without a day', 'outright', NOW + 3 * DAY_MS],
  ])('expects the order of a bet on %s for three days after its last change', (_, eventId, keptUntilMs) => {
    expect(knownAccount(stateOf([bookedOn(eventId), NOW])).orders).toMatchObject([
      { orderId: 4, keptUntilMs },
    ]);
  });

  it('joins all that it knows of an order, whichever record has it', () => {
    const listed = seen([[4, NOW - DAY_MS]], true);
    const joined = { orderId: 4, uuid: 'uuid-4', placedMs: NOW - DAY_MS, betType: FOR_H };
    for (const [day, keptUntilMs] of [
      ['2026-03-20,1,2', Date.parse('2026-03-23T00:00:00Z')],
      ['2026-03-01,1,2', NOW - 2 * DAY_MS + 3 * DAY_MS],
    ] as const) {
      const booked = bookedOn(day, NOW - 2 * DAY_MS, 'uuid-4');
      const { orders } = knownAccount(stateOf([booked, NOW], [listed, NOW]));
      const listedUntilMs = NOW - DAY_MS + 3 * DAY_MS;
      expect(orders).toEqual([{ ...joined, keptUntilMs: Math.max(keptUntilMs, listedUntilMs) }]);
    }
  });

  it('forgets what belonged to the account before the one that a person accepted', () => {
    const state = stateOf(
      [seen([[1, NOW]], true), NOW],
      [{ kind: 'account_accepted', why: 'moved' }, NOW + 1],
    );
    expect(knownAccount(state)).toMatchObject({ orders: [], covered: null });
  });

  it.each([
    [NOW - 1, []],
    [NOW, [4]],
    [NOW + 1, [4]],
  ])(
    'counts the order of a bet of %d only if it was matched since another account was accepted: %j',
    (atMs, ids) => {
      const fill = { betId: 7, orderId: 4, eventId: '2026-03-20,1,2', betType: FOR_H, requestUuid: null };
      const booked = { kind: 'fill_booked', fill: { ...fill, sport: 'fb', atMs } } as object as Fact;
      const state = stateOf([booked, NOW - 5], [{ kind: 'account_accepted', why: 'moved' }, NOW]);
      expect(knownAccount(state).orders.map(({ orderId: id }) => id)).toEqual(ids);
    },
  );

  it('survives a checkpoint', () => {
    const facts: readonly Fact[] = [{ kind: 'account_accepted', why: 'moved' }, seen([[1, NOW]], false)];
    const state = stateOf(...facts.map((fact) => [fact, NOW] as const));
    const journal = createMemoryJournal(new VirtualClock());
    journal.append([{ kind: 'checkpoint', uuid: null, data: checkpointOf(state) }]);
    const { accountSeen: again, accountSinceMs } = foldJournal(journal);
    expect([again, accountSinceMs]).toEqual([state.accountSeen, NOW]);
  });
});

describe('what a start records of the account', () => {
  const page = (count: number): VenueOrder[] => Array.from({ length: count }, (_, at) => shownOrder(at));

  it.each([
    [0, 0, true],
    [20, 20, true],
    [21, 20, false],
    [100, 20, false],
  ])('of a page of %d are %d orders, and whole: %s', (length, recorded, isWhole) => {
    const made = accountSeenOn({ orders: page(length), unread: [] }, 100);
    expect([made.orders.length, made.isWhole]).toEqual([recorded, isWhole]);
    expect(made.orders.map(({ orderId: id }) => id)).toEqual(page(recorded).map((order) => order.orderId));
  });

  it.each([
    [0, 0],
    [1, 1],
    [20, 20],
    [30, 20],
  ])('ends before the first entry that cannot be read, at place %d, and is not whole', (at, recorded) => {
    const unread = [{ at: at + 3 }, { at }].map((each) => ({
      ...each,
      label: 'odd',
      orderId: null,
      userData: null,
    }));
    const made = accountSeenOn({ orders: page(40), unread }, 100);
    expect([made.orders.length, made.isWhole]).toEqual([recorded, false]);
    expect(accountSeenOn({ orders: page(at), unread: unread.slice(1) }, 100).isWhole).toBe(false);
  });
});
