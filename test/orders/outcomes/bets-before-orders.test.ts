import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueBet } from '../../../src/domain/orders.ts';
import { ParkedBets } from '../../../src/orders/outcomes/execution-reports.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const MOST_ORDERS = 3;

const step = fc.record({ orderId: fc.integer({ min: 1, max: 5 }), takes: fc.boolean() });

it('keeps every bet until its order is known, in the order of arrival', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const parked = new ParkedBets(MOST_ORDERS);
      /** Waiting orders, the longest wait first. */
      const waiting = new Map<number, number[]>();
      for (const [betId, { orderId, takes }] of steps.entries()) {
        if (takes) {
          expect(parked.take(orderId as OrderId).map((bet) => bet.betId)).toEqual(waiting.get(orderId) ?? []);
          waiting.delete(orderId);
          continue;
        }
        parked.park({ orderId, betId } as unknown as VenueBet);
        const [longest] = waiting.keys();
        if (!waiting.has(orderId) && waiting.size >= MOST_ORDERS) waiting.delete(longest ?? 0);
        waiting.set(orderId, [...(waiting.get(orderId) ?? []), betId]);
      }
    }),
  );
});

/**
 * An order that the stream does not report. Its create is answered late, with the order as it was created.
 */
async function rigWithUnreportedOrder() {
  const rig = new OrderManagerRig();
  await rig.start();
  const { venue } = rig;
  const [place, emit] = [venue.placeOrder.bind(venue), venue.emit.bind(venue)];
  const answered = Promise.withResolvers<undefined>();
  venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'order'));
  venue.placeOrder = async (order, options) => {
    const created = await place(order, options);
    await answered.promise;
    return created;
  };
  rig.desire(quote());
  for (let waitedMs = 0; venue.held.size === 0; waitedMs += 10) {
    expect(waitedMs).toBeLessThan(2_000);
    await rig.advance(10);
  }
  const [orderId] = venue.held.keys();
  return { rig, orderId: orderId as OrderId, answer: () => answered.resolve(undefined) };
}

it('books all bets that arrived before their order as soon as it is known, each once', async () => {
  const stakes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(stakes, fc.nat(8), async (matched, answeredAfter) => {
      const { rig, orderId, answer } = await rigWithUnreportedOrder();
      const fill = (stake: number): void => void rig.venue.fill(orderId, stake * 100_000);
      const [before, after] = [matched.slice(0, answeredAfter), matched.slice(answeredAfter)];
      before.forEach(fill);
      await rig.advance(1);
      expect(rig.fills).toEqual([]);
      answer();
      await rig.advance(1);
      const booked = () => rig.fills.map(({ stakeMicros }) => stakeMicros / 100_000);
      expect(booked()).toEqual(before);
      after.forEach(fill);
      await rig.advance(60_000);
      expect([booked(), rig.fatals]).toEqual([matched, []]);
    }),
    { numRuns: 40 },
  );
});
