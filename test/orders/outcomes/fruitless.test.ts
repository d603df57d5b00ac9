import { describe, expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { HeartbeatId, OrderId } from '../../../src/domain/ids.ts';
import { packLevels } from '../../../src/domain/price-list.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import type { VenueMethod } from '../../support/faulty-calls.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const QUOTES = [
  quote(),
  quote({ level: 1, tick: 112 }),
  quote({ direction: 'against', tick: 90 }),
  quote({ direction: 'against', level: 1, tick: 88 }),
];
const MINUTE_MS = 60_000;
const LATCH = (kind: string) => `8 times in a row the exchange accepted what came to nothing: ${kind}`;

const count = (rig: OrderManagerRig, method: VenueMethod, fromMs = 0): number =>
  rig.venue.calls.filter((call) => call.method === method && call.atMs >= fromMs).length;

/** Every order ends as `end` has it, `afterMs` after it was created. */
function ordersEnd(rig: OrderManagerRig, afterMs: number, change: Partial<HeldByVenue['view']>): () => void {
  const seen = new Set<OrderId>();
  const end = (held: HeldByVenue): void => {
    if (held.view.closed) return;
    held.view = { ...held.view, closed: true, status: 'failed', ...change };
    rig.venue.emit({ tag: 'order', order: held.view });
  };
  rig.venue.watch = () => {
    for (const held of rig.venue.open()) {
      if (seen.has(held.view.orderId)) continue;
      seen.add(held.view.orderId);
      rig.clock.after(afterMs, () => end(held));
    }
  };
  return () => {
    rig.venue.watch = () => undefined;
  };
}

async function counters(metrics: ReturnType<typeof createPrometheusMetrics>, name: string): Promise<number> {
  const { text } = await metrics.expose();
  const line = text.split('\n').find((each) => each.startsWith(name));
  return Number(line?.split(' ').at(-1));
}

describe('orders that the exchange accepts and ends', () => {
  it.each([
    ['at once, for an unknown reason', 0, { closeReason: 'nobody_knows' }],
    ['at once, as if it had lapsed', 0, { closeReason: 'timed_out' }],
    ['at once, without a reason', 0, { closeReason: null }],
    ['at once, as done without a fill', 0, { status: 'done', closeReason: 'order_filled' }],
    ['after a second', 1_000, { closeReason: 'nobody_knows' }],
    ['after nearly five seconds', 4_900, { closeReason: 'event_concluded' }],
  ])('%s are placed ever more rarely, and in the end no more', async (_, afterMs, change) => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ metrics });
    ordersEnd(rig, afterMs, change);
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(20_000);
    expect(count(rig, 'placeOrder')).toBeLessThanOrEqual(16);
    expect(rig.manager.status().latched).toBeNull();
    expect(await counters(metrics, 'touchline_orders_fruitless_total{kind="order"}')).toBeGreaterThan(4);
    await rig.advance(40_000);
    expect(await counters(metrics, 'touchline_orders_alarms_total{kind="fruitless"}')).toBeGreaterThanOrEqual(
      1,
    );
    await rig.advance(4 * MINUTE_MS);
    expect(rig.manager.status().latched).toBe(LATCH('order'));
    expect(rig.manager.status().blocked).toBe(`latched: ${LATCH('order')}`);
    expect(count(rig, 'placeOrder')).toBeLessThanOrEqual(28);
    const atMs = rig.clock.monotonicMs();
    await rig.advance(5 * MINUTE_MS);
    expect(count(rig, 'placeOrder', atMs)).toBe(0);
    expect(rig.fatals).toEqual([]);
  });

  it.each([
    ['after a fill of a cent', 10_000, 'success', 'order'],
    ['after a fill of less than a tenth', 990_000, 'success', 'order'],
    ['filled by half, and the bet is voided at once', 5_000_000, 'void', 'bet'],
    ['filled as a whole, and the bet fails at once', 10_000_000, 'failed', 'bet'],
  ])('%s are placed ever more rarely, and in the end no more', async (_, stakeMicros, becomes, kind) => {
    const rig = new OrderManagerRig();
    const seen = new Set<OrderId>();
    rig.venue.watch = () => {
      for (const held of rig.venue.open()) {
        if (seen.has(held.view.orderId)) continue;
        seen.add(held.view.orderId);
        rig.clock.after(10, () => {
          rig.venue.fill(held.view.orderId, stakeMicros);
          held.view = { ...held.view, closed: true, status: 'done', closeReason: 'odd', stakeMicros };
          rig.venue.emit({ tag: 'order', order: held.view });
        });
        rig.clock.after(510, () => {
          const bets = held.view.bets.map((bet) => ({ ...bet, statusCode: becomes }));
          held.view = { ...held.view, bets };
          if (becomes !== 'success') rig.venue.emit({ tag: 'order', order: held.view });
        });
      }
    };
    await rig.start();
    rig.desire(...QUOTES);
    // The first two rounds have to become known: this exchange has no limit of orders a second.
    await rig.advance(3_000);
    const atMs = rig.clock.monotonicMs();
    await rig.advance(17_000);
    expect(count(rig, 'placeOrder', atMs)).toBeLessThanOrEqual(16);
    await rig.advance(6 * MINUTE_MS);
    expect(rig.manager.status().latched).toBe(LATCH(kind));
    expect(rig.fatals).toEqual([]);
  });

  it('filled as a whole, with bets that stand, are followed at once', async () => {
    const rig = new OrderManagerRig();
    const seen = new Set<OrderId>();
    rig.venue.watch = () => {
      for (const { view } of rig.venue.open()) {
        if (seen.has(view.orderId)) continue;
        seen.add(view.orderId);
        rig.clock.after(10, () => rig.venue.fill(view.orderId, 10_000_000));
      }
    };
    await rig.start();
    rig.desire(quote());
    await rig.advance(60_000);
    expect(rig.warnings).not.toContain('what the exchange had accepted came to nothing');
    expect(count(rig, 'placeOrder')).toBeGreaterThan(20);
  });

  it('are placed again within a minute, and as before, once they rest', async () => {
    const rig = new OrderManagerRig();
    const stop = ordersEnd(rig, 0, { closeReason: 'nobody_knows' });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(20_000);
    stop();
    await rig.advance(MINUTE_MS);
    expect(rig.venue.open().length).toBeGreaterThan(0);
    await rig.advance(15_000);
    expect(rig.venue.open()).toHaveLength(4);
    expect(rig.manager.status().latched).toBeNull();
  });

  it('hold after a latch until a person resumes, over a restart', async () => {
    const rig = new OrderManagerRig();
    const stop = ordersEnd(rig, 0, { closeReason: 'nobody_knows' });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(5 * MINUTE_MS);
    stop();
    await rig.restart();
    rig.desire(...QUOTES);
    const atMs = rig.clock.monotonicMs();
    await rig.advance(MINUTE_MS);
    expect(count(rig, 'placeOrder', atMs)).toBe(0);
    expect(rig.manager.release('looked at it')).toBe(LATCH('order'));
    await rig.advance(5_000);
    expect(rig.venue.open()).toHaveLength(4);
  });

  it('begin anew after a person resumed: one more failure does not latch', async () => {
    const rig = new OrderManagerRig();
    ordersEnd(rig, 0, { closeReason: 'nobody_knows' });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(5 * MINUTE_MS);
    rig.manager.release('try again');
    const atMs = rig.clock.monotonicMs();
    await rig.advance(5_000);
    expect(rig.manager.status().latched).toBeNull();
    expect(count(rig, 'placeOrder', atMs)).toBeGreaterThan(2);
    await rig.advance(5 * MINUTE_MS);
    expect(rig.manager.status().latched).toBe(LATCH('order'));
  });

  it('of one market leave the others alone', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 20 } });
    const seen = new Set<OrderId>();
    rig.venue.watch = () => {
      for (const held of rig.venue.open()) {
        if (held.view.betType !== 'against,h' || seen.has(held.view.orderId)) continue;
        seen.add(held.view.orderId);
        held.view = { ...held.view, closed: true, status: 'failed', closeReason: 'odd' };
        rig.venue.emit({ tag: 'order', order: held.view });
      }
    };
    await rig.start();
    rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
    let covered = 0;
    await rig.advance(10_000);
    for (let second = 0; second < 300; second++) {
      await rig.advance(1_000);
      covered += rig.venue.open().length > 0 ? 1 : 0;
    }
    expect(covered).toBeGreaterThan(290);
    expect(rig.manager.status().latched).toBeNull();
    expect(seen.size).toBeLessThan(30);
    expect(seen.size).toBeGreaterThan(3);
  });

  it('vanish count as well, though their end is known late', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 10 } });
    const forget = new VenueRejection('not_found', 404, 'not found');
    rig.venue.endsNothing = true;
    rig.venue.fault = (method) =>
      method === 'order' || method === 'trackedOrder' ? { kind: 'reject', error: forget } : null;
    await rig.start();
    rig.desire(quote());
    await rig.advance(30 * MINUTE_MS);
    expect(rig.warnings).toContain('what the exchange had accepted came to nothing');
    expect(rig.manager.status().latched).toBe(LATCH('report'));
    // Each pause is twice as long as the one before, beside what it takes to learn of the end.
    const placed = rig.venue.calls.filter(({ method }) => method === 'placeOrder').map(({ atMs }) => atMs);
    const gaps = placed.slice(1).map((atMs, at) => atMs - (placed[at] ?? 0));
    expect(Math.max(...gaps)).toBeGreaterThan(Math.min(...gaps) + 30_000);
  });
});

