import { beforeEach, describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { orderId, type OrderId } from '../../../src/domain/ids.ts';
import {
  ForeignLookups,
  type LookupResult,
  Lookups,
  MAY_BE_OPEN,
} from '../../../src/orders/outcomes/lookups.ts';
import { PartRig } from '../support/part.ts';
import { ORDER_ID, trackedOrder } from '../support/tracked.ts';

const NOT_FOUND = new VenueRejection('not_found', 404, 'no');
const UNANSWERED = new TransportError('unknown', 'cut');

let rig: PartRig;
let reported: unknown[][];
let missing: (readonly [OrderId, number])[];
let owner: TrackedOrder | null;

const reports = {
  order: (...of: unknown[]) => {
    reported.push(of);
    return owner;
  },
  notFound: (id: OrderId) => void reported.push(['not found', id]),
};

beforeEach(() => {
  [rig, reported, missing, owner] = [new PartRig(), [], [], null];
});

describe('the look-up of an order of ours', () => {
  let lookups: Lookups;
  let order: TrackedOrder;
  let results: LookupResult[];

  beforeEach(() => {
    [results, order] = [[], trackedOrder()];
    owner = order;
    lookups = new Lookups(rig.context, reports as never, (id, askedMs) => void missing.push([id, askedMs]));
  });
  const ask = (once?: boolean): void => lookups.ask(order, (result) => void results.push(result), once);

  it('is made by its id, once at a time, and its answer is reported with the instant of the question', async () => {
    await rig.clock.advance(500);
    expect([lookups.isOut(order), lookups.outSinceMs(order)]).toEqual([false, null]);
    ask();
    ask();
    expect([rig.asked.length, lookups.isOut(order), lookups.outSinceMs(order)]).toEqual([1, true, 500]);
    expect(await lookups.settle(order)).toBe('failed');
    const asked = rig.take('order');
    expect([asked.args, asked.options]).toEqual([[ORDER_ID], { priority: 'reducing', once: false }]);
    await rig.clock.advance(100);
    await asked.answer({ closed: false });
    expect(reported).toEqual([[{ closed: false }, 'look-up', order.order.requestUuid, 500]]);
    expect([results, lookups.isOut(order)]).toEqual([['open'], false]);
  });

  it('is made by its uuid while its id is unknown', () => {
    order = trackedOrder({}, { orderId: null });
    ask(true);
    expect(rig.asked[0]).toMatchObject({
      method: 'trackedOrder',
      args: [order.order.requestUuid],
      options: { priority: 'reducing', once: true },
    });
  });

  it.each([
    ['open', false, true],
    ['over', true, true],
    ['failed', false, false],
  ] as const)(
    'has the result %s for an order that is closed: %s, and ours: %s',
    async (result, closed, isOurs) => {
      if (!isOurs) owner = trackedOrder();
      const settled = lookups.settle(order);
      await rig.take('order').answer({ closed });
      expect([await settled, missing]).toEqual([result, []]);
      expect(MAY_BE_OPEN.has(result)).toBe(result !== 'over');
    },
  );

  it.each([
    ['not_found', NOT_FOUND, [[ORDER_ID, 300]]],
    ['failed', UNANSWERED, []],
    ['failed', new VenueRejection('forbidden', 403, 'no'), []],
  ] as const)('has the result %s for an error, and only an absence is told', async (result, error, told) => {
    await rig.clock.advance(300);
    ask();
    await rig.clock.advance(50);
    await rig.take('order').fail(error);
    expect([results, missing, lookups.isOut(order)]).toEqual([[result], told, false]);
    expect(MAY_BE_OPEN.has(result)).toBe(result === 'failed');
  });

  it('by its uuid that finds none tells no absence of an id', async () => {
    order = trackedOrder({}, { orderId: null });
    ask();
    await rig.take('trackedOrder').fail(NOT_FOUND);
    expect([results, missing]).toEqual([['not_found'], []]);
  });
});

describe('the look-up of an order that the journal does not record', () => {
  let lookups: ForeignLookups;
  const ID = orderId(7);

  beforeEach(() => {
    lookups = new ForeignLookups(rig.context, reports as never, (id, ms) => void missing.push([id, ms]));
  });

  it('is shared by those who ask at the same time, and made again afterwards', async () => {
    await rig.clock.advance(200);
    const both = Promise.all([lookups.ask(ID), lookups.ask(ID)]);
    expect(rig.asked).toHaveLength(1);
    expect([rig.asked[0]?.args, rig.asked[0]?.options]).toEqual([
      [ID],
      { priority: 'reducing', once: false },
    ]);
    await rig.clock.advance(10);
    await rig.take('order').answer({ closed: true });
    await both;
    expect(reported).toEqual([[{ closed: true }, 'look-up', null, 200]]);
    void lookups.ask(ID, true);
    expect(rig.asked[0]?.options).toEqual({ priority: 'reducing', once: true });
  });

  it.each([
    ['does not have it', NOT_FOUND, false, [['not found', ID]], 1],
    ['does not answer', UNANSWERED, false, [], 0],
    ['does not have it, at the caller’s turn', NOT_FOUND, true, [['not found', ID]], 1],
  ])('ends where the exchange %s', async (_, error, once, expected, absences) => {
    const asked = lookups.ask(ID, once);
    await rig.take('order').fail(error);
    await asked;
    expect([reported, missing.length]).toEqual([expected, absences]);
    expect(rig.warned).toEqual(
      once
        ? []
        : [
            {
              message: 'an order that the journal does not record could not be looked up',
              orderId: ID,
              error,
            },
          ],
    );
    void lookups.ask(ID);
    expect(rig.asked).toHaveLength(1);
  });
});
