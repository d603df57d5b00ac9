import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderBook, TrackedOrder } from '../../../src/account/orders.ts';
import { orderId, type OrderId } from '../../../src/domain/ids.ts';
import type { OrderPage, UnreadOrder } from '../../../src/domain/order-listing.ts';
import { AbsentOrders } from '../../../src/orders/outcomes/absent-orders.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, ORDER_ID, trackedOrder } from '../support/tracked.ts';

const STRAY = orderId(9);

let rig: PartRig;
let book: OrderBook;
let order: TrackedOrder;
let absent: AbsentOrders;
let lists: PromiseWithResolvers<OrderPage>[];
let strays: OrderId[];
let given: OrderId[];
let told: unknown[];

beforeEach(() => {
  [lists, strays, given, told] = [[], [], [], []];
  order = trackedOrder({ closeWanted: true });
  rig = new PartRig();
  book = bookOf(rig.clock, order);
  rig.halts.set('drain', 'draining');
  Object.assign(rig.context, {
    book,
    log: {
      ...rig.context.log,
      error: (message: string, fields: object) => void told.push({ message, ...fields }),
    },
    metrics: { alarms: { inc: ({ kind }: { kind: string }) => void told.push(kind) } },
  });
  absent = new AbsentOrders(
    rig.context,
    { giveUp: (id) => void given.push(id) },
    () => strays,
    () => {
      const list = Promise.withResolvers<OrderPage>();
      lists.push(list);
      return list.promise;
    },
  );
});

/** A look-up that is asked so much later, and does not find the order. */
async function unfound(laterMs: number, id = ORDER_ID): Promise<void> {
  await rig.clock.advance(laterMs);
  absent.notFound(id, rig.clock.monotonicMs());
  await rig.clock.advance(0);
}
async function listed(
  ids: readonly OrderId[] = [],
  ...unread: readonly Partial<UnreadOrder>[]
): Promise<void> {
  const page = { orders: ids.map((each) => ({ orderId: each })), unread } as unknown as OrderPage;
  lists.shift()?.resolve(page);
  await rig.clock.advance(0);
}
const isOver = (): boolean => order.order.state === 'closed';

describe('an order that is to be closed during a stop', () => {
  it('does not exist if look-ups over three seconds, and then a list, do not show it', async () => {
    await unfound(0);
    await unfound(2_999);
    expect(lists).toEqual([]);
    await unfound(1);
    expect([lists.length, isOver()]).toEqual([1, false]);
    await listed();
    expect(order.order).toMatchObject({ state: 'closed', closeReason: 'not_found' });
    expect(told).toEqual([
      'forgotten',
      { message: 'an order that is to be closed does not exist', orderId: 1, lookups: 3, overMs: 3_000 },
    ]);
    expect(given).toEqual([]);
  });

  it('is given up if it is a stray', async () => {
    strays = [STRAY];
    for (const ms of [0, 3_000]) await unfound(ms, STRAY);
    await listed();
    expect(given).toEqual([STRAY]);
  });

  it('exists if a report shows it meanwhile', async () => {
    await unfound(0);
    absent.shown(null);
    absent.shown(ORDER_ID);
    await unfound(3_000);
    expect(lists).toEqual([]);
    await unfound(3_000);
    absent.shown(ORDER_ID);
    await listed();
    expect(isOver()).toBe(false);
  });

  it.each<[what: string, change: () => void]>([
    ['nothing stops any more', () => rig.halts.clear('drain')],
    ['it is not to be closed', () => void (order.closeWanted = false)],
    ['it has ended', () => void book.apply(order, 'seen_closed', {}, 'stream')],
  ])('is not looked for if %s', async (_, change) => {
    change();
    for (const ms of [0, 3_000]) await unfound(ms);
    expect(lists).toEqual([]);
    expect(told).toEqual([]);
  });

  it('is none of ours if it is no stray', async () => {
    for (const ms of [0, 3_000]) await unfound(ms, STRAY);
    expect(lists).toEqual([]);
  });

  it('is not ended by a list once it is not to be closed', async () => {
    for (const ms of [0, 3_000]) await unfound(ms);
    order.closeWanted = false;
    await listed();
    expect(isOver()).toBe(false);
  });

  it('begins anew once it was not to be closed', async () => {
    await unfound(0);
    order.closeWanted = false;
    await unfound(1_000);
    order.closeWanted = true;
    await unfound(2_000);
    expect(lists).toEqual([]);
  });

  const MARK = markedBy(OWN, '1', 'uuid');
  it.each<[what: string, ids: OrderId[], unread: Partial<UnreadOrder>[], isOver: boolean]>([
    ['shows it', [ORDER_ID], [], false],
    ['shows another', [orderId(2)], [], true],
    ['has an entry of its id that cannot be read', [], [{ orderId: ORDER_ID, userData: null }], false],
    ['has one of another id', [], [{ orderId: orderId(2), userData: null }], true],
    ['has one with its mark', [], [{ orderId: null, userData: MARK }], false],
    ['has one with another mark', [], [{ orderId: null, userData: markedBy(OWN, '1', 'x') }], true],
    ['has one with no mark of ours', [], [{ orderId: null, userData: 'by hand' }], true],
    ['has one of which nothing can be read', [], [{ orderId: null, userData: null }], false],
    [
      'has one of another, and then one of it',
      [],
      [
        { orderId: orderId(2), userData: null },
        { orderId: null, userData: MARK },
      ],
      false,
    ],
  ])('is proven absent by no list that %s', async (_, ids, unread, over) => {
    for (const ms of [0, 3_000]) await unfound(ms);
    await listed(ids, ...unread);
    expect(isOver()).toBe(over);
  });

  it('that is a stray may be any entry without a known id', async () => {
    strays = [STRAY];
    for (const ms of [0, 3_000]) await unfound(ms, STRAY);
    await listed([], { orderId: null, userData: 'by hand' });
    expect(given).toEqual([]);
  });
});

describe('the list that proves it', () => {
  it('is asked for once at a time, and at most once a second', async () => {
    for (const ms of [0, 3_000, 500, 2_000]) await unfound(ms);
    expect(lists).toHaveLength(1);
    await listed([ORDER_ID]);
    await unfound(0);
    expect(lists).toHaveLength(1);
    await listed([ORDER_ID]);
    await unfound(999);
    expect(lists).toHaveLength(0);
    await unfound(1);
    expect(lists).toHaveLength(1);
  });

  it('is asked for again after one that could not be read', async () => {
    for (const ms of [0, 3_000]) await unfound(ms);
    lists.shift()?.reject(new Error('cut'));
    await unfound(1_000);
    await listed();
    expect(isOver()).toBe(true);
  });
});