describe('what is no reason to slow down', () => {
  /** Whether anything was noted as fruitless. */
  const noted = (rig: OrderManagerRig): boolean =>
    rig.warnings.includes('what the exchange had accepted came to nothing');

  it.each([
    ['lapse at their end', 60],
    ['lapse at the end of a short life', 4],
  ])('orders that %s', async (_, durationS) => {
    const rig = new OrderManagerRig({ options: { durationS, renewLeadMs: 0 } });
    await rig.startQuoting(...QUOTES);
    await rig.advance(5 * MINUTE_MS);
    expect(noted(rig)).toBe(false);
    expect(count(rig, 'placeOrder')).toBeGreaterThanOrEqual(4 * Math.floor(290 / (durationS + 1)));
  });

  it('orders that we close to quote anew, many times a minute', async () => {
    const prices = () => packLevels([{ price: 1.5, minMicros: null, maxMicros: 500_000_000 }]);
    const rig = new OrderManagerRig({
      market: () => ({ for: prices(), against: null }),
      venue: { quote: prices },
    });
    await rig.startQuoting(quote());
    for (let at = 0; at < 100; at++) {
      rig.desire(quote({ tick: 110 + 5 * (at % 2) }));
      await rig.advance(700);
    }
    expect(noted(rig)).toBe(false);
    expect(count(rig, 'placeOrder')).toBeGreaterThan(90);
  });

  it('orders that are filled at once, wholly or in part', async () => {
    const rig = new OrderManagerRig();
    const seen = new Set<OrderId>();
    rig.venue.watch = () => {
      for (const { view } of rig.venue.open()) {
        if (seen.has(view.orderId)) continue;
        seen.add(view.orderId);
        rig.clock.after(20, () => rig.venue.fill(view.orderId, seen.size % 2 === 0 ? 10_000_000 : 4_000_000));
        rig.clock.after(40, () => {
          if (rig.venue.held.get(view.orderId)?.view.closed === false) rig.venue.closeByHand(view.orderId);
        });
      }
    };
    await rig.start();
    for (let at = 0; at < 30; at++) {
      rig.desire(quote());
      await rig.advance(500);
    }
    expect(noted(rig)).toBe(false);
    expect(rig.manager.status().latched).toBeNull();
  });

  it('does not pause for an order that the exchange ends now and then', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...QUOTES);
    for (let minute = 0; minute < 20; minute++) {
      await rig.advance(MINUTE_MS - 5_000);
      const [held] = rig.venue.open();
      rig.venue.closeByHand(held!.view.orderId);
      await rig.advance(5_000);
      expect(rig.venue.open().length).toBeGreaterThanOrEqual(4);
    }
    expect(rig.manager.status().latched).toBeNull();
  });
});

