import { describe, expect, it } from 'vitest';
import { VenueRejection } from '../../src/domain/errors.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import type { VenueMethod } from '../support/faulty-calls.ts';
import { quote, OrderManagerRig } from '../support/order-manager-rig.ts';

const REFUSED = new VenueRejection('auth_error', 401, 'refused');
const TEXT = 'the exchange refuses our key: auth_error';

const quotes = (many: number) =>
  Array.from({ length: many }, (_, level) => quote({ level, tick: 110 + level }));

/** From now on the exchange refuses the key. Returns the calls since then. */
function refuse(rig: OrderManagerRig): () => { method: VenueMethod; atMs: number }[] {
  const fromMs = rig.clock.monotonicMs();
  rig.venue.fault = () => ({ kind: 'reject', error: REFUSED });
  return () => rig.venue.calls.filter(({ atMs }) => atMs > fromMs);
}

/** The orders that each request to close several names. */
function closesNamed(rig: OrderManagerRig): OrderId[][] {
  const named: OrderId[][] = [];
  const close = rig.venue.closeMany.bind(rig.venue);
  rig.venue.closeMany = (ids, options) => {
    named.push([...ids]);
    return close(ids, options);
  };
  return named;
}

it('stops for good when a retry is refused because of the key', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  let sent = 0;
  rig.venue.fault = (method) => {
    if (method !== 'placeOrder') return null;
    return sent++ === 0 ? { kind: 'lost' } : { kind: 'reject', error: REFUSED };
  };
  rig.desire(quote());
  await rig.advance(30_000);
  expect(sent).toBe(2);
  expect(rig.manager.status()).toMatchObject({ latched: TEXT, blocked: 'key_refused' });
});

