import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { ExchangeMode } from '../../../src/domain/orders.ts';
import { packLevels } from '../../../src/domain/price-list.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { type Fact, factOf } from '../../../src/orders/journal/records.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

const UNINTENDED = /^touchline_orders_unintended_takes_total (\d+)$/m;
/** An offer that an order for 2.22 would take. */
const TAKEN = packLevels([{ price: 2.3, minMicros: null, maxMicros: 500_000_000 }]);

type Intended = Extract<Fact, { kind: 'order_intended' }>;

/** The records before the first byte of each create request. */
const intended = (desk: TestDesk): readonly Intended[] =>
  desk.store.records.map(factOf).filter((fact) => fact.kind === 'order_intended');
/** The contents of the create requests. */
const sent = (desk: TestDesk) => intended(desk).map(({ place }) => place);
const modes = (desk: TestDesk): readonly ExchangeMode[] =>
  Array.from(desk.manager.orders(), ({ mode }) => mode);

describe('the exchange mode of a quote', () => {
  it('appears with its order in request, record and exposure', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote({ mode: 'take_only' }));
    expect(sent(desk)).toMatchObject([{ exchangeMode: 'take_only' }]);
    expect(intended(desk)).toMatchObject([{ mode: 'take_only' }]);
    expect(modes(desk)).toEqual(['take_only']);
  });

  it('is make_and_take by default, which the request omits', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    expect(sent(desk)).toHaveLength(1);
    expect(sent(desk)[0]).not.toHaveProperty('exchangeMode');
    expect(intended(desk)).toMatchObject([{ mode: 'make_and_take' }]);
    expect(modes(desk)).toEqual(['make_and_take']);
  });

  it('stays that of the first request when it is retried', async () => {
    const desk = new TestDesk();
    await desk.start();
    let faults = 1;
    desk.venue.fault = (method) => (method === 'placeOrder' && faults-- > 0 ? { kind: 'lost' } : null);
    desk.desire(quote({ mode: 'dark' }));
    await desk.advance(10_000);
    expect(intended(desk)).toMatchObject([
      { mode: 'dark', repeat: false },
      { mode: 'dark', repeat: true },
    ]);
    expect(modes(desk)).toEqual(['dark']);
  });

  it('replaces its order when it changes', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.desire(quote({ mode: 'dark' }));
    await desk.advance(3_000);
    expect(modes(desk)).toEqual(['dark']);
  });

  it('blocks an order whose mode is no longer wanted', async () => {
    const desk = new TestDesk();
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 3_000 } : null);
    desk.desire(quote());
    while (!desk.states().includes('sending')) await desk.advance(10);
    desk.venue.fault = () => null;
    desk.desire(quote({ mode: 'take_only' }));
    await desk.advance(10_000);
    expect(sent(desk).map(({ exchangeMode }) => exchangeMode ?? null)).toEqual([null, 'take_only']);
    expect(modes(desk)).toEqual(['take_only']);
  });
});

describe('an order that is to take', () => {
  const market = () => ({ for: TAKEN, against: TAKEN });

  it.each<[ExchangeMode, number]>([
    ['take_only', 1],
    ['make_and_take', 0],
    ['dark', 0],
  ])('is sent when its mode allows it: %s', async (mode, orders) => {
    const desk = new TestDesk({ market });
    await desk.startQuoting(quote({ mode }));
    expect(desk.venue.open()).toHaveLength(orders);
  });

  it('is sent though the market is stale: its betslip shows the price that it takes', async () => {
    const desk = new TestDesk({ market: () => ({ for: null, against: null }) });
    await desk.startQuoting(quote({ mode: 'take_only' }));
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('is not sent when it would match our own order', async () => {
    const desk = new TestDesk({ market: () => ({ for: [], against: [] }), venue: { quote: () => [] } });
    await desk.startQuoting(quote({ direction: 'against', tick: 90 }));
    desk.desire(quote({ direction: 'against', tick: 90 }), quote({ tick: 85, mode: 'take_only' }));
    await desk.advance(2_000);
    expect(desk.manager.status().waiting).toMatchObject([{ code: 'would_cross_own' }]);
  });
});

describe('a take', () => {
  async function afterTake(mode: ExchangeMode, restart = false) {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const desk = new TestDesk({ metrics });
    await desk.startQuoting(quote({ mode }));
    if (restart) await desk.restart();
    desk.venue.fill([...desk.venue.held.keys()][0] as OrderId, 10_000_000, 'taker');
    await desk.advance(1);
    desk.desire(quote({ mode }));
    await desk.advance(5_000);
    const { text } = await metrics.expose();
    return { desk, unintended: Number(UNINTENDED.exec(text)?.[1]) };
  }

  it.each([[false], [true]])(
    'is intended with take_only, and its quote goes on (after a restart: %s)',
    async (restart) => {
      const { desk, unintended } = await afterTake('take_only', restart);
      expect([unintended, desk.venue.held.size]).toEqual([0, 2]);
      expect(desk.fills).toMatchObject([{ role: 'taker', mode: 'take_only' }]);
    },
  );

  it.each<[ExchangeMode]>([['make_and_take'], ['dark']])(
    'is not intended with %s, whose quote pauses',
    async (mode) => {
      const { desk, unintended } = await afterTake(mode);
      expect([unintended, desk.venue.held.size]).toEqual([1, 1]);
      expect(desk.fills).toMatchObject([{ role: 'taker', mode }]);
    },
  );
});
