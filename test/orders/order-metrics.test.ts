import { expect, it } from 'vitest';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

it('counts own orders that are not over by state, those of an earlier run too, and none that has gone on', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const active = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.expose()).text.matchAll(
      /^touchline_orders_active\{state="(\w+)"\} (\d+)$/gm,
    );
    return Object.fromEntries(Array.from(lines, ([, state, count]) => [state, Number(count)]));
  };
  const none = { prepared: 0, sending: 0, unknown: 0, live: 0, closing: 0 };
  const desk = new TestDesk({ metrics });
  expect(await active()).toEqual(none);
  await desk.startQuoting(quote(), quote({ direction: 'against', tick: 90 }));
  expect(await active()).toEqual({ ...none, live: 2 });
  await desk.restart();
  expect(await active()).toEqual({ ...none, live: 2 });
  desk.venue.fault = (method) => (method === 'closeOrder' ? { kind: 'lost' } : null);
  desk.manager.stopQuoting('drill');
  await desk.advance(500);
  expect(await active()).toEqual({ ...none, closing: 2 });
  desk.venue.fault = () => null;
  await desk.advance(10_000);
  expect(await active()).toEqual(none);
});
