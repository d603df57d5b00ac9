import { describe, expect, it } from 'vitest';
import {
  eventShown,
  type ForeignOrder,
  FRESH_MS,
  GIVEN_UP_AFTER,
  OrderBook,
  OVERDUE_MS,
} from '../../src/account/orders.ts';
import { orderId } from '../../src/domain/ids.ts';
import { InvariantError } from '../../src/lib/assert.ts';
import { foreignRig, rig, shown, tracked } from './support/orders.ts';

describe('the record of another’s order', () => {
  const fresh: ForeignOrder = {
    owner: 'foreign',
    orderId: orderId(4),
    orderType: 'lay',
    state: 'unknown',
    shown: null,
    openSinceMs: null,
    lapsesMonotonicMs: null,
    closedMs: null,
    unknownTimes: 0,
  };

  it('holds all that reports have shown of it, whole, until it is over', () => {
    const { book, clock } = rig();
    const report = shown(4, { orderType: 'lay' });
    const foreign = book.meet(report);
    expect(foreign).toEqual(fresh);
    book.show(foreign, report, -Infinity);
    const open = { ...fresh, state: 'live', shown: report, openSinceMs: 1_000, lapsesMonotonicMs: 1_600 };
    expect(foreign).toEqual(open);
    clock.nowMs = 1_000 + 600 + OVERDUE_MS;
    for (let n = 1; n < GIVEN_UP_AFTER; n++) expect(book.notFound(orderId(4))).toBeNull();
    expect(foreign).toEqual({ ...open, unknownTimes: GIVEN_UP_AFTER - 1 });
    book.show(foreign, report, -Infinity);
    expect(foreign).toEqual(open);
    for (let n = 1; n < GIVEN_UP_AFTER; n++) book.notFound(orderId(4));
    expect(book.notFound(orderId(4))).toBe(report);
    const over = { ...fresh, state: 'closed', unknownTimes: GIVEN_UP_AFTER };
    expect(foreign).toEqual(over);
    book.show(foreign, { ...report, closed: true }, -Infinity);
    expect(foreign).toEqual({ ...over, closedMs: 3_600 });
    clock.nowMs = 9_000;
    book.show(foreign, report, Infinity);
    expect(foreign).toEqual({
      ...fresh,
      state: 'closing',
      shown: report,
      openSinceMs: 9_000,
      lapsesMonotonicMs: 9_600,
    });
  });

  it('is given up at once where the exchange certainly does not have it', () => {
    const { book, show } = foreignRig();
    const pending = shown(1, { status: 'pending' });
    show({ status: 'pending' });
    expect(book.giveUp(orderId(1))).toEqual(pending);
    expect([book.giveUp(orderId(1)), book.giveUp(orderId(2)), book.foreignShown()]).toEqual([null, null, []]);
    book.add(tracked(3), 'x');
    expect([book.giveUp(orderId(3)), book.notFound(orderId(3))]).toEqual([null, null]);
  });

  it('comes in the order in which it was first seen open', () => {
    const { book } = rig();
    for (const at of [3, 1, 2]) book.show(book.meet(shown(at)), shown(at), -Infinity);
    book.show(book.meet(shown(3)), shown(3, { status: 'pending' }), -Infinity);
    expect(Array.from(book.foreignOpen(), (each) => each.orderId)).toEqual([3, 1, 2]);
    expect(book.foreignShown().map(({ orderId: id, status }) => [id, status])).toEqual([
      [3, 'pending'],
      [1, undefined],
      [2, undefined],
    ]);
  });
});