describe('betslips that the exchange closes', () => {
  it.each([
    ['at once', 10],
    ['after two seconds', 2_000],
    ['after nearly five seconds', 4_900],
  ])('%s are requested ever more rarely, in the end once a minute', async (_, afterMs) => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new OrderManagerRig({ metrics, venue: { quoteDelayMs: 60_000 } });
    const create = rig.venue.createBetslip.bind(rig.venue);
    rig.venue.createBetslip = async (request, options) => {
      const made = await create(request, options);
      rig.clock.after(afterMs, () => {
        rig.venue.betslips.delete(made.betslipId);
        rig.venue.emit({ tag: 'betslip_closed', betslipId: made.betslipId, closeReason: 'odd' });
      });
      return made;
    };
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(20_000);
    expect(count(rig, 'createBetslip')).toBeLessThanOrEqual(10);
    await rig.advance(5 * MINUTE_MS);
    expect(await counters(metrics, 'touchline_orders_alarms_total{kind="fruitless"}')).toBeGreaterThan(0);
    expect(rig.manager.status().latched).toBeNull();
    const atMs = rig.clock.monotonicMs();
    await rig.advance(60 * MINUTE_MS);
    expect(count(rig, 'createBetslip', atMs)).toBeLessThanOrEqual(61);
    expect(count(rig, 'createBetslip', atMs)).toBeGreaterThan(40);
  });

  it('without a word, so that their refresh does not find them, are requested ever more rarely', async () => {
    const rig = new OrderManagerRig({ venue: { quoteDelayMs: 60_000, betslipLifeMs: 100 } });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(20_000);
    expect(count(rig, 'createBetslip')).toBeLessThanOrEqual(12);
    const atMs = rig.clock.monotonicMs();
    await rig.advance(10 * MINUTE_MS);
    expect(count(rig, 'createBetslip', atMs)).toBeLessThanOrEqual(20);
  });

  it('after an order was sent on them cost no pause', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 10 } });
    const place = rig.venue.placeOrder.bind(rig.venue);
    rig.venue.placeOrder = async (order, options) => {
      const placed = await place(order, options);
      rig.clock.after(50, () => {
        rig.venue.betslips.delete(order.betslipId);
        rig.venue.emit({ tag: 'betslip_closed', betslipId: order.betslipId, closeReason: 'odd' });
      });
      return placed;
    };
    await rig.startQuoting(quote());
    await rig.advance(2 * MINUTE_MS);
    expect(rig.warnings).not.toContain('what the exchange had accepted came to nothing');
    expect(rig.venue.open().length).toBeGreaterThan(0);
    expect(count(rig, 'createBetslip')).toBeGreaterThan(10);
  });
});

