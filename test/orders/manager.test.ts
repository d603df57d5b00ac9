import { describe, expect, it } from 'vitest';
import { JournalError } from '../../src/domain/errors.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { packLevels } from '../../src/domain/price-list.ts';
import { sleep } from '../../src/ports/clock.ts';
import { BY_HAND, quote, TestDesk } from '../support/order-desk.ts';
import { onlyOpen } from './support/only-open.ts';
import { slowPlacing } from './support/slow-placing.ts';

describe('the order manager', () => {
  it('places a target quote after the heartbeat and the journal, and shows it live', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    expect(onlyOpen(desk)).toMatchObject({ betType: 'for,h', wantPrice: 2.22, wantStakeMicros: 10_000_000 });
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['live']);
    const methods = desk.venue.calls.map((call) => call.method);
    expect(methods.indexOf('createHeartbeat')).toBeLessThan(methods.indexOf('placeOrder'));
    expect(desk.kinds()).toEqual(
      expect.arrayContaining(['betslip_requested', 'order_intended', 'order_changed']),
    );
    expect(desk.orderEvents.map((order) => order.state)).toEqual(
      expect.arrayContaining(['prepared', 'sending', 'live']),
    );
    expect(desk.fatals).toEqual([]);
  });

  it('closes orders without a target', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.desire();
    await desk.advance(1_000);
    expect(desk.venue.open()).toEqual([]);
    expect([...desk.manager.orders()]).toEqual([]);
  });

  it('keeps one quote resting for ten minutes by renewing, on few betslips', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    let covered = 0;
    for (let second = 0; second < 600; second++) {
      await desk.advance(1_000);
      covered += desk.venue.open().length > 0 ? 1 : 0;
      expect(desk.venue.open().length).toBeLessThanOrEqual(2);
    }
    expect(covered).toBe(600);
    expect(desk.venue.calls.filter((call) => call.method === 'createBetslip')).toHaveLength(1);
    expect(desk.fatals).toEqual([]);
  });

  it('keeps a betslip whose refresh is answered after it would have expired', async () => {
    const desk = new TestDesk();
    const refresh = desk.venue.refreshBetslip.bind(desk.venue);
    desk.venue.refreshBetslip = async (id, options) => {
      await refresh(id, options);
      await sleep(desk.clock, 10_000);
    };
    await desk.startQuoting(quote());
    await desk.advance(60_000);
    expect(desk.venue.calls.filter(({ method }) => method === 'createBetslip')).toHaveLength(1);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('books a fill once, whichever sources report it', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const { orderId } = onlyOpen(desk);
    const bet = desk.venue.fill(orderId, 4_000_000);
    desk.venue.emit({ tag: 'bet', bet }, { tag: 'bet', bet });
    await desk.advance(1_000);
    expect(desk.fills.map((fill) => fill.stakeMicros)).toEqual([4_000_000]);
    desk.venue.fill(orderId, 6_000_000);
    await desk.advance(200);
    expect(desk.fills.reduce((sum, fill) => sum + fill.stakeMicros, 0)).toBe(10_000_000);
  });

  it('does not place an order that would take', async () => {
    const desk = new TestDesk();
    await desk.start();
    desk.desire(quote({ tick: 99 }), quote({ direction: 'against', tick: 99 }));
    await desk.advance(3_000);
    expect(desk.venue.open()).toEqual([]);
    expect(desk.manager.status().waiting.map((item) => item.code)).toEqual(['would_take', 'would_take']);
  });

  it('does not place an order that would take public offers younger than the private quote', async () => {
    const moved = packLevels([{ price: 2.3, minMicros: null, maxMicros: 500_000_000 }]);
    const desk = new TestDesk({ youngerOffers: () => ({ for: moved, against: null }) });
    await desk.start();
    desk.desire(quote());
    await desk.advance(3_000);
    expect(desk.venue.open()).toEqual([]);
    expect(desk.manager.status().waiting.map((item) => item.code)).toEqual(['would_take']);
  });

  it('places nothing on a stale market', async () => {
    const desk = new TestDesk({ market: () => ({ for: null, against: null }) });
    await desk.start();
    desk.desire(quote());
    await desk.advance(3_000);
    expect(desk.venue.held.size).toBe(0);
    expect(desk.manager.status().waiting).toMatchObject([{ code: 'market_stale' }]);
  });

  it('leaves manual orders alone, and shows them', async () => {
    const desk = new TestDesk();
    const byHand = desk.venue.placeByHand(BY_HAND);
    await desk.start();
    desk.desire(quote());
    await desk.advance(1_000);
    expect(desk.manager.status().foreign.map((order) => order.orderId)).toEqual([byHand.orderId]);
    expect(desk.foreign[0]).toMatchObject({ closed: false, wantStakeMicros: 1_000_000 });
    const drained = desk.manager.drain(5_000);
    await desk.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, foreignOpen: [byHand.orderId] });
    expect(desk.venue.open().map(({ view }) => view.orderId)).toEqual([byHand.orderId]);
  });

  it('stops and resumes', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.manager.stopQuoting('test');
    await desk.advance(1_000);
    expect(desk.venue.open()).toEqual([]);
    expect(desk.manager.status().blocked).toBe('stopped: test');
    desk.manager.resumeQuoting();
    await desk.advance(3_000);
    expect(desk.venue.open()).toHaveLength(1);
  });
});

