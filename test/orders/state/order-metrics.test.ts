import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import { ORDER_EVENTS, ORDER_STATES, verdictOf } from '../../../src/domain/lifecycle.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { ALARM_KINDS, orderMetrics } from '../../../src/orders/state/order-metrics.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { type Fault, isClose } from '../../support/faulty-calls.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { slowPlacing } from '../support/slow-placing.ts';

it('counts own open orders by state, including an earlier run’s, and none in a past state', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const active = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.expose()).text.matchAll(
      /^touchline_orders_active\{state="(\w+)"\} (\d+)$/gm,
    );
    return Object.fromEntries(Array.from(lines, ([, state, count]) => [state, Number(count)]));
  };
  const none = { prepared: 0, sending: 0, unknown: 0, live: 0, closing: 0 };
  const rig = new OrderManagerRig({ metrics });
  expect(await active()).toEqual(none);
  await rig.startQuoting(quote(), quote({ direction: 'against', tick: 90 }));
  expect(await active()).toEqual({ ...none, live: 2 });
  await rig.restart();
  expect(await active()).toEqual({ ...none, live: 2 });
  rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  rig.manager.stopQuoting('drill');
  await rig.advance(500);
  expect(await active()).toEqual({ ...none, closing: 2 });
  rig.venue.fault = () => null;
  await rig.advance(10_000);
  expect(await active()).toEqual(none);
});

/** The codes with which the exchange may refuse an order, by its specification. */
const ERROR_CODES = [
  'validation_error',
  'auth_error',
  'forbidden',
  'not_found',
  'order_already_created',
  'limit_reached',
  'throttled',
  'server_error',
  'unavailable',
];

const refused = new VenueRejection('insufficient_balance', 400, 'too little');

it.each<[what: string, fault: Fault | null, wanted: boolean, everyMs: number | null]>([
  ['is answered', null, true, 5],
  ['is refused', { kind: 'reject', error: refused }, true, 5],
  ['never left', { kind: 'not-sent' }, true, null],
  ['is not answered', { kind: 'lost' }, true, null],
  ['is withdrawn while it waits for its budget', null, false, null],
])('times a create request that %s from its first byte on, if at all', async (_, fault, wanted, everyMs) => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const rig = new OrderManagerRig({ metrics });
  const asked = slowPlacing(rig, () => 1_000);
  rig.venue.fault = (method) => (method === 'placeOrder' ? fault : null);
  await rig.start();
  rig.desire(quote());
  while (asked.requests === 0) await rig.advance(100);
  if (!wanted) rig.desire();
  await rig.advance(10_000);
  const { text } = await metrics.expose();
  const metric = (part: string): number =>
    Number(new RegExp(`^touchline_orders_create_seconds_${part} (.+)$`, 'm').exec(text)?.[1]);
  if (everyMs === null) expect(metric('count')).toBe(0);
  else expect((metric('sum') / metric('count')) * 1_000).toBeCloseTo(everyMs);
});

it('counts as placed the orders created in this run, also where the answer was lost', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'answer-lost' } : null);
  rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
  await rig.advance(5_000);
  expect(rig.venue.held.size).toBe(2);
  expect(rig.manager.status().ordersPlaced).toBe(2);
  await rig.restart();
  expect(rig.manager.status().ordersPlaced).toBe(0);
});

it('counts each alarm from 0, so that the first of a kind shows as an increase', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const rig = new OrderManagerRig({ metrics });
  await rig.startQuoting(quote());
  const { text } = await metrics.expose();
  const lines = text.matchAll(/^touchline_orders_alarms_total\{kind="(\w+)"\} 0$/gm);
  expect(Array.from(lines, ([, kind]) => kind)).toEqual([...ALARM_KINDS]);
});