describe('betslips that bore fruit', () => {
  /** Closes each betslip so many ms after it was opened. */
  const closedAfter = (rig: OrderManagerRig, afterMs: number): void => {
    const create = rig.venue.createBetslip.bind(rig.venue);
    rig.venue.createBetslip = async (request, options) => {
      const made = await create(request, options);
      rig.clock.after(afterMs, () => {
        rig.venue.betslips.delete(made.betslipId);
        rig.venue.emit({ tag: 'betslip_closed', betslipId: made.betslipId, closeReason: 'odd' });
      });
      return made;
    };
  };
  const noted = (rig: OrderManagerRig): boolean => rig.warned.some(({ kind }) => kind === 'betslip');

  it.each([
    [4_900, true],
    [5_100, false],
    [20_000, false],
  ])('did so by lasting: those that end after %d ms came to nothing: %s', async (afterMs, isNoted) => {
    const rig = new OrderManagerRig({ venue: { quoteDelayMs: 60_000 } });
    closedAfter(rig, afterMs);
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(MINUTE_MS);
    expect(noted(rig)).toBe(isNoted);
  });

  it('end the trouble of the others', async () => {
    const rig = new OrderManagerRig({ venue: { quoteDelayMs: 60_000 } });
    const create = rig.venue.createBetslip.bind(rig.venue);
    let lifeMs = 10;
    rig.venue.createBetslip = async (request, options) => {
      const made = await create(request, options);
      rig.clock.after(lifeMs, () => {
        rig.venue.betslips.delete(made.betslipId);
        rig.venue.emit({ tag: 'betslip_closed', betslipId: made.betslipId, closeReason: 'odd' });
      });
      return made;
    };
    await rig.start();
    rig.desire(quote());
    await rig.advance(12_000);
    const pauses = () => rig.warned.flatMap(({ kind, pauseMs }) => (kind === 'betslip' ? [pauseMs] : []));
    expect(pauses().slice(0, 3)).toEqual([0, 2_000, 4_000]);
    const before = pauses().length;
    lifeMs = 6_000;
    await rig.advance(20_000);
    lifeMs = 10;
    for (let ms = 0; pauses().length === before && ms < 60_000; ms += 100) await rig.advance(100);
    expect(pauses()[before]).toBe(0);
  });

  it('are not those that we delete ourselves, though the stream tells of their end first', async () => {
    const rig = new OrderManagerRig({
      options: { betslips: { idleMs: 300 } },
      venue: { quoteDelayMs: 60_000 },
    });
    const remove = rig.venue.deleteBetslip.bind(rig.venue);
    let deleted = 0;
    rig.venue.deleteBetslip = async (betslipId, options) => {
      await remove(betslipId, options);
      deleted++;
      rig.venue.emit({ tag: 'betslip_closed', betslipId, closeReason: 'deleted' });
      await new Promise<void>((resolve) => void rig.clock.after(200, resolve));
    };
    await rig.start();
    for (let at = 0; at < 5; at++) {
      rig.desire(quote());
      await rig.advance(1_000);
      rig.desire();
      await rig.advance(2_500);
    }
    expect(deleted).toBeGreaterThan(3);
    expect(noted(rig)).toBe(false);
  });

  it('did so by an order, even if it is over when they end', async () => {
    const rig = new OrderManagerRig();
    closedAfter(rig, 3_000);
    await rig.start();
    for (let at = 0; at < 6; at++) {
      rig.desire(quote());
      for (let ms = 0; rig.venue.open().length === 0 && ms < 2_000; ms += 50) await rig.advance(50);
      rig.desire();
      await rig.advance(10_000);
    }
    expect(count(rig, 'placeOrder')).toBe(6);
    expect(noted(rig)).toBe(false);
  });
});

