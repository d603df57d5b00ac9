import { describe, expect, it } from 'vitest';
import { OrderBook } from '../../../src/account/orders.ts';
import { VenueRejection } from '../../../src/domain/errors.ts';
import { type OrderId, orderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import type { CloseOutcome, CloseRequests } from '../../../src/orders/outcomes/close-requests.ts';
import { UntrackedOrders } from '../../../src/orders/outcomes/untracked-orders.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';

const [A, B, C] = [orderId(1), orderId(2), orderId(3)];

describe('an order of others that was shown closed', () => {
  function rig() {
    const clock = { nowMs: 100_000, monotonicMs: () => clock.nowMs, wallMs: () => clock.nowMs };
    let [news, again] = [0, 0];
    const nothing = (): void => undefined;
    const book = new OrderBook(clock, nothing, nothing);
    const show = (atMs: number, closed: boolean, askedMs = -Infinity): void => {
      clock.nowMs = 100_000 + atMs;
      const order = { orderId: A, closed, bets: [], orderType: 'normal' } as unknown as VenueOrder;
      if (book.byId(A) === undefined) news++;
      if (book.show(book.meet(order), order, 100_000 + askedMs) === 'seen_open_again') again++;
    };
    const isOpen = (): boolean => book.foreignShown().length > 0;
    return { show, isOpen, counts: () => [news, again] };
  }

  it.each([
    [2_999, false],
    [3_000, true],
  ])(
    'is open again by an answer whose request began %i ms after the first report of its end: %s',
    (askedMs, isOpen) => {
      const { show, isOpen: open, counts } = rig();
      show(-500, false);
      show(0, true);
      show(2_500, true);
      show(9_000, false, askedMs);
      expect([open(), counts()]).toEqual([isOpen, [1, Number(isOpen)]]);
    },
  );

  it('stays closed by a report that says nothing of its age', () => {
    const { show, isOpen } = rig();
    show(0, true);
    show(60_000, false);
    expect(isOpen()).toBe(false);
  });

  it('is told as open again once each time, and its next end counts anew', () => {
    const { show, isOpen, counts } = rig();
    show(0, true);
    for (const atMs of [5_000, 6_000]) show(atMs, false, atMs);
    show(7_000, false);
    expect([isOpen(), counts()]).toEqual([true, [1, 1]]);
    show(10_000, true);
    show(11_000, false, 5_000);
    show(12_999, false, 12_999);
    expect(isOpen()).toBe(false);
    show(13_000, false, 13_000);
    expect([isOpen(), counts()]).toEqual([true, [1, 2]]);
  });
});

describe('an order that is not tracked', () => {
  function rig(most = 500) {
    const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
    const halts = { latched: null as string | null, closesAll: false };
    const open = new Set([A, B, C]);
    const asked: string[] = [];
    const outcomes = new Map<OrderId, CloseOutcome>();
    const looked: OrderId[] = [];
    const requests = {
      most,
      ask: (id: OrderId, outcome: CloseOutcome, alone: boolean) => {
        asked.push(`${clock.nowMs} ${id}${alone ? ' alone' : ''}`);
        outcomes.set(id, outcome);
      },
    };
    const untracked = new UntrackedOrders(
      {
        deps: { clock },
        halts,
        journalWriter: { failed: false },
        book: { foreign: (id: OrderId) => ({ shown: open.has(id) ? {} : null }) },
        log: { warn: () => undefined },
      } as unknown as OrderContext,
      () => [...open],
      requests as unknown as CloseRequests,
      (id) => void looked.push(id),
    );
    const sweepAt = (...instants: readonly number[]): void => {
      for (const nowMs of instants) {
        clock.nowMs = nowMs;
        untracked.sweep();
      }
    };
    const take = (): readonly string[] => asked.splice(0);
    return { halts, open, untracked, outcomes, looked, sweepAt, take };
  }

  it('is closed as soon as it is seen, and again 2.5 s later, once a turn', () => {
    const { untracked, sweepAt, take } = rig();
    for (const id of [A, A, B]) untracked.seen(id);
    expect(take()).toEqual(['0 1', '0 2']);
    sweepAt(2_499, 2_500, 2_600, 5_000);
    expect(take()).toEqual(['2500 1', '2500 2', '5000 1', '5000 2']);
  });

  it('waits for its turn, 400 ms after the one before, though it is due sooner', () => {
    const { untracked, sweepAt, take } = rig();
    for (const [at, id] of [A, B, C].entries()) {
      sweepAt(100 * at);
      untracked.seen(id);
    }
    expect(take()).toEqual(['0 1', '100 2', '200 3']);
    // One turn is saved up.
    sweepAt(2_500, 2_600, 2_700, 2_899, 2_900);
    expect(take()).toEqual(['2500 1', '2600 2', '2900 3']);
  });

  it.each(['closed', 'over'] as const)(
    'is closed alone once a close of it was %s and it stays open',
    (how) => {
      const { untracked, outcomes, looked, sweepAt, take } = rig();
      for (const id of [A, B, C]) untracked.seen(id);
      outcomes.get(A)?.[how]();
      expect(looked).toEqual(how === 'over' ? [A] : []);
      take();
      sweepAt(2_500);
      expect(take()).toEqual(['2500 1 alone']);
      // The next turn is for the others.
      sweepAt(2_501);
      expect(take()).toEqual(['2501 2', '2501 3']);
    },
  );

  it('is closed together with as many others as one request may name', () => {
    const { untracked, sweepAt, take } = rig(2);
    for (const id of [A, B, C]) untracked.seen(id);
    take();
    sweepAt(2_500, 2_501);
    expect(take()).toEqual(['2500 1', '2500 2', '2501 3']);
    // Turns are 400 ms apart in the long run.
    sweepAt(5_000, 5_001, 5_002, 5_399, 5_400);
    expect(take()).toEqual(['5000 1', '5000 2', '5001 3']);
  });

  it.each([
    [null, 2_500],
    [2, 2_500],
    [10, 10_000],
    [3_600, 60_000],
  ])('is closed again when an answer 429 that asks for %s s allows it: after %i ms', (retryAfterS, atMs) => {
    const { untracked, outcomes, sweepAt, take } = rig();
    untracked.seen(A);
    outcomes.get(A)?.failed(new VenueRejection('throttled', 429, 'no', { retryAfterS }));
    take();
    sweepAt(atMs - 1);
    expect(take()).toEqual([]);
    sweepAt(atMs);
    expect(take()).toEqual([`${atMs} 1`]);
  });

  it('is forgotten once it is closed, and nothing is due then', () => {
    const { untracked, open, sweepAt, take } = rig();
    expect(untracked.dueMs).toBe(Infinity);
    untracked.seen(A);
    expect(untracked.dueMs).toBe(-Infinity);
    open.delete(A);
    take();
    sweepAt(2_500);
    expect([take(), untracked.dueMs]).toEqual([[], Infinity]);
  });

  it.each([
    ['while every order is to be closed', { closesAll: true }],
    ['while quoting is latched', { latched: 'differs' }],
  ])('is closed %s, without being seen', (_, halt) => {
    const { halts, sweepAt, take } = rig();
    sweepAt(0);
    expect(take()).toEqual([]);
    Object.assign(halts, halt);
    sweepAt(10);
    expect(take()).toEqual(['10 1', '10 2', '10 3']);
  });
});
