import { describe, expect, it } from 'vitest';
import { orderId, requestUuid } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import { InvariantError } from '../../../src/lib/assert.ts';
import { OwnOrders, type TrackedOrder } from '../../../src/orders/state/own-orders.ts';
import { liveOrder } from '../../support/orders.ts';

/** As many orders stay known after their end. */
const KEPT = 3_000;

const uuid = (at: number) => requestUuid(`00000000-0000-4000-8000-${String(at).padStart(12, '0')}`);

const tracked = (at: number, over: Partial<LiveOrder> = {}): TrackedOrder =>
  ({
    order: { ...liveOrder(), requestUuid: uuid(at), orderId: orderId(at), ...over },
  }) as TrackedOrder;

function rig() {
  const changes: string[] = [];
  const alarms: string[] = [];
  const book = new OwnOrders({
    onChange: ({ order }, before, source) =>
      void changes.push(`${before?.state ?? 'new'} ${order.state} ${order.filledMicros} ${source}`),
    onAlarm: (_, event) => void alarms.push(event),
  });
  return { book, changes, alarms };
}

describe('an ended order', () => {
  it('stays known until 3,000 others have ended after it, then is forgotten by uuid and by id', () => {
    const { book } = rig();
    const [first, stays] = [tracked(1), tracked(2)];
    book.add(stays, 'x');
    book.add(first, 'x');
    book.apply(first, 'seen_closed', {}, 'x');
    for (let at = 10; at < 10 + KEPT; at++) {
      expect([book.byUuid(uuid(1)), book.byOrderId(orderId(1))]).toEqual([first, first]);
      const next = tracked(at);
      book.add(next, 'x');
      book.apply(next, 'seen_closed', {}, 'x');
    }
    expect([book.byUuid(uuid(1)), book.byOrderId(orderId(1))]).toEqual([undefined, undefined]);
    expect([book.byUuid(uuid(2)), book.byOrderId(orderId(2))]).toEqual([stays, stays]);
    expect(book.byUuid(uuid(10))).toBeDefined();
    expect(book.activeCount).toBe(1);
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
    expect(book.byOrderId(orderId(10))).toBeDefined();
  });

  it('is not active, and one of an earlier run tells nobody', () => {
    const { book, changes } = rig();
    book.add(tracked(1, { state: 'closed' }), 'journal');
    book.add(tracked(2), 'stream');
    expect([book.activeCount, changes]).toEqual([1, ['new live 0 stream']]);
    expect([...book.active()].map(({ order }) => order.orderId)).toEqual([orderId(2)]);
    expect(book.byOrderId(orderId(1))?.order.state).toBe('closed');
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
    expect(book.byOrderId(orderId(9))).toBeUndefined();
    book.apply(one, 'seen_open', { orderId: orderId(9) }, 'x');
    expect(book.byOrderId(orderId(9))).toBe(one);
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