describe('heartbeats that are gone while they are proven to hold', () => {
  it('now and then are no trouble, if the others outlive their timeout', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    for (let at = 0; at < 12; at++) {
      await rig.advance(100_000);
      rig.venue.heartbeatsHeld.delete([...rig.venue.heartbeatsHeld.keys()][0] as HeartbeatId);
    }
    await rig.advance(30_000);
    expect(rig.warned.filter(({ kind }) => kind === 'heartbeat')).toHaveLength(12);
    expect(rig.manager.status().latched).toBeNull();
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    expect(rig.warned.filter(({ kind }) => kind === 'heartbeat').map(({ pauseMs }) => pauseMs)).toEqual(
      Array(12).fill(0),
    );
  });

  it.each([
    ['before they are listed', 0],
    ['before their first refresh', 4_000],
    ['after some refreshes', 20_000],
  ])('%s are created ever more rarely, and in the end no more', async (_, afterMs) => {
    const rig = new OrderManagerRig();
    const create = rig.venue.createHeartbeat.bind(rig.venue);
    rig.venue.createHeartbeat = async (timeoutS, options) => {
      const made = await create(timeoutS, options);
      rig.clock.after(afterMs, () => void rig.venue.heartbeatsHeld.delete(made.heartbeatId));
      return made;
    };
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(20_000);
    expect(count(rig, 'createHeartbeat')).toBeLessThanOrEqual(7);
    await rig.advance(10 * MINUTE_MS);
    expect(rig.manager.status().latched).toBe(LATCH('heartbeat'));
  });

  it('once are replaced at once', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const [id] = rig.venue.heartbeatsHeld.keys();
    rig.venue.heartbeatsHeld.delete(id as HeartbeatId);
    await rig.advance(7_000);
    expect(count(rig, 'createHeartbeat')).toBe(2);
    expect(rig.manager.status().heartbeatRemainingMs).toBeGreaterThan(20_000);
  });

  it('replaces heartbeats that ran out in an outage at once, however often', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    for (let at = 0; at < 10; at++) {
      rig.venue.fault = () => ({ kind: 'lost' });
      await rig.advance(40_000);
      rig.venue.fault = () => null;
      await rig.advance(20_000);
      expect(rig.manager.status().heartbeatRemainingMs).toBeGreaterThan(10_000);
    }
    expect(rig.manager.status().latched).toBeNull();
  });
});

