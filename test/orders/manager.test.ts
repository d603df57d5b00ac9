import { describe, expect, it } from 'vitest';
import { JournalError } from '../../src/domain/errors.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { packLevels } from '../../src/domain/price-list.ts';
import { sleep } from '../../src/ports/clock.ts';
import { BY_HAND, quote, OrderManagerRig } from '../support/order-manager-rig.ts';
import { onlyOpen } from './support/only-open.ts';
import { slowPlacing } from './support/slow-placing.ts';

describe('the order manager', () => {
  it('places a target quote after the heartbeat and the journal, and shows it live', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    expect(onlyOpen(rig)).toMatchObject({ betType: 'for,h', wantPrice: 2.22, wantStakeMicros: 10_000_000 });
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['live']);
    const methods = rig.venue.calls.map((call) => call.method);
    expect(methods.indexOf('createHeartbeat')).toBeLessThan(methods.indexOf('placeOrder'));
    expect(rig.kinds()).toEqual(
      expect.arrayContaining(['betslip_requested', 'order_intended', 'order_changed']),
    );
    expect(rig.orderEvents.map((order) => order.state)).toEqual(
      expect.arrayContaining(['prepared', 'sending', 'live']),
    );
    expect(rig.fatals).toEqual([]);
  });

  it('closes orders without a target', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.desire();
    await rig.advance(1_000);
    expect(rig.venue.open()).toEqual([]);
    expect([...rig.manager.orders()]).toEqual([]);
  });

  it('keeps one quote resting for ten minutes by renewing, on few betslips', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    let covered = 0;
    for (let second = 0; second < 600; second++) {
      await rig.advance(1_000);
      covered += rig.venue.open().length > 0 ? 1 : 0;
      expect(rig.venue.open().length).toBeLessThanOrEqual(2);
    }
    expect(covered).toBe(600);
    expect(rig.venue.calls.filter((call) => call.method === 'createBetslip')).toHaveLength(1);
    expect(rig.fatals).toEqual([]);
  });

  it('keeps a betslip whose refresh is answered after it would have expired', async () => {
    const rig = new OrderManagerRig();
    const refresh = rig.venue.refreshBetslip.bind(rig.venue);
    rig.venue.refreshBetslip = async (id, options) => {
      await refresh(id, options);
      await sleep(rig.clock, 10_000);
    };
    await rig.startQuoting(quote());
    await rig.advance(60_000);
    expect(rig.venue.calls.filter(({ method }) => method === 'createBetslip')).toHaveLength(1);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('books a fill once, whichever sources report it', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const { orderId } = onlyOpen(rig);
    const bet = rig.venue.fill(orderId, 4_000_000);
    rig.venue.emit({ tag: 'bet', bet }, { tag: 'bet', bet });
    await rig.advance(1_000);
    expect(rig.fills.map((fill) => fill.stakeMicros)).toEqual([4_000_000]);
    rig.venue.fill(orderId, 6_000_000);
    await rig.advance(200);
    expect(rig.fills.reduce((sum, fill) => sum + fill.stakeMicros, 0)).toBe(10_000_000);
  });

  it('does not place an order that would take', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.desire(quote({ tick: 99 }), quote({ direction: 'against', tick: 99 }));
    await rig.advance(3_000);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.manager.status().waiting.map((item) => item.code)).toEqual(['would_take', 'would_take']);
  });

  it('does not place an order that would take public offers younger than the private quote', async () => {
    const moved = packLevels([{ price: 2.3, minMicros: null, maxMicros: 500_000_000 }]);
    const rig = new OrderManagerRig({ youngerOffers: () => ({ for: moved, against: null }) });
    await rig.start();
    rig.desire(quote());
    await rig.advance(3_000);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.manager.status().waiting.map((item) => item.code)).toEqual(['would_take']);
  });

  it('places nothing on a stale market', async () => {
    const rig = new OrderManagerRig({ market: () => ({ for: null, against: null }) });
    await rig.start();
    rig.desire(quote());
    await rig.advance(3_000);
    expect(rig.venue.held.size).toBe(0);
    expect(rig.manager.status().waiting).toMatchObject([{ code: 'market_stale' }]);
  });

  it('leaves manual orders alone, and shows them', async () => {
    const rig = new OrderManagerRig();
    const byHand = rig.venue.placeByHand(BY_HAND);
    await rig.start();
    rig.desire(quote());
    await rig.advance(1_000);
    expect(rig.manager.status().foreign.map((order) => order.orderId)).toEqual([byHand.orderId]);
    expect(rig.foreign[0]).toMatchObject({ closed: false, wantStakeMicros: 1_000_000 });
    const drained = rig.manager.drain(5_000);
    await rig.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, foreignOpen: [byHand.orderId] });
    expect(rig.venue.open().map(({ view }) => view.orderId)).toEqual([byHand.orderId]);
  });

  it('stops and resumes', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.manager.stopQuoting('test');
    await rig.advance(1_000);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.manager.status().blocked).toBe('stopped: test');
    rig.manager.resumeQuoting();
    await rig.advance(3_000);
    expect(rig.venue.open()).toHaveLength(1);
  });
});