describe('unknown outcomes', () => {
  it.each([
    ['applied and the answer lost', { kind: 'answer-lost' } as const],
    ['lost before the exchange', { kind: 'lost' } as const],
    ['landing late', { kind: 'late', ms: 8_000 } as const],
  ])('end with one order when the request is %s', async (_, fault) => {
    const desk = new TestDesk();
    await desk.start();
    let faults = 1;
    desk.venue.fault = (method) => (method === 'placeOrder' && faults-- > 0 ? fault : null);
    desk.desire(quote());
    for (let step = 0; step < 300; step++) {
      await desk.advance(100);
      expect(desk.venue.open().length).toBeLessThanOrEqual(1);
    }
    expect(desk.venue.open()).toHaveLength(1);
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['live']);
    expect(desk.fatals).toEqual([]);
  });

  it('are not retried once they are known, however long the retry waited for its budget', async () => {
    const desk = new TestDesk();
    await desk.start();
    const asked = slowPlacing(desk, (request) => (request > 0 ? 6_000 : 0));
    let faults = 1;
    desk.venue.fault = (method) =>
      method === 'placeOrder' && faults-- > 0 ? { kind: 'late', ms: 8_000 } : null;
    desk.desire(quote());
    while (asked.requests < 2) await desk.advance(100);
    desk.desire();
    await desk.advance(10_000);
    expect(desk.orderEvents.map(({ state }) => state)).toContain('closed');
    expect(desk.kinds().filter((kind) => kind === 'order_intended')).toHaveLength(1);
    expect(desk.venue.open()).toEqual([]);
  });

  it('keep an unresolved order in the exposure until its absence is proven', async () => {
    const desk = new TestDesk({ options: { latestLandingMs: 20_000, durationS: 30 } });
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    desk.desire(quote());
    await desk.advance(8_000);
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
    desk.desire();
    await desk.advance(40_000);
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
    await desk.advance(25_000);
    expect([...desk.manager.orders()]).toEqual([]);
    expect(desk.orderEvents.at(-1)).toMatchObject({ state: 'absent' });
  });

  it('do not become younger by restarts', async () => {
    const desk = new TestDesk({ options: { latestLandingMs: 10_000, durationS: 120 } });
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    desk.desire(quote());
    await desk.advance(4_000);
    desk.desire();
    const states: string[] = [];
    // Nine quarter minutes exceed the time in which the order could land and live.
    for (let restart = 0; restart < 9; restart++) {
      await desk.restart();
      await desk.advance(15_000);
      states.push(...desk.orderEvents.map(({ state }) => state));
    }
    expect([...desk.manager.orders()]).toEqual([]);
    expect(states.at(-1)).toBe('absent');
  });

  it('wait out the landing time by their own clock, whatever the wall clock shows', async () => {
    const desk = new TestDesk({
      ...{ venue: { betslipLifeMs: 200_000_000 }, options: { latestLandingMs: 20_000, durationS: 30 } },
    });
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'late', ms: 18_000 } : null);
    desk.desire(quote());
    await desk.advance(1_000);
    desk.desire();
    desk.kill();
    desk.clock.jumpWall(86_400_000);
    desk.revive();
    desk.venue.fault = () => null;
    await desk.start();
    await desk.advance(14_000);
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
    await desk.advance(10_000);
    expect(desk.venue.held.size).toBe(1);
    expect(desk.venue.open()).toEqual([]);
    expect([...desk.manager.orders()]).toEqual([]);
  });

  it('do not arise after the time that the heartbeat was proven to hold at the send', async () => {
    const desk = new TestDesk({ venue: { timeoutMs: 20_000 }, options: { heartbeat: { timeoutS: 10 } } });
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    desk.desire(quote());
    await desk.advance(1_000);
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['sending']);
    await desk.advance(5_000);
    expect([...desk.manager.orders()].map((order) => order.state)).toEqual(['unknown']);
  });

  it('close a late lander that has no target any more', async () => {
    const desk = new TestDesk();
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'late', ms: 6_000 } : null);
    desk.desire(quote());
    await desk.advance(3_000);
    desk.desire();
    await desk.advance(15_000);
    expect(desk.venue.held.size).toBe(1);
    expect(desk.venue.open()).toEqual([]);
    expect([...desk.manager.orders()]).toEqual([]);
  });
});