it('tells a person when acknowledged closes leave an order open, closes on, and places nothing beside it', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const rig = new OrderManagerRig({ metrics, options: { durationS: 600 } });
  await rig.startQuoting(quote());
  rig.venue.endsNothing = true;
  rig.desire(quote({ level: 1, tick: 130 }));
  await rig.advance(10_000);
  rig.desire(quote({ level: 2, tick: 150 }));
  await rig.advance(20_000);
  expect(await counters(metrics, 'touchline_orders_alarms_total{kind="fruitless"}')).toBe(1);
  expect(count(rig, 'placeOrder')).toBe(2);
  const atMs = rig.clock.monotonicMs();
  await rig.advance(20_000);
  expect(count(rig, 'closeOrder', atMs)).toBeGreaterThanOrEqual(3);
  expect(rig.manager.status().latched).toBeNull();
  rig.venue.endsNothing = false;
  await rig.advance(10_000);
  expect(rig.venue.open()).toHaveLength(1);
  expect(count(rig, 'placeOrder')).toBe(3);
});

it('places beside no order that cannot be closed, and again as soon as that one has lapsed by itself', async () => {
  const rig = new OrderManagerRig({ options: { durationS: 40 } });
  await rig.startQuoting(quote());
  const [held] = rig.venue.open();
  rig.venue.endsNothing = true;
  rig.desire(quote({ level: 1, tick: 130 }));
  await rig.advance(20_000);
  expect(count(rig, 'placeOrder')).toBeLessThanOrEqual(2);
  const placed = count(rig, 'placeOrder');
  rig.venue.fault = (method) => (method.startsWith('close') ? { kind: 'lost' } : null);
  for (const open of rig.venue.open()) {
    open.view = { ...open.view, closed: true, closeReason: 'timed_out' };
    rig.venue.emit({ tag: 'order', order: open.view });
  }
  expect(held?.view.closed).toBe(true);
  await rig.advance(5_000);
  expect(count(rig, 'placeOrder')).toBeGreaterThan(placed);
});

describe('an order that the exchange ends before half of its life', () => {
  const lives = [10, 30, 60, 110] as const;
  it.each(lives.flatMap((durationS) => [0.2, 0.45].map((share) => [share, durationS] as const)))(
    'did not rest: after %d of %d s',
    async (share, durationS) => {
      const rig = new OrderManagerRig({ options: { durationS } });
      ordersEnd(rig, share * durationS * 1_000, { closeReason: 'nobody_knows' });
      await rig.start();
      rig.desire(...QUOTES);
      for (let minute = 0; minute < 40 && rig.manager.status().latched === null; minute++)
        await rig.advance(MINUTE_MS);
      expect(rig.manager.status().latched).toBe(LATCH('order'));
      expect(count(rig, 'placeOrder')).toBeLessThan(40);
    },
  );

  it.each(lives)('rested if it ends later, after more than half of %d s', async (durationS) => {
    const rig = new OrderManagerRig({ options: { durationS } });
    ordersEnd(rig, 0.55 * durationS * 1_000, { closeReason: 'nobody_knows' });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(20 * durationS * 500);
    expect(rig.warnings).not.toContain('what the exchange had accepted came to nothing');
    expect(count(rig, 'placeOrder')).toBeGreaterThan(20);
  });

  it('rested if it stood a minute, however long it was to live', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    ordersEnd(rig, 61_000, { closeReason: 'nobody_knows' });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(20 * MINUTE_MS);
    expect(rig.warnings).not.toContain('what the exchange had accepted came to nothing');
  });

  /** Every other order we close ourselves, at this age; the exchange ends the others after a second. Returns whether that latches. */
  async function latchesBeside(ourCloseMs: number): Promise<boolean> {
    const rig = new OrderManagerRig({ options: { durationS: 60 } });
    await rig.start();
    const opened = async (tick: number): Promise<OrderId | undefined> => {
      rig.desire(quote({ tick }));
      const before = rig.venue.held.size;
      for (let ms = 0; rig.venue.held.size === before && ms < 2 * MINUTE_MS; ms += 100)
        await rig.advance(100);
      return rig.venue.open()[0]?.view.orderId;
    };
    for (let round = 0; round < 12; round++) {
      await opened(110);
      await rig.advance(ourCloseMs);
      // We replace it.
      const next = await opened(115);
      await rig.advance(1_000);
      if (next !== undefined) rig.venue.closeByHand(next);
    }
    return rig.manager.status().latched !== null;
  }

  it.each([
    [2_000, true],
    [4_800, true],
    [5_500, false],
    [20_000, false],
  ])(
    'is outweighed by an order that we close, if that has rested for some seconds: %d ms',
    async (ms, isLatched) => {
      expect(await latchesBeside(ms)).toBe(isLatched);
    },
  );
});

