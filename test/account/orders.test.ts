import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRESH_MS, OVERDUE_MS } from '../../src/account/orders.ts';
import { type EventId, eventId, orderId, type Sport } from '../../src/domain/ids.ts';
import { InvariantError } from '../../src/lib/assert.ts';
import { foreignRig, MOST_WAITING, rig, shown, tracked, uuid } from './support/orders.ts';

/** As many orders stay known after their end. */
const KEPT = 3_000;

describe('an ended order', () => {
  it('stays known until 3,000 others have ended after it, then is forgotten by uuid and by id', () => {
    const { book } = rig();
    const [first, stays] = [tracked(1), tracked(2)];
    book.add(stays, 'x');
    book.add(first, 'x');
    book.apply(first, 'seen_closed', {}, 'x');
    for (let at = 10; at < 10 + KEPT; at++) {
      expect([book.byUuid(uuid(1)), book.byId(orderId(1))]).toEqual([first, first]);
      const next = tracked(at);
      book.add(next, 'x');
      book.apply(next, 'seen_closed', {}, 'x');
    }
    expect([book.byUuid(uuid(1)), book.byId(orderId(1))]).toEqual([undefined, undefined]);
    expect([book.byUuid(uuid(2)), book.byId(orderId(2))]).toEqual([stays, stays]);
    expect(book.byUuid(uuid(10))).toBeDefined();
    expect([...book.active()]).toEqual([stays]);
  });

  it('without an id leaves those of others alone', () => {
    const { book } = rig();
    const lost = tracked(1, { orderId: null, state: 'sending' });
    book.add(lost, 'x');
    book.apply(lost, 'not_sent', {}, 'x');
    for (let at = 10; at < 10 + KEPT; at++) {
      const next = tracked(at);
      book.add(next, 'x');
      book.apply(next, 'seen_closed', {}, 'x');
    }
    expect(book.byUuid(uuid(1))).toBeUndefined();
    expect(book.byId(orderId(10))).toBeDefined();
  });

  it('is not active, and one of an earlier run tells nobody', () => {
    const { book, changes } = rig();
    book.add(tracked(1, { state: 'closed' }), 'journal');
    book.add(tracked(2), 'stream');
    expect(changes).toEqual(['new live 0 stream']);
    expect([...book.active()].map(({ order }) => order.orderId)).toEqual([orderId(2)]);
    expect(book.byId(orderId(1))).toMatchObject({ order: { state: 'closed' } });
  });
});

describe('the instant at which an order of ours was closed', () => {
  it('is that of its latest end, and stays while it is open again', () => {
    const { book, clock } = rig();
    const order = tracked(1);
    book.add(order, 'x');
    expect(order.closedMs).toBeNull();
    book.apply(order, 'seen_closed', {}, 'x');
    clock.nowMs = 2_000;
    book.apply(order, 'fill', { filledMicros: 1 }, 'x');
    expect(order.closedMs).toBe(1_000);
    book.apply(order, 'seen_open_again', {}, 'x');
    expect(order.closedMs).toBe(1_000);
    book.apply(order, 'seen_closed', {}, 'x');
    expect(order.closedMs).toBe(2_000);
  });
});

describe('an ended order that is open again', () => {
  it.each([
    ['in this run', 'live'],
    ['in an earlier run', 'closed'],
  ] as const)('is active, and not forgotten, though it ended %s', (_, state) => {
    const { book, changes } = rig();
    const order = tracked(1, { state });
    book.add(order, 'journal');
    book.apply(order, 'seen_closed', {}, 'x');
    expect([...book.active()]).toEqual([]);
    book.apply(order, 'seen_open_again', {}, 'x');
    expect(changes.at(-1)).toBe('closed closing 0 x');
    for (let at = 10; at < 11 + KEPT; at++) {
      const next = tracked(at);
      book.add(next, 'x');
      book.apply(next, 'seen_closed', {}, 'x');
    }
    expect([...book.active()]).toEqual([order]);
    expect([book.byUuid(uuid(1)), book.byId(orderId(1))]).toEqual([order, order]);
  });
});

describe('the active orders of an event', () => {
  it('are all active orders with its name, whatever happened, in the same order', () => {
    const EVENTS = ['2026-11-21,1,2', '2026-11-21,3,4'].map((id) => eventId(id));
    const change = fc.tuple(fc.nat({ max: 7 }), fc.constantFrom('open', 'end'));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const { book, clock } = rig();
        for (const [at, kind] of changes) {
          clock.nowMs += 100;
          const known = book.byUuid(uuid(at));
          const isOpen = known?.order.state !== 'closed';
          if (known !== undefined && kind === 'end' && isOpen) book.apply(known, 'seen_closed', {}, 'x');
          if (known !== undefined && kind === 'open' && !isOpen)
            book.apply(known, 'seen_open_again', {}, 'x');
          if (known === undefined && kind === 'open')
            book.add(tracked(at, { eventId: EVENTS[at % 2] as EventId }), 'x');
          for (const each of EVENTS) {
            const { sport } = tracked(0).order;
            const named = [...book.active()].filter(({ order }) => order.eventId === each);
            expect(book.activeOf({ sport, eventId: each })).toEqual(named);
            expect(book.activeOf({ sport: 'other' as Sport, eventId: each })).toEqual([]);
          }
        }
      }),
    );
  });
});