describe('after an answer 401', () => {
  it.each([1, 2, 40])('one close a second leaves, for all of %i orders, and nothing else', async (many) => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...quotes(many));
    expect(rig.venue.open()).toHaveLength(many);
    const named = closesNamed(rig);
    const since = refuse(rig);
    await rig.advance(6_000);
    expect(rig.manager.status().blocked).toBe('key_refused');
    const [first] = since();
    const firstMs = first!.atMs;
    await rig.advance(firstMs + 14_000 - rig.clock.monotonicMs());
    const calls = since();
    const closes = calls.filter(({ method }) => method === 'closeMany');
    // One request of another kind has met the refusal.
    expect(calls.length - closes.length).toBeLessThanOrEqual(2);
    expect(closes.length).toBeGreaterThanOrEqual(13);
    expect(closes.length).toBeLessThanOrEqual(14);
    const gaps = closes.slice(1).map(({ atMs }, at) => atMs - closes[at]!.atMs);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    for (const ids of named) expect(new Set(ids).size).toBe(many);
  });

  it('nothing at all leaves once no order is open', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...quotes(3));
    const since = refuse(rig);
    // A close may go through with a key that may do nothing else.
    rig.venue.fault = (method) => (method === 'closeMany' ? null : { kind: 'reject', error: REFUSED });
    await rig.advance(8_000);
    expect(rig.venue.open()).toEqual([]);
    const atMs = rig.clock.monotonicMs();
    await rig.advance(60_000);
    expect(since().filter((call) => call.atMs > atMs)).toEqual([]);
  });

  it('the heartbeat is left to expire, which closes what the closes did not', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...quotes(2));
    refuse(rig);
    await rig.advance(37_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.manager.openOrders()).toBe(0);
    await rig.advance(60_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
  });

  it('more orders than one request may name are closed in turn', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 3_000, maxInFlight: 1_000 } });
    await rig.startQuoting(...Array.from({ length: 700 }, (_, level) => quote({ level })));
    await rig.advance(5_000);
    expect(rig.venue.open().length).toBe(700);
    const named = closesNamed(rig);
    refuse(rig);
    await rig.advance(10_000);
    expect(named.slice(0, 4).map(({ length }) => length)).toEqual([500, 200, 500, 200]);
    expect(new Set([...named[0]!, ...named[1]!]).size).toBe(700);
  });

  it('raises one alarm while the key is refused', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ metrics });
    await rig.startQuoting(quote());
    refuse(rig);
    await rig.advance(60_000);
    const { text } = await metrics.expose();
    expect(text).toContain('touchline_orders_alarms_total{kind="key_refused"} 1\n');
  });

  it('a restart begins anew: the refusal is of this run only', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    refuse(rig);
    await rig.advance(60_000);
    rig.venue.fault = () => null;
    rig.venue.keyRefusal = null;
    await rig.restart();
    rig.desire(quote());
    await rig.advance(5_000);
    expect(rig.manager.status().latched).toBeNull();
    expect(rig.venue.open()).toHaveLength(1);
  });

  it.each([
    ['another key is in use', (rig: OrderManagerRig) => rig.venue.retryKey()],
    ['a person resumes', (rig: OrderManagerRig) => expect(rig.manager.release('a new key')).toBe(TEXT)],
  ])(
    'all goes on when %s: the account is read anew, a heartbeat armed, and quotes come back',
    async (_, act) => {
      const rig = new OrderManagerRig();
      await rig.startQuoting(...quotes(2));
      refuse(rig);
      await rig.advance(40_000);
      rig.venue.fault = () => null;
      const atMs = rig.clock.monotonicMs();
      act(rig);
      expect(rig.manager.status().latched).toBeNull();
      await rig.advance(15_000);
      expect(rig.venue.calls.find((call) => call.method === 'orders' && call.atMs >= atMs)).toBeDefined();
      expect(rig.manager.status()).toMatchObject({ latched: null, blocked: null });
      expect(rig.venue.open()).toHaveLength(2);
    },
  );

  it('the account is read anew as soon as the key is tried again, though the heartbeat still holds', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    refuse(rig);
    await rig.advance(8_000);
    rig.venue.fault = () => null;
    const atMs = rig.clock.monotonicMs();
    rig.venue.retryKey();
    await rig.advance(1_000);
    expect(rig.venue.calls.some((call) => call.method === 'orders' && call.atMs >= atMs)).toBe(true);
  });

  it('a heartbeat that was not listed yet is not asked for again and again', async () => {
    const rig = new OrderManagerRig();
    rig.venue.fault = (method) =>
      method === 'heartbeats' && rig.venue.heartbeatsHeld.size > 0
        ? { kind: 'reject', error: REFUSED }
        : null;
    await rig.start();
    await rig.advance(10_000);
    expect(rig.manager.status().blocked).toBe('key_refused');
    expect(rig.warnings.filter((message) => message === 'heartbeats could not be listed')).toHaveLength(1);
  });

  it('a key that is refused again stops it again', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    refuse(rig);
    await rig.advance(10_000);
    rig.manager.release('try');
    await rig.advance(5_000);
    expect(rig.manager.status()).toMatchObject({ latched: TEXT, blocked: 'key_refused' });
  });

  it('closes go out as usual again, several at once', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...quotes(5));
    refuse(rig);
    await rig.advance(8_000);
    rig.venue.fault = () => null;
    const named = closesNamed(rig);
    rig.venue.retryKey();
    await rig.advance(3_000);
    expect(named[0]).toHaveLength(5);
  });

  it('a stop ends within its deadline, and leaves the rest to the heartbeat', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    refuse(rig);
    await rig.advance(8_000);
    const drained = rig.manager.drain(5_000);
    await rig.advance(5_500);
    expect(await drained).toMatchObject({ clean: false, heartbeatRemoved: false });
  });
});

it('latches over restarts when the key lacks the right to place', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  const error = new VenueRejection('forbidden', 403, 'forbidden');
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'reject', error } : null);
  rig.desire(quote());
  await rig.advance(5_000);
  expect(rig.manager.status().latched).toBe('the exchange refuses our key: forbidden');
  rig.venue.fault = () => null;
  await rig.restart();
  expect(rig.manager.status().latched).toBe('the exchange refuses our key: forbidden');
});
