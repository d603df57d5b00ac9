import { describe, expect, it } from 'vitest';
import { VenueRejection } from '../../src/domain/errors.ts';
import type { BetslipId } from '../../src/domain/ids.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { orderOptions } from '../../src/orders/options.ts';
import { isClose } from '../support/faulty-calls.ts';
import { BY_HAND, quote, OrderManagerRig } from '../support/order-manager-rig.ts';
import { onlyOpen } from './support/only-open.ts';

const metered = () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const rig = new OrderManagerRig({ metrics });
  const value = async (name: string): Promise<number> => {
    const { text } = await metrics.expose();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? 0);
  };
  return { rig, value };
};
const alarm = (kind: string): string => `touchline_orders_alarms_total{kind="${kind}"}`;

/** The exchange shows the order on other terms, which latches quoting. */
function differ(rig: OrderManagerRig): void {
  rig.venue.emit({ tag: 'order', order: { ...onlyOpen(rig), wantStakeMicros: 99 } });
}

describe('a latch that the journal may not hold', () => {
  const REASON = 'an order differs from the journal';

  it('is kept elsewhere if the journal fails later', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    differ(rig);
    await rig.advance(100);
    expect(rig.unwrittenLatches).toEqual([]);
    rig.manager.journalFailed(new Error('full'));
    expect(rig.unwrittenLatches).toEqual([REASON]);
  });

  it('is kept elsewhere if the journal had failed before', async () => {
    const rig = new OrderManagerRig();
    rig.venue.endsNothing = true;
    await rig.startQuoting(quote());
    rig.manager.journalFailed(new Error('full'));
    expect(rig.unwrittenLatches).toEqual([]);
    differ(rig);
    await rig.advance(100);
    expect(rig.unwrittenLatches).toEqual([REASON]);
  });
});

describe('a journal that fails', () => {
  it('is an alarm, shows in a gauge and in the status, and closes every order', async () => {
    const { rig, value } = metered();
    await rig.startQuoting(quote());
    expect([await value(alarm('journal')), await value('touchline_journal_failed')]).toEqual([0, 0]);
    rig.manager.journalFailed(new Error('full'));
    await rig.advance(1_000);
    expect([await value(alarm('journal')), await value('touchline_journal_failed')]).toEqual([1, 1]);
    expect(rig.manager.status()).toMatchObject({ journalFailed: true, blocked: 'journal_failed' });
    expect(rig.venue.open()).toEqual([]);
  });
});

describe('the status', () => {
  const NEW = {
    blocked: 'not_started',
    latched: null,
    recovered: false,
    journalFailed: false,
    waiting: [],
    heartbeatRemainingMs: 0,
    betslipsOpen: 0,
    betslipCap: 60,
    betslipCapLearned: false,
    ordersPlaced: 0,
    foreign: [],
    missedWakes: 0,
  };

  it('is that of a manager that has not started, and of one that quotes', async () => {
    const rig = new OrderManagerRig();
    expect([rig.manager.status(), rig.manager.openOrders()]).toEqual([NEW, null]);
    await rig.startQuoting(quote());
    const { heartbeatRemainingMs, ...status } = rig.manager.status();
    expect(status).toEqual({
      blocked: null,
      latched: null,
      recovered: true,
      journalFailed: false,
      waiting: [],
      betslipsOpen: 1,
      betslipCap: 60,
      betslipCapLearned: false,
      ordersPlaced: 1,
      foreign: [],
      missedWakes: 0,
    });
    expect(heartbeatRemainingMs).toBeGreaterThan(20_000);
    expect(rig.manager.openOrders()).toBe(1);
  });

  it('has the orders of others, which are none of ours', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const byHand = rig.venue.placeByHand(BY_HAND);
    rig.venue.emit({ tag: 'order', order: byHand });
    await rig.advance(100);
    expect(rig.manager.status().foreign.map(({ orderId }) => orderId)).toEqual([byHand.orderId]);
    expect([rig.manager.isOurs(byHand), rig.manager.isOurs(onlyOurs(rig)), rig.manager.openOrders()]).toEqual(
      [false, true, 1],
    );
  });

  const onlyOurs = (rig: OrderManagerRig) =>
    rig.venue.open().find(({ view }) => view.userData !== null)?.view ?? expect.fail('none of ours is open');

  it('tells a latch, or a refused key where there is none', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.venue.keyRefusal = new VenueRejection('auth_error', 401, 'no');
    expect(rig.manager.status().latched).toContain('auth_error');
    expect(rig.manager.release('drill')).toContain('auth_error');
    expect([rig.venue.keyRefusal, rig.manager.status().latched]).toEqual([null, null]);
    differ(rig);
    await rig.advance(100);
    expect(rig.manager.status().latched).toBe('an order differs from the journal');
    expect(rig.manager.release('drill')).toBe('an order differs from the journal');
    expect([rig.manager.status().latched, rig.manager.release('drill')]).toEqual([null, null]);
    expect(rig.kinds().filter((kind) => kind === 'latch_released')).toHaveLength(1);
  });
});