describe('a change', () => {
  it.each([
    { orderId: orderId(7) },
    { expiryMs: 123 },
    { closeReason: 'expired' },
    { filledMicros: 5 },
  ] as const)('is told when %o is new, and only then', (patch) => {
    const { book, changes } = rig();
    const order = tracked(1, { orderId: null, expiryMs: 1, state: 'live' });
    book.add(order, 'x');
    for (const _ of [1, 2]) book.apply(order, 'fill', patch, 'stream');
    expect(changes).toHaveLength(2);
    expect(order.order).toMatchObject(patch);
  });

  it('of the id is found by the id, and no id belongs to two orders', () => {
    const { book } = rig();
    const [one, other] = [1, 2].map((at) => tracked(at, { orderId: null, state: 'sending' }));
    if (one === undefined || other === undefined) throw new Error('two orders');
    for (const each of [one, other]) book.add(each, 'x');
    expect(book.byId(orderId(9))).toBeUndefined();
    book.apply(one, 'seen_open', { orderId: orderId(9) }, 'x');
    expect(book.byId(orderId(9))).toBe(one);
    book.apply(one, 'fill', { orderId: orderId(9), filledMicros: 1 }, 'x');
    expect(() => book.apply(one, 'fill', { orderId: orderId(8) }, 'x')).toThrow(InvariantError);
    expect(() => book.apply(other, 'seen_open', { orderId: orderId(9) }, 'x')).toThrow(InvariantError);
    expect(other.order).toMatchObject({ state: 'sending', orderId: null });
  });

  it('that contradicts an earlier report alarms and changes nothing', () => {
    const { book, changes, alarms } = rig();
    const order = tracked(1, { state: 'sending' });
    book.add(order, 'x');
    book.apply(order, 'refused', {}, 'x');
    book.apply(order, 'seen_open', { filledMicros: 3 }, 'x');
    expect([alarms, order.order.state, order.order.filledMicros]).toEqual([['seen_open'], 'refused', 0]);
    expect(changes).toHaveLength(2);
  });

  it('that comes late is ignored without an alarm', () => {
    const { book, changes, alarms } = rig();
    const order = tracked(1);
    book.add(order, 'x');
    book.apply(order, 'seen_closed', {}, 'x');
    expect(book.apply(order, 'seen_open', { filledMicros: 3 }, 'x').kind).toBe('ignore');
    expect([alarms, order.order.filledMicros, changes.length]).toEqual([[], 0, 2]);
  });

  it('that the lifecycle forbids is refused', () => {
    const { book } = rig();
    const order = tracked(1, { state: 'sending' });
    book.add(order, 'x');
    expect(() => book.apply(order, 'send', {}, 'x')).toThrow(InvariantError);
    expect(() => book.add(tracked(1), 'x')).toThrow(InvariantError);
  });
});

it('lists the active orders of an event, of its sport alone', () => {
  const { book } = rig();
  const [own, elsewhere, ended] = [tracked(1), tracked(2, { sport: 'fb_ht' as never }), tracked(3)];
  for (const each of [own, elsewhere, ended]) book.add(each, 'x');
  book.apply(ended, 'seen_closed', {}, 'x');
  expect(book.activeOf(own.order)).toEqual([own]);
  expect(book.activeOf({ ...own.order, eventId: 'another' as never })).toEqual([]);
});