it('raises no alarm for stake that falls because the exchange voids a booked bet', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const overbooked = async (): Promise<string | undefined> =>
    /^touchline_orders_alarms_total\{kind="overbooked"\} (\d+)$/m.exec((await metrics.expose()).text)?.[1];
  const rig = new OrderManagerRig({ metrics });
  await rig.startQuoting(quote());
  const held = rig.venue.open()[0] as HeldByVenue;
  const { orderId } = held.view;
  const [first] = [rig.venue.fill(orderId, 4_000_000), rig.venue.fill(orderId, 3_000_000)];
  rig.venue.closeByHand(orderId);
  await rig.advance(100);
  const bets = held.view.bets.map((bet) =>
    bet.betId === first.betId ? { ...bet, statusCode: 'void', gotStakeMicros: 0 } : bet,
  );
  rig.venue.emit({ tag: 'order', order: { ...held.view, stakeMicros: 3_000_000, bets } });
  await rig.advance(100);
  expect(await overbooked()).toBe('0');
  rig.venue.emit({ tag: 'order', order: { ...held.view, stakeMicros: 2_000_000, bets } });
  await rig.advance(100);
  expect(await overbooked()).toBe('1');
});

it('knows every alarm that the table of states raises', () => {
  const raising = ORDER_EVENTS.filter((event) =>
    ORDER_STATES.some((state) => {
      const verdict = verdictOf(state, event);
      return verdict.kind === 'ignore' && verdict.alarm;
    }),
  );
  expect(ALARM_KINDS).toEqual(expect.arrayContaining(raising));
  expect(raising).not.toEqual([]);
});

it('has the names and labels by which alerting rules and dashboards find them', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const { text } = await metrics.expose();
  expect(text).not.toContain('touchline_orders');
  const all = orderMetrics(metrics);
  all.refusals.inc({ code: 'a_code' });
  all.missedWakes.inc({ code: 'risk' });
  const exposed = (await metrics.expose()).text;
  const types = exposed.matchAll(/^# TYPE (\w+) (\w+)$/gm);
  expect(Object.fromEntries(Array.from(types, ([, name, type]) => [name, type]))).toEqual({
    touchline_orders_changes_total: 'counter',
    touchline_orders_active: 'gauge',
    touchline_orders_fills_total: 'counter',
    touchline_orders_unintended_takes_total: 'counter',
    touchline_orders_alarms_total: 'counter',
    touchline_orders_refusals_total: 'counter',
    touchline_orders_fruitless_total: 'counter',
    touchline_orders_differences_total: 'counter',
    touchline_missed_wakes_total: 'counter',
    touchline_orders_create_seconds: 'histogram',
    touchline_orders_close_seconds: 'histogram',
    touchline_orders_heartbeat_remaining_seconds: 'gauge',
    touchline_orders_betslips_open: 'gauge',
    touchline_orders_betslip_cap: 'gauge',
    touchline_journal_failed: 'gauge',
  });
  const labels = exposed.matchAll(/^(touchline_\w+)\{(\w+)="[a-z_]+"\} /gm);
  expect(Object.fromEntries(Array.from(labels, ([, name, label]) => [name, label]))).toEqual({
    touchline_orders_changes_total: 'state',
    touchline_orders_active: 'state',
    touchline_orders_fills_total: 'role',
    touchline_orders_alarms_total: 'kind',
    touchline_orders_refusals_total: 'code',
    touchline_orders_fruitless_total: 'kind',
    touchline_orders_differences_total: 'kind',
    touchline_missed_wakes_total: 'code',
  });
});

it.each([
  ['refusals_total', 'code', [...ERROR_CODES]],
  ['fills_total', 'role', ['maker', 'taker', 'unknown']],
  ['changes_total', 'state', [...ORDER_STATES]],
  ['differences_total', 'kind', ['fill', ...ORDER_STATES]],
])('counts each known kind of touchline_orders_%s from 0', async (name, label, kinds) => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  orderMetrics(metrics);
  const { text } = await metrics.expose();
  const lines = text.matchAll(new RegExp(`^touchline_orders_${name}\\{${label}="(\\w+)"\\} 0$`, 'gm'));
  expect(Array.from(lines, ([, kind]) => kind)).toEqual(kinds);
});