describe('unknown outcomes', () => {
  it.each([
    ['applied and the answer lost', { kind: 'answer-lost' } as const],
    ['lost before the exchange', { kind: 'lost' } as const],
    ['landing late', { kind: 'late', ms: 8_000 } as const],
  ])('end with one order when the request is %s', async (_, fault) => {
    const rig = new OrderManagerRig();
    await rig.start();
    let faults = 1;
    rig.venue.fault = (method) => (method === 'placeOrder' && faults-- > 0 ? fault : null);
    rig.desire(quote());
    for (let step = 0; step < 300; step++) {
      await rig.advance(100);
      expect(rig.venue.open().length).toBeLessThanOrEqual(1);
    }
    expect(rig.venue.open()).toHaveLength(1);
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['live']);
    expect(rig.fatals).toEqual([]);
  });

  it('are not retried once they are known, however long the retry waited for its budget', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    const asked = slowPlacing(rig, (request) => (request > 0 ? 6_000 : 0));
    let faults = 1;
    rig.venue.fault = (method) =>
      method === 'placeOrder' && faults-- > 0 ? { kind: 'late', ms: 8_000 } : null;
    rig.desire(quote());
    while (asked.requests < 2) await rig.advance(100);
    rig.desire();
    await rig.advance(10_000);
    expect(rig.orderEvents.map(({ state }) => state)).toContain('closed');
    expect(rig.kinds().filter((kind) => kind === 'order_intended')).toHaveLength(1);
    expect(rig.venue.open()).toEqual([]);
  });

  it('keep an unresolved order in the exposure until its absence is proven', async () => {
    const rig = new OrderManagerRig({ options: { latestLandingMs: 20_000, durationS: 30 } });
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    rig.desire(quote());
    await rig.advance(8_000);
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
    rig.desire();
    await rig.advance(40_000);
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
    await rig.advance(25_000);
    expect([...rig.manager.orders()]).toEqual([]);
    expect(rig.orderEvents.at(-1)).toMatchObject({ state: 'absent' });
  });

  it('do not become younger by restarts', async () => {
    const rig = new OrderManagerRig({ options: { latestLandingMs: 10_000, durationS: 120 } });
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    rig.desire(quote());
    await rig.advance(4_000);
    rig.desire();
    const states: string[] = [];
    // Nine quarter minutes exceed the time in which the order could land and live.
    for (let restart = 0; restart < 9; restart++) {
      await rig.restart();
      await rig.advance(15_000);
      states.push(...rig.orderEvents.map(({ state }) => state));
    }
    expect([...rig.manager.orders()]).toEqual([]);
    expect(states.at(-1)).toBe('absent');
  });

  it('wait out the landing time by their own clock, whatever the wall clock shows', async () => {
    const rig = new OrderManagerRig({
      venue: { betslipLifeMs: 200_000_000 },
      options: { latestLandingMs: 20_000, durationS: 30 },
    });
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'late', ms: 18_000 } : null);
    rig.desire(quote());
    await rig.advance(1_000);
    rig.desire();
    rig.kill();
    rig.clock.jumpWall(86_400_000);
    rig.revive();
    rig.venue.fault = () => null;
    await rig.start();
    await rig.advance(14_000);
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
    await rig.advance(10_000);
    expect(rig.venue.held.size).toBe(1);
    expect(rig.venue.open()).toEqual([]);
    expect([...rig.manager.orders()]).toEqual([]);
  });

  it('do not arise after the time that the heartbeat was proven to hold at the send', async () => {
    const rig = new OrderManagerRig({
      venue: { timeoutMs: 20_000 },
      options: { heartbeat: { timeoutS: 10 } },
    });
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    rig.desire(quote());
    await rig.advance(1_000);
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['sending']);
    await rig.advance(5_000);
    expect([...rig.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
  });

  it('close a late lander that has no target any more', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'late', ms: 6_000 } : null);
    rig.desire(quote());
    await rig.advance(3_000);
    rig.desire();
    await rig.advance(15_000);
    expect(rig.venue.held.size).toBe(1);
    expect(rig.venue.open()).toEqual([]);
    expect([...rig.manager.orders()]).toEqual([]);
  });
});

