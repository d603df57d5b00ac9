import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { TurnMetrics } from '../../src/engine/turn-metrics.ts';
import { orderMetrics } from '../../src/orders/state/order-metrics.ts';
import { type Metrics, noMetrics } from '../../src/ports/metrics.ts';

/** The bounds of each histogram that a part makes, by its name. */
function boundsOf(make: (metrics: Metrics) => unknown): readonly (readonly [string, readonly number[]])[] {
  const bounds: [string, readonly number[]][] = [];
  make({
    ...noMetrics,
    histogram: (name, help, buckets, labels) => {
      bounds.push([name, buckets]);
      return noMetrics.histogram(name, help, buckets, labels);
    },
  });
  return bounds;
}

/** From the fastest to the slowest that can be told apart, in seconds. */
const RANGES: Readonly<Record<string, readonly [least: number, most: number, count: number]>> = {
  touchline_engine_turn_seconds: [0.0001, 5, 13],
  touchline_frame_to_intent_seconds: [0.0005, 2.5, 12],
  touchline_frame_to_request_seconds: [0.0005, 2.5, 14],
  touchline_orders_create_seconds: [0.001, 10, 11],
  touchline_orders_close_seconds: [0.001, 10, 11],
};

it.each([
  ...boundsOf((metrics) => new TurnMetrics(metrics, new VirtualClock())),
  ...boundsOf((metrics) => orderMetrics(metrics)),
])('the bounds of %s ascend, by at most five times a step', (name, bounds) => {
  expect([bounds[0], bounds.at(-1), bounds.length]).toEqual(RANGES[name]);
  for (const [at, bound] of bounds.slice(1).entries()) {
    expect(bound).toBeGreaterThan(bounds[at] ?? Infinity);
    expect(bound).toBeLessThanOrEqual(5.000_001 * (bounds[at] ?? 0));
  }
});
