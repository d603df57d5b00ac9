import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

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

it('books bets of another’s order that arrived before it, each once, and counts none as a fill of ours', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const rig = new OrderManagerRig({ metrics });
  await rig.start();
  const emit = rig.venue.emit.bind(rig.venue);
  rig.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'order'));
  const { orderId } = rig.venue.placeByHand(BY_HAND);
  const bets = [300_000, 200_000].map((micros) => rig.venue.fill(orderId, micros));
  await rig.advance(100);
  expect(rig.fills).toEqual([]);
  const order = rig.venue.held.get(orderId)?.view as VenueOrder;
  await rig.advance(5_000);
  const knownMs = rig.clock.wallMs();
  for (let times = 0; times < 2; times++) {
    emit({ tag: 'order', order: { ...order, bets: order.bets.slice(1) } });
    await rig.advance(100);
    expect(rig.fills.map(({ betId, requestUuid }) => [betId, requestUuid])).toEqual(
      bets.map(({ betId }) => [betId, null]),
    );
    expect(rig.unparked).toEqual([orderId]);
    expect(rig.fills.map(({ atMs }) => atMs)).toEqual([knownMs, knownMs]);
  }
  const [bet] = bets;
  if (bet !== undefined) emit({ tag: 'bet', bet: { ...bet, gotStakeMicros: 1 } });
  const later = rig.venue.fill(orderId, 100_000);
  await rig.advance(100);
  expect(rig.fills.map(({ betId }) => betId)).toEqual([...bets, later].map(({ betId }) => betId));
  expect(rig.kinds().filter((kind) => kind === 'fill_booked')).toHaveLength(3);
  const { text } = await metrics.expose();
  expect(text).toMatch(/touchline_orders_fills_total\{[^}]*\} 0/);
  expect(text).not.toMatch(/touchline_orders_fills_total\{[^}]*\} [1-9]/);
  expect(text).toContain('touchline_orders_alarms_total{kind="bet_changed"} 0\n');
});