describe('what an order goes through', () => {
  it('is recorded from its first report on, change by change, with the source', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const { orderId, expiryTimeMs: expiryMs } = onlyOpen(rig);
    const { requestUuid } = rig.orderEvents[0] ?? expect.fail('no order was placed');
    rig.venue.fill(orderId, 4_000_000);
    await rig.advance(100);
    rig.venue.closeByHand(orderId);
    await rig.advance(100);
    const changes = rig.store.records
      .filter(({ kind, uuid }) => kind === 'order_changed' && uuid === requestUuid)
      .map(({ data }) => data);
    expect(changes).toEqual(
      (
        [
          ['live', 0, null],
          ['live', 4_000_000, null],
          ['closed', 4_000_000, 'cancelled'],
        ] as const
      ).map(([state, filledMicros, closeReason]) => ({
        uuid: requestUuid,
        state,
        orderId,
        expiryMs,
        filledMicros,
        closeReason,
        source: 'stream',
      })),
    );
    const states = rig.orderEvents.filter((each) => each.requestUuid === requestUuid);
    expect(states.map(({ state }) => state)).toEqual(['prepared', 'sending', 'live', 'live', 'closed']);
  });

  it('is a difference if only updates show it', async () => {
    const { rig, value } = metered();
    await rig.startQuoting(quote({ lifetimeS: 600 }));
    const { emit } = rig.venue;
    rig.venue.emit = () => undefined;
    rig.manager.stopQuoting('drill');
    rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
    rig.venue.closeByHand(onlyOpen(rig).orderId);
    rig.venue.emit = emit;
    const name = 'touchline_orders_differences_total{kind="closed"}';
    expect(await value(name)).toBe(0);
    rig.venue.fault = (method) => (isClose(method) || method === 'order' ? { kind: 'lost' } : null);
    await rig.advance(180_000);
    expect(await value(name)).toBe(1);
  });
});

describe('too many entries of the account', () => {
  it('count as a lost stream: the account is read again', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const order = onlyOpen(rig);
    const entries = Array.from({ length: 10_001 }, () => ({ tag: 'order', order }) as const);
    const lists = (): number => rig.venue.calls.filter(({ method }) => method === 'orders').length;
    const before = lists();
    rig.venue.emit(...entries);
    await rig.advance(1_000);
    expect([lists() - before, rig.manager.status().blocked]).toEqual([1, null]);
  });
});

describe('the betslips of lay prices', () => {
  it('are known by their ids, and others are not', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const [id] = [...rig.venue.betslips.keys()];
    expect(rig.manager.isLayBetslip(id as BetslipId)).toBe(false);
  });
});

describe('new options', () => {
  it('are in force at once, also for what rests', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote({ tick: 110 }));
    const { orderId } = onlyOpen(rig);
    rig.desire(quote({ tick: 112 }));
    await rig.advance(1_000);
    const next = onlyOpen(rig);
    expect(next.orderId).not.toBe(orderId);
    rig.manager.reconfigure(orderOptions({ toleranceAwayTicks: 9, toleranceTowardTicks: 9 }));
    rig.desire(quote({ tick: 114 }));
    await rig.advance(1_000);
    expect(onlyOpen(rig).orderId).toBe(next.orderId);
    rig.manager.reconfigure(orderOptions());
    await rig.advance(1_000);
    expect(onlyOpen(rig).orderId).not.toBe(next.orderId);
  });
});

describe('a heartbeat that is lost', () => {
  it('is an alarm', async () => {
    const { rig, value } = metered();
    await rig.startQuoting(quote());
    for (const id of rig.venue.heartbeatsHeld.keys()) rig.venue.expireHeartbeat(id);
    await rig.advance(2_000);
    expect(await value(alarm('heartbeat_lost'))).toBe(1);
  });
});
