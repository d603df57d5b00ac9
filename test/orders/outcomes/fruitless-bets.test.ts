import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueBet, VenueOrder } from '../../../src/domain/orders.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { EVENT, OrderManagerRig, quote } from '../../support/order-manager-rig.ts';

const MINUTE_MS = 60_000;
const LATCH = '8 times in a row the exchange accepted what came to nothing: bet';
const NOTED = 'what the exchange had accepted came to nothing';

type Change = (held: HeldByVenue, rig: OrderManagerRig) => void;

const show = (held: HeldByVenue, rig: OrderManagerRig, order: Partial<VenueOrder>): void => {
  held.view = { ...held.view, ...order };
  rig.venue.emit({ tag: 'order', order: held.view });
};
const withStatus = (bets: readonly VenueBet[], statusCode: string): readonly VenueBet[] =>
  bets.map((bet) => ({ ...bet, statusCode }));

/** How the exchange takes back what was matched. */
const WAYS: Readonly<Record<string, Change>> = {
  'its bet is void, as its own entry says': ({ view }, rig) => {
    for (const bet of withStatus(view.bets, 'void')) rig.venue.emit({ tag: 'bet', bet });
  },
  'its bet is void, as its order says': (held, rig) =>
    show(held, rig, { bets: withStatus(held.view.bets, 'void') }),
  'its bet fails': (held, rig) => show(held, rig, { bets: withStatus(held.view.bets, 'failed') }),
  'the order is settled as void, bets and all': (held, rig) =>
    show(held, rig, { status: 'full_void', stakeMicros: 0, bets: withStatus(held.view.bets, 'void') }),
  'the order is settled as void, and its bets are shown as before': (held, rig) =>
    show(held, rig, { status: 'full_void' }),
  'the order is settled as partly void': (held, rig) =>
    show(held, rig, {
      status: 'partial_void',
      bets: held.view.bets.map((bet, at) => (at === 0 ? { ...bet, statusCode: 'void' } : bet)),
    }),
  'the order is gone': (held, rig) => show(held, rig, { status: 'failed', stakeMicros: null, bets: [] }),
};

interface Filled {
  /** Share of the stake that is matched. */
  readonly part?: number;
  /** Whether we close the rest, and not the exchange. */
  readonly isOurClose?: boolean;
  /** Which of the orders is taken back, by its number. */
  readonly isTakenBack?: (count: number, view: VenueOrder) => boolean;
  /** From its create to its match. */
  readonly inMs?: number;
}

/** Each order is matched and over at once, and `how` takes it back `afterMs` later. */
function taken(rig: OrderManagerRig, how: Change, afterMs: number, given: Filled = {}): Set<OrderId> {
  const { part = 1, isOurClose = false, isTakenBack = () => true, inMs = 100 } = given;
  const seen = new Set<OrderId>();
  rig.venue.watch = () => {
    for (const held of rig.venue.open()) {
      const { orderId, wantStakeMicros } = held.view;
      if (seen.has(orderId)) continue;
      seen.add(orderId);
      const count = seen.size;
      rig.clock.after(inMs, () => {
        if (held.view.closed) return;
        rig.venue.fill(orderId, (wantStakeMicros * part) / 2);
        rig.venue.fill(orderId, (wantStakeMicros * part) / 2);
        if (part < 1 && !isOurClose) rig.venue.closeByHand(orderId);
        rig.clock.after(afterMs, () => {
          if (held.view.bets.length > 0 && isTakenBack(count, held.view)) how(held, rig);
        });
      });
    }
  };
  return seen;
}

const createsSince = (rig: OrderManagerRig, fromMs: number): number =>
  rig.venue.calls.filter(({ method, atMs }) => method === 'placeOrder' && atMs >= fromMs).length;

/** Creates of each of the next minutes. */
async function perMinute(rig: OrderManagerRig, minutes: number): Promise<readonly number[]> {
  const creates: number[] = [];
  for (let at = 0; at < minutes; at++) {
    const fromMs = rig.clock.monotonicMs();
    await rig.advance(MINUTE_MS);
    creates.push(createsSince(rig, fromMs));
  }
  return creates;
}