describe('what a report shows of an order of ours', () => {
  const closed = (closedMs: number | null) => Object.assign(tracked(1, { state: 'closed' }), { closedMs });

  it.each([
    ['closed, whatever it was', tracked(1), true, 0, 'seen_closed'],
    ['open while it is open', tracked(1), false, Infinity, 'seen_open'],
    ['open before the end was known for long', closed(1_000), false, 1_000 + FRESH_MS - 1, 'seen_open'],
    ['open again after it', closed(1_000), false, 1_000 + FRESH_MS, 'seen_open_again'],
    ['open again if no report has shown it closed', closed(null), false, -Infinity, 'seen_open_again'],
    ['open after its refusal', tracked(1, { state: 'refused' }), false, Infinity, 'seen_open'],
  ] as const)('is that it is %s', (_, record, isClosed, askedMs, event) => {
    expect(eventShown(record, { closed: isClosed }, askedMs)).toBe(event);
  });

  it('that contradicts an earlier one is told whole', () => {
    const told: unknown[][] = [];
    const clock = { monotonicMs: () => 1 };
    const book = new OrderBook(
      clock,
      () => undefined,
      (...all) => void told.push(all),
    );
    const order = tracked(1, { state: 'sending' });
    book.add(order, 'x');
    book.apply(order, 'refused', {}, 'answer');
    const verdict = book.apply(order, 'seen_open', {}, 'stream');
    expect(told).toEqual([[order, 'seen_open', expect.stringContaining('refused'), 'stream']]);
    expect(verdict).toMatchObject({ kind: 'ignore', alarm: true });
    expect(book.apply(order, 'not_sent', {}, 'answer')).toMatchObject({ kind: 'ignore', alarm: false });
    expect(told).toHaveLength(1);
  });

  it('that is impossible is refused with what is known of it', () => {
    const { book } = rig();
    const [order, other] = [tracked(1, { state: 'sending', orderId: null }), tracked(2)];
    for (const each of [order, other]) book.add(each, 'x');
    const thrown = (act: () => void): unknown => {
      try {
        act();
      } catch (error) {
        return error instanceof InvariantError ? error.details : error;
      }
      return null;
    };
    const { requestUuid: id } = order.order;
    expect(thrown(() => book.apply(order, 'send', {}, 'x'))).toEqual({
      requestUuid: id,
      state: 'sending',
      event: 'send',
    });
    expect(thrown(() => book.add(tracked(1), 'x'))).toEqual({ requestUuid: id });
    expect(thrown(() => book.apply(order, 'fill', { orderId: orderId(2) }, 'x'))).toEqual({
      orderId: 2,
      uuid: id,
    });
  });
});

describe('an order of ours', () => {
  it('is overdue some time after its own lapse, and never before it is sent', () => {
    const { book, clock } = rig();
    const sent = Object.assign(tracked(1), { lapsesMonotonicMs: 5_000 });
    const unsent = Object.assign(tracked(2), { lapsesMonotonicMs: null });
    clock.nowMs = 5_000 + OVERDUE_MS - 1;
    expect([book.isOverdue(sent), book.isOverdue(unsent)]).toEqual([false, false]);
    clock.nowMs++;
    expect([book.isOverdue(sent), book.isOverdue(unsent)]).toEqual([true, false]);
  });

  it('that takes the id of an open order of another leaves none of it open', () => {
    const { book } = foreignRig();
    const ours = tracked(7, { orderId: null, state: 'sending' });
    book.add(ours, 'x');
    book.apply(ours, 'seen_open', { orderId: orderId(1) }, 'x');
    expect([[...book.foreignOpen()], book.foreign(orderId(1))]).toEqual([[], undefined]);
  });
});

it('keeps the reports of a thousand orders whose owner is not known', () => {
  const book = new OrderBook(
    { monotonicMs: () => 1 },
    () => undefined,
    () => undefined,
  );
  for (let at = 1; at <= 1_000; at++) book.hold({ order: shown(at), source: 'stream' });
  expect([book.held().length, book.held()[0]?.order.orderId]).toEqual([1_000, 1]);
  book.hold({ order: shown(1_001), source: 'stream' });
  expect([book.held().length, book.held()[0]?.order.orderId]).toEqual([1_000, 2]);
});