describe('an order of another', () => {
  it('is one record, and none of ours', () => {
    const { book, foreign } = foreignRig();
    expect(book.meet(shown(1, { orderType: 'lay' }))).toBe(foreign);
    expect(foreign.orderType).toBe('lay');
    expect([book.foreign(orderId(1)), book.byId(orderId(1))]).toEqual([foreign, foreign]);
    expect([book.foreign(orderId(2)), book.byId(orderId(2))]).toEqual([undefined, undefined]);
    book.add(tracked(2), 'x');
    expect(book.foreign(orderId(2))).toBeUndefined();
    expect(book.byId(orderId(2))).toMatchObject({ owner: 'own' });
    expect([[...book.active()].length, [...book.foreignOpen()].length]).toEqual([1, 1]);
  });

  it('counts by its latest report until it is closed, and stays known', () => {
    const { book, show, foreign } = foreignRig();
    expect(show({ status: 'pending' })).toEqual(['seen_open', 1]);
    expect(book.foreignShown()).toMatchObject([{ status: 'pending' }]);
    expect(show({ closed: true })).toEqual(['seen_closed', 0]);
    expect(show({ closed: true })).toEqual(['seen_closed', 0]);
    expect([...book.foreignOpen()]).toEqual([]);
    expect([book.byId(orderId(1)), foreign.shown]).toEqual([foreign, null]);
  });

  it('never counts if it is closed when it is met', () => {
    const { book } = rig();
    expect(book.show(book.meet(shown(1)), shown(1, { closed: true }), -Infinity)).toBe('seen_closed');
    expect(book.foreignShown()).toEqual([]);
  });

  it('stays closed by older reports, and is open again by an answer to a fresh request', () => {
    const { show, clock } = foreignRig();
    show({ closed: true });
    clock.nowMs += 100;
    show({ closed: true });
    expect(show()).toEqual([null, 0]);
    expect(show({}, 1_000 + FRESH_MS - 1)).toEqual([null, 0]);
    expect(show({}, 1_000 + FRESH_MS)).toEqual(['seen_open_again', 1]);
    expect(show()).toEqual(['seen_open', 1]);
    clock.nowMs = 9_000;
    show({ closed: true });
    expect(show({}, 9_000 + FRESH_MS - 1)).toEqual([null, 0]);
  });

  it('is overdue some time after its life, counted from when it was first seen open', () => {
    const { book, show, clock, foreign } = foreignRig();
    clock.nowMs = 1_200;
    show();
    clock.nowMs = 1_000 + 600 + OVERDUE_MS - 1;
    expect(book.isOverdue(foreign)).toBe(false);
    clock.nowMs++;
    expect(book.isOverdue(foreign)).toBe(true);
    show({ closed: true });
    expect(book.isOverdue(foreign)).toBe(false);
    show({}, Infinity);
    expect(book.isOverdue(foreign)).toBe(false);
    clock.nowMs += 600 + OVERDUE_MS;
    expect(book.isOverdue(foreign)).toBe(true);
  });

  it.each([{ placementTimeMs: null }, { expiryTimeMs: null }])('is never overdue with %j', (unknown) => {
    const { book, show, clock, foreign } = foreignRig();
    show(unknown);
    clock.nowMs = 1e12;
    expect(book.isOverdue(foreign)).toBe(false);
  });

  it('is given up after three answers in a row that do not know it, once it is overdue', () => {
    const { book, show, clock } = foreignRig();
    const notFound = () => book.notFound(orderId(1)) !== null;
    expect([notFound(), notFound(), notFound(), notFound()]).toEqual([false, false, false, false]);
    clock.nowMs = 1_000 + 600 + OVERDUE_MS;
    expect([notFound(), notFound()]).toEqual([false, false]);
    show();
    expect([notFound(), notFound(), notFound()]).toEqual([false, false, true]);
    expect(book.foreignShown()).toEqual([]);
    expect(notFound()).toBe(false);
    expect(book.notFound(orderId(2))).toBeNull();
  });

  it('is open again by any report if it was given up, unless one has shown it closed since', () => {
    const { book, show, clock } = foreignRig();
    const giveUp = () => {
      clock.nowMs += 600 + OVERDUE_MS;
      for (const _ of [1, 2, 3]) book.notFound(orderId(1));
      expect(book.foreignShown()).toEqual([]);
    };
    giveUp();
    expect(show()).toEqual(['seen_open_again', 1]);
    giveUp();
    expect(show({ closed: true })).toEqual(['seen_closed', 0]);
    expect(show()).toEqual([null, 0]);
  });

  it('is ours from the moment at which an order of ours has its id', () => {
    const { book } = foreignRig();
    const ours = tracked(7, { orderId: null, state: 'sending' });
    book.add(ours, 'x');
    book.apply(ours, 'seen_open', { orderId: orderId(1) }, 'x');
    expect([book.byId(orderId(1)), book.foreignShown()]).toEqual([ours, []]);
  });
});

const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 5 })), { maxLength: 60 });

it('keeps the latest report of an order whose owner is not known until it is taken, or too many wait', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { book } = rig();
      /** The longest wait first. */
      const waiting = new Map<number, number>();
      for (const [at, [takes, order]] of all.entries()) {
        expect(book.take(orderId(order))?.order.wantPrice).toBe(waiting.get(order));
        waiting.delete(order);
        if (!takes) {
          book.hold({ order: shown(order, { wantPrice: at }), source: 'stream' });
          const [longest] = waiting.keys();
          if (waiting.size >= MOST_WAITING) waiting.delete(longest ?? 0);
          waiting.set(order, at);
        }
        expect(book.held().map((report) => report.order.wantPrice)).toEqual([...waiting.values()]);
        expect(book.byId(orderId(order))).toBeUndefined();
      }
    }),
  );
});