const alarmsOf = async (metrics: ReturnType<typeof createPrometheusMetrics>): Promise<number> => {
  const { text } = await metrics.expose();
  const line = text
    .split('\n')
    .find((each) => each.startsWith('touchline_orders_alarms_total{kind="fruitless"}'));
  return Number(line?.split(' ').at(-1));
};

const CASES = Object.entries(WAYS).flatMap(([name, how], at) =>
  [500, 4_000, 6_000, 30_000].map((afterMs, of) => ({
    name,
    how,
    afterMs,
    part: (at + of) % 2 === 0 ? 1 : 0.5,
  })),
);

describe('orders of which the exchange takes back what it matched', () => {
  it.each(CASES)(
    'are placed ever more rarely, and in the end no more: $name, $afterMs ms after $part was matched',
    async ({ how, afterMs, part }) => {
      const metrics = createPrometheusMetrics({ processMetrics: false });
      const rig = new OrderManagerRig({ metrics });
      await rig.start();
      taken(rig, how, afterMs, { part, inMs: 1_000 });
      rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
      // Before the second round is known, nothing shows that it lasts.
      await rig.advance(2 * afterMs + 5_000);
      const creates = await perMinute(rig, 4);
      expect(creates[0]).toBeLessThanOrEqual(8);
      expect(creates[3]).toBeLessThanOrEqual(4);
      await rig.advance(3 * afterMs);
      expect(await alarmsOf(metrics)).toBeGreaterThanOrEqual(1);
      await rig.advance(12 * MINUTE_MS);
      expect(rig.manager.status().latched).toBe(LATCH);
      expect(rig.fatals).toEqual([]);
    },
  );

  it.each([500, 6_000, 30_000])(
    'count as well if we close the rest, %i ms after the match',
    async (afterMs) => {
      const rig = new OrderManagerRig();
      await rig.start();
      taken(rig, WAYS['its bet is void, as its order says'] as Change, afterMs, {
        part: 0.5,
        isOurClose: true,
      });
      for (let at = 0; at < 20 * 60 && rig.manager.status().latched === null; at++) {
        rig.desire(quote({ tick: 110 + 10 * (at % 2) }));
        await rig.advance(1_000);
      }
      expect(rig.manager.status().latched).toBe(LATCH);
    },
  );

  it.each([
    [59_999, true],
    [60_000, false],
  ])('%i ms after their match: counts %s', async (afterMs, counts) => {
    const rig = new OrderManagerRig();
    await rig.start();
    taken(rig, WAYS['its bet fails'] as Change, afterMs, {
      isTakenBack: (count) => count === 1,
      inMs: 9_000,
    });
    rig.desire(quote());
    await rig.advance(2 * MINUTE_MS);
    expect(rig.warnings.includes(NOTED)).toBe(counts);
  });

  it.each([
    [40_000, 59_999, true],
    [59_999, 59_999, true],
    [40_000, 60_000, false],
  ])(
    'whose last part was matched %i ms after the first, %i ms after that: count %s',
    async (gapMs, afterMs, counts) => {
      const rig = new OrderManagerRig({ options: { durationS: 300, renewLeadMs: 0 } });
      await rig.startQuoting(quote());
      const [held] = rig.venue.open();
      rig.venue.fill(held!.view.orderId, 2_000_000);
      await rig.advance(gapMs);
      rig.venue.fill(held!.view.orderId, 2_000_000);
      await rig.advance(afterMs);
      WAYS['its bet fails']?.(held!, rig);
      await rig.advance(100);
      expect(rig.warned.some(({ kind }) => kind === 'bet')).toBe(counts);
    },
  );

  it('count if the exchange no longer knows an order that it had matched in part', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 10, renewLeadMs: 0 } });
    await rig.startQuoting(quote());
    const [held] = rig.venue.open();
    rig.venue.fill(held!.view.orderId, 5_000_000);
    await rig.advance(100);
    rig.venue.endsNothing = true;
    rig.venue.held.clear();
    rig.desire();
    await rig.advance(50_000);
    expect(rig.warned).toContainEqual(expect.objectContaining({ kind: 'bet', reason: 'vanished' }));
  });

  it('leave other markets alone', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ metrics });
    await rig.start();
    const isFirst = (_: number, { betType }: VenueOrder): boolean => betType === 'for,h';
    taken(rig, WAYS['its bet fails'] as Change, 2_000, { isTakenBack: isFirst, inMs: 2_000 });
    const others = [90, 88, 86].map((tick, level) => quote({ direction: 'against', level, tick }));
    rig.desire(quote(), ...others);
    await rig.advance(2 * MINUTE_MS);
    expect(rig.manager.status().latched).toBeNull();
    const placed = rig.store.records.filter(({ kind }) => kind === 'order_intended').slice(-60);
    const [failing, standing] = [true, false].map(
      (is) => placed.filter(({ data }) => (JSON.stringify(data).includes('for,h') as boolean) === is).length,
    );
    expect(standing).toBeGreaterThan(8 * (failing ?? 0));
    expect(await alarmsOf(metrics)).toBe(1);
  });

  it('are placed as before once a fill has stood for a minute', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    let isOn = true;
    taken(rig, WAYS['its bet fails'] as Change, 2_000, { isTakenBack: () => isOn, inMs: 1_000 });
    rig.desire(quote());
    await rig.advance(20_000);
    isOn = false;
    await rig.advance(2 * MINUTE_MS);
    expect((await perMinute(rig, 1))[0]).toBeGreaterThan(30);
    expect(rig.manager.status().latched).toBeNull();
  });

  it('are placed as before once the exchange settles one with a result', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    const settle: Change = (held, its) =>
      show(held, its, { status: 'reconciled', profitLossMicros: 5, stakeMicros: held.view.wantStakeMicros });
    const how: Change = (held, its) =>
      (its.clock.monotonicMs() < 20_000 ? WAYS['its bet fails'] : settle)?.(held, its);
    taken(rig, how, 2_000, { inMs: 1_000 });
    rig.desire(quote());
    await rig.advance(40_000);
    expect((await perMinute(rig, 1))[0]).toBeGreaterThan(30);
  });
});

