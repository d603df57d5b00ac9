import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowsSince } from '../../../src/orders/recovery/updates.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const MINUTE = 60_000;

describe('updates windows', () => {
  it('cover everything up to a minute ago without a gap or overlap, and are at most 70 minutes long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 48 * 60 * MINUTE }), (awayMs) => {
        const now = 1_800_000_000_000;
        const cursor = now - awayMs;
        const windows = windowsSince(cursor, now);
        for (const { fromMs, toMs } of windows) {
          expect(toMs - fromMs).toBeLessThanOrEqual(70 * MINUTE);
          expect(toMs).toBeLessThanOrEqual(now - MINUTE);
        }
        windows.slice(1).forEach(({ fromMs }, at) => expect(fromMs).toBeLessThan(windows[at]!.toMs));
        if (windows.length > 0) {
          expect(windows[0]!.fromMs).toBeLessThan(cursor);
          expect(windows.at(-1)!.toMs).toBeGreaterThan(now - MINUTE - 5_000);
        } else expect(awayMs).toBeLessThan(MINUTE + 10_000);
      }),
    );
  });
});

describe('the drop copy', () => {
  it('finds what the stream never reported, and repairs it', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    const { orderId } = rig.venue.open()[0]!.view;
    // The exchange fills the order without a stream message.
    const { signal } = rig.venue;
    rig.venue.signal = () => undefined;
    rig.venue.fill(orderId, 10_000_000);
    rig.venue.signal = signal;
    expect(rig.fills).toEqual([]);
    await rig.advance(200_000);
    expect(rig.fills.map((fill) => fill.stakeMicros)).toEqual([10_000_000]);
    expect([...rig.manager.orders()].some((order) => order.orderId === orderId)).toBe(false);
  });

  it.each([
    ['ours', 1],
    ['another’s', 0],
  ])('counts a fill that the stream missed as a difference if it is %s', async (whose, differences) => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ options: { durationS: 600 }, metrics });
    await rig.startQuoting(quote());
    const { signal } = rig.venue;
    const order = whose === 'ours' ? rig.venue.open()[0]!.view : rig.venue.placeByHand(BY_HAND);
    rig.venue.signal = () => undefined;
    rig.venue.fill(order.orderId, 1_000_000);
    rig.venue.signal = signal;
    await rig.advance(200_000);
    expect(rig.fills).toHaveLength(1);
    const { text } = await metrics.expose();
    expect(text).toContain(`touchline_orders_differences_total{kind="fill"} ${differences}\n`);
  });
});