describe('a close that was acknowledged', () => {
  it.each(['order', 'orders'] as const)(
    'is not said to have no effect because look-ups (%s) fail',
    async (method) => {
      const rig = new OrderManagerRig({ options: { durationS: 600 } });
      await rig.startQuoting(quote());
      rig.venue.endsNothing = true;
      rig.venue.fault = (asked) => (asked === method ? { kind: 'lost' } : null);
      rig.desire(quote({ level: 1, tick: 130 }));
      await rig.advance(30_000);
      const said = rig.warned.filter(({ kind }) => kind === 'close');
      expect(said.length > 0).toBe(method !== 'order');
    },
  );
});

describe('an order that could not be closed', () => {
  /** Rounds of closes that left the order open, as a person is told. */
  const failures = (rig: OrderManagerRig): number =>
    rig.warned.filter(({ kind, reason }) => kind === 'close' && reason === 'the order is still open').length;
  it('is told of once two closes were acknowledged, and the look-up after each showed the order open', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    rig.venue.endsNothing = true;
    rig.desire(quote({ level: 1, tick: 130 }));
    for (let waited = 0; failures(rig) < 2 && waited < 60_000; waited += 10) await rig.advance(10);
    expect([failures(rig), count(rig, 'closeOrder'), count(rig, 'order')]).toEqual([2, 2, 2]);
  });
  // The next close may be a moment ahead, so that the last one is older than the failure.
  const moments = [1, 100, 260, 400].map((afterMs) => [2, afterMs] as const);
  const later = [3, 4].map((rounds) => [rounds, 1] as const);
  it.each([...moments, ...later])(
    'delays nothing once it has ended, whatever ended it, %d rounds and %d ms after the last',
    async (rounds, afterMs) => {
      for (const ending of ['lapse', 'look-up', 'fill'] as const) {
        const rig = new OrderManagerRig({ options: { durationS: 600 } });
        await rig.startQuoting(quote());
        const stuck = rig.venue.open()[0] as HeldByVenue;
        rig.venue.endsNothing = true;
        rig.desire(quote({ level: 1, tick: 130 }));
        for (let waited = 0; failures(rig) < rounds && waited < 60_000; waited += 10) await rig.advance(10);
        expect(failures(rig)).toBe(rounds);
        const placed = count(rig, 'placeOrder');
        rig.desire(quote({ level: 1, tick: 130 }), quote({ level: 2, tick: 150 }));
        await rig.advance(afterMs);
        rig.venue.endsNothing = false;
        // Closes get no answer: only the end itself tells that nothing is left to close.
        rig.venue.fault = (method) => (method.startsWith('close') ? { kind: 'lost' } : null);
        if (ending === 'look-up') rig.venue.connected = false;
        if (ending === 'fill') rig.venue.fill(stuck.view.orderId, 1e9);
        else stuck.view = { ...stuck.view, closed: true, closeReason: 'timed_out' };
        rig.venue.emit({ tag: 'order', order: stuck.view });
        rig.venue.connected = true;
        await rig.advance(5_000);
        expect([ending, count(rig, 'placeOrder') > placed]).toEqual([ending, true]);
      }
    },
  );
});