describe('gates', () => {
  it('place nothing between the loss of the stream and the resync', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.venue.disconnect();
    rig.desire(quote());
    await rig.advance(5_000);
    expect(rig.venue.held.size).toBe(0);
    expect(rig.manager.status().blocked).toContain('stream_closed');
    rig.venue.connect();
    await rig.advance(5_000);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('let the heartbeat run out when the stream stays away', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.venue.disconnect();
    await rig.advance(60_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
    expect(rig.venue.open()).toEqual([]);
    rig.venue.connect();
    await rig.advance(10_000);
    expect(rig.venue.open()).toHaveLength(1);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
  });

  it('close everything and place nothing when the journal fails', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const { orderId } = onlyOpen(rig);
    const push = rig.store.records.push.bind(rig.store.records);
    rig.store.records.push = () => {
      throw new Error('disk full');
    };
    rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
    await rig.advance(3_000);
    expect(rig.venue.held.get(orderId)?.view.closed).toBe(true);
    expect(rig.venue.held.size).toBe(1);
    expect(rig.manager.status().blocked).toBe('journal_failed');
    rig.store.records.push = push;
  });

  it('only close orders when the journal is damaged in the middle', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    expect(rig.venue.open()).toHaveLength(1);
    rig.kill();
    const damage = new JournalError('journal record is damaged', { seq: 9 });
    rig.damagedAfter = { seq: rig.store.records.length - 1, damage };
    rig.revive();
    await rig.start();
    rig.desire(quote({ direction: 'against', tick: 90 }));
    await rig.advance(5_000);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.venue.held.size).toBe(1);
    expect(rig.manager.status().blocked).toBe('journal_failed');
  });

  it('stop for good when an order lives longer than requested', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const view = onlyOpen(rig);
    rig.venue.emit({
      tag: 'order',
      order: { ...view, expiryTimeMs: (view.placementTimeMs ?? 0) + 3_600_000 },
    });
    await rig.advance(1_000);
    expect(rig.manager.status().latched).toContain('lives longer');
    await rig.restart();
    expect(rig.manager.status().latched).toContain('lives longer');
  });

  it('stop when a conflict shows another order than the journal', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const view = onlyOpen(rig);
    rig.venue.emit({ tag: 'order', order: { ...view, wantStakeMicros: 99 } });
    await rig.advance(1_000);
    expect(rig.manager.status().latched).toContain('differs');
    expect(rig.venue.held.get(view.orderId as OrderId)?.view.closed).toBe(true);
  });

  it.each([8_320_000, 8_330_000])(
    'accept a stake that was rounded to cents: 8.325 to %i',
    async (wantStakeMicros) => {
      const rig = new OrderManagerRig();
      const place = rig.venue.placeOrder.bind(rig.venue);
      rig.venue.placeOrder = async (order, options) => ({
        ...(await place(order, options)),
        wantStakeMicros,
      });
      const emit = rig.venue.emit.bind(rig.venue);
      rig.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'order'));
      await rig.startQuoting(quote({ stakeMicros: 8_325_000 }));
      expect(rig.manager.status().latched).toBeNull();
      expect(rig.states()).toEqual(['live']);
    },
  );
});
