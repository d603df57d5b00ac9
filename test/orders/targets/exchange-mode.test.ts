import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { ExchangeMode } from '../../../src/domain/orders.ts';
import { packLevels } from '../../../src/domain/price-list.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { type Fact, factOf } from '../../../src/orders/journal/records.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const UNINTENDED = /^touchline_orders_unintended_takes_total (\d+)$/m;
/** An offer that an order for 2.22 would take. */
const TAKEN = packLevels([{ price: 2.3, minMicros: null, maxMicros: 500_000_000 }]);

type Intended = Extract<Fact, { kind: 'order_intended' }>;

/** The records before the first byte of each create request. */
const intended = (rig: OrderManagerRig): readonly Intended[] =>
  rig.store.records.map(factOf).filter((fact) => fact.kind === 'order_intended');
/** The contents of the create requests. */
const sent = (rig: OrderManagerRig) => intended(rig).map(({ place }) => place);
const modes = (rig: OrderManagerRig): readonly ExchangeMode[] =>
  Array.from(rig.manager.orders(), ({ mode }) => mode);

describe('the exchange mode of a quote', () => {
  it('appears with its order in request, record and exposure', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote({ mode: 'take_only' }));
    expect(sent(rig)).toMatchObject([{ exchangeMode: 'take_only' }]);
    expect(intended(rig)).toMatchObject([{ mode: 'take_only' }]);
    expect(modes(rig)).toEqual(['take_only']);
  });

  it('is make_and_take by default, which the request omits', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    expect(sent(rig)).toHaveLength(1);
    expect(sent(rig)[0]).not.toHaveProperty('exchangeMode');
    expect(intended(rig)).toMatchObject([{ mode: 'make_and_take' }]);
    expect(modes(rig)).toEqual(['make_and_take']);
  });

  it('stays that of the first request when it is retried', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    let faults = 1;
    rig.venue.fault = (method) => (method === 'placeOrder' && faults-- > 0 ? { kind: 'lost' } : null);
    rig.desire(quote({ mode: 'dark' }));
    await rig.advance(10_000);
    expect(intended(rig)).toMatchObject([
      { mode: 'dark', repeat: false },
      { mode: 'dark', repeat: true },
    ]);
    expect(modes(rig)).toEqual(['dark']);
  });

  it('replaces its order when it changes', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.desire(quote({ mode: 'dark' }));
    await rig.advance(3_000);
    expect(modes(rig)).toEqual(['dark']);
  });

  it('blocks an order whose mode is no longer wanted', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 3_000 } : null);
    rig.desire(quote());
    while (!rig.states().includes('sending')) await rig.advance(10);
    rig.venue.fault = () => null;
    rig.desire(quote({ mode: 'take_only' }));
    await rig.advance(10_000);
    expect(sent(rig).map(({ exchangeMode }) => exchangeMode ?? null)).toEqual([null, 'take_only']);
    expect(modes(rig)).toEqual(['take_only']);
  });
});

describe('an order that is to take', () => {
  const market = () => ({ for: TAKEN, against: TAKEN });

  it.each<[ExchangeMode, number]>([
    ['take_only', 1],
    ['make_and_take', 0],
    ['dark', 0],
  ])('is sent when its mode allows it: %s', async (mode, orders) => {
    const rig = new OrderManagerRig({ market });
    await rig.startQuoting(quote({ mode }));
    expect(rig.venue.open()).toHaveLength(orders);
  });

  it('is sent though the market is stale: its betslip shows the price that it takes', async () => {
    const rig = new OrderManagerRig({ market: () => ({ for: null, against: null }) });
    await rig.startQuoting(quote({ mode: 'take_only' }));
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('is not sent when it would match our own order', async () => {
    const rig = new OrderManagerRig({ market: () => ({ for: [], against: [] }), venue: { quote: () => [] } });
    await rig.startQuoting(quote({ direction: 'against', tick: 90 }));
    rig.desire(quote({ direction: 'against', tick: 90 }), quote({ tick: 85, mode: 'take_only' }));
    await rig.advance(2_000);
    expect(rig.manager.status().waiting).toMatchObject([{ code: 'would_cross_own' }]);
  });
});

describe('a take', () => {
  async function afterTake(mode: ExchangeMode, restart = false) {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ metrics });
    await rig.startQuoting(quote({ mode }));
    if (restart) await rig.restart();
    rig.venue.fill([...rig.venue.held.keys()][0] as OrderId, 10_000_000, 'taker');
    await rig.advance(1);
    rig.desire(quote({ mode }));
    await rig.advance(5_000);
    const { text } = await metrics.expose();
    return { rig, unintended: Number(UNINTENDED.exec(text)?.[1]) };
  }

  it.each([[false], [true]])(
    'is intended with take_only, and its quote goes on (after a restart: %s)',
    async (restart) => {
      const { rig, unintended } = await afterTake('take_only', restart);
      expect([unintended, rig.venue.held.size]).toEqual([0, 2]);
      expect(rig.fills).toMatchObject([{ role: 'taker', mode: 'take_only' }]);
    },
  );

  it.each<[ExchangeMode]>([['make_and_take'], ['dark']])(
    'is not intended with %s, whose quote pauses',
    async (mode) => {
      const { rig, unintended } = await afterTake(mode);
      expect([unintended, rig.venue.held.size]).toEqual([1, 1]);
      expect(rig.fills).toMatchObject([{ role: 'taker', mode }]);
    },
  );
});