describe('gates', () => {
  it('place nothing between the loss of the stream and the resync', async () => {
    const desk = new TestDesk();
    await desk.start();
    desk.venue.disconnect();
    desk.desire(quote());
    await desk.advance(5_000);
    expect(desk.venue.held.size).toBe(0);
    expect(desk.manager.status().blocked).toContain('stream_closed');
    desk.venue.connect();
    await desk.advance(5_000);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('let the heartbeat run out when the stream stays away', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.venue.disconnect();
    await desk.advance(60_000);
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
    expect(desk.venue.open()).toEqual([]);
    desk.venue.connect();
    await desk.advance(10_000);
    expect(desk.venue.open()).toHaveLength(1);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
  });

  it('close everything and place nothing when the journal fails', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const { orderId } = onlyOpen(desk);
    const push = desk.store.records.push.bind(desk.store.records);
    desk.store.records.push = () => {
      throw new Error('disk full');
    };
    desk.desire(quote(), quote({ direction: 'against', tick: 90 }));
    await desk.advance(3_000);
    expect(desk.venue.held.get(orderId)?.view.closed).toBe(true);
    expect(desk.venue.held.size).toBe(1);
    expect(desk.manager.status().blocked).toBe('journal_failed');
    desk.store.records.push = push;
  });

  it('only close orders when the journal is damaged in the middle', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    expect(desk.venue.open()).toHaveLength(1);
    desk.kill();
    const damage = new JournalError('journal record is damaged', { seq: 9 });
    desk.damagedAfter = { seq: desk.store.records.length - 1, damage };
    desk.revive();
    await desk.start();
    desk.desire(quote({ direction: 'against', tick: 90 }));
    await desk.advance(5_000);
    expect(desk.venue.open()).toEqual([]);
    expect(desk.venue.held.size).toBe(1);
    expect(desk.manager.status().blocked).toBe('journal_failed');
  });

  it('stop for good when an order lives longer than requested', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const view = onlyOpen(desk);
    desk.venue.emit({
      tag: 'order',
      order: { ...view, expiryTimeMs: (view.placementTimeMs ?? 0) + 3_600_000 },
    });
    await desk.advance(1_000);
    expect(desk.manager.status().latched).toContain('lives longer');
    await desk.restart();
    expect(desk.manager.status().latched).toContain('lives longer');
  });

  it('stop when a conflict shows another order than the journal', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const view = onlyOpen(desk);
    desk.venue.emit({ tag: 'order', order: { ...view, wantStakeMicros: 99 } });
    await desk.advance(1_000);
    expect(desk.manager.status().latched).toContain('differs');
    expect(desk.venue.held.get(view.orderId as OrderId)?.view.closed).toBe(true);
  });

  it.each([8_320_000, 8_330_000])(
    'accept a stake that was rounded to cents: 8.325 to %i',
    async (wantStakeMicros) => {
      const desk = new TestDesk();
      const place = desk.venue.placeOrder.bind(desk.venue);
      desk.venue.placeOrder = async (order, options) => ({
        ...(await place(order, options)),
        wantStakeMicros,
      });
      const emit = desk.venue.emit.bind(desk.venue);
      desk.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'order'));
      await desk.startQuoting(quote({ stakeMicros: 8_325_000 }));
      expect(desk.manager.status().latched).toBeNull();
      expect(desk.states()).toEqual(['live']);
    },
  );
});