describe('voids that are no reason to slow down', () => {
  const calm = async (
    rig: OrderManagerRig,
    metrics: ReturnType<typeof createPrometheusMetrics>,
  ): Promise<void> => {
    expect(await alarmsOf(metrics)).toBe(0);
    expect(rig.manager.status().latched).toBeNull();
  };

  it.each(
    [500, 6_000, 30_000].flatMap((afterMs) => [1_500, 4_000, 20_000].map((inMs) => ({ afterMs, inMs }))),
  )('one in ten fills, $afterMs ms after the match, with a fill in $inMs ms', async ({ afterMs, inMs }) => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ metrics });
    await rig.start();
    const seen = taken(rig, WAYS['its bet is void, as its order says'] as Change, afterMs, {
      inMs,
      isTakenBack: (count: number) => count % 10 === 0,
    });
    rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
    await rig.advance(4 * MINUTE_MS);
    await calm(rig, metrics);
    expect(seen.size).toBeGreaterThan((3 * MINUTE_MS) / (inMs + 1_000));
  });

  it('all bets of an event that is abandoned', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ metrics });
    await rig.start();
    const seen = taken(rig, () => undefined, 0, { inMs: 1_000 });
    rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
    await rig.advance(40_000);
    rig.desire();
    await rig.advance(2_000);
    expect(seen.size).toBeGreaterThan(20);
    for (const held of rig.venue.held.values()) {
      expect(held.view.eventId).toBe(EVENT);
      WAYS['the order is settled as void, bets and all']?.(held, rig);
      await rig.advance(100);
    }
    await calm(rig, metrics);
    expect(rig.warnings.filter((line) => line === NOTED).length).toBeLessThanOrEqual(2);
    rig.desire(quote());
    rig.venue.watch = () => undefined;
    await rig.advance(2_000);
    expect(rig.venue.open()).toHaveLength(1);
  });
});
