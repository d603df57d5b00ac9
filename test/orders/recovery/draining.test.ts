import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/domain/errors.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** Stops the next run before it has recovered, and expects no heartbeat to remain. */
async function expectNoneLeft(rig: OrderManagerRig): Promise<void> {
  rig.venue.orderUpdates = () => sleep(rig.clock, 60_000) as Promise<never>;
  rig.revive();
  rig.venue.connect();
  void rig.manager.start();
  await rig.advance(1_000);
  const drained = rig.manager.drain(10_000);
  await rig.advance(10_000);
  expect(await drained).toMatchObject({ clean: true, stillOpen: [] });
  expect(rig.venue.heartbeatsHeld.size).toBe(0);
}

describe('the stop of the order manager', () => {
  it('closes, confirms, removes the heartbeat', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote(), quote({ direction: 'against', tick: 90 }));
    expect(rig.venue.open()).toHaveLength(2);
    const drained = rig.manager.drain(5_000);
    await rig.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, stillOpen: [], heartbeatRemoved: true });
    expect(rig.venue.open()).toEqual([]);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
  });

  it('asks for the list of open orders as urgently as for closes, and more rarely while it cannot be read', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const asked: [priority: string | undefined, atMs: number][] = [];
    const list = rig.venue.orders.bind(rig.venue);
    rig.venue.orders = (query, options) => {
      asked.push([options?.priority, rig.clock.monotonicMs()]);
      return asked.length < 6 ? Promise.reject(new TransportError('unknown', 'reset')) : list(query, options);
    };
    const drained = rig.manager.drain(20_000);
    await rig.advance(20_000);
    expect(await drained).toMatchObject({ clean: true });
    expect(new Set(asked.map(([priority]) => priority))).toEqual(new Set(['urgent']));
    const gaps = asked.slice(1).map(([, atMs], at) => atMs - asked[at]![1]);
    expect(gaps).toEqual([500, 1_000, 2_000, 2_000, 2_000]);
  });

  it('keeps the heartbeat when draining fails, and reports what is open', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
    const drained = rig.manager.drain(3_000);
    await rig.advance(3_500);
    expect(await drained).toMatchObject({
      clean: false,
      stillOpen: [{ state: 'closing' }],
      heartbeatRemoved: false,
    });
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
  });

  it('deletes its betslips, including those still being created', async () => {
    const rig = new OrderManagerRig();
    const create = rig.venue.createBetslip.bind(rig.venue);
    rig.venue.createBetslip = async (request, options) => {
      const betslip = await create(request, options);
      await sleep(rig.clock, request.betType.startsWith('against') ? 1_500 : 0);
      return betslip;
    };
    await rig.start();
    rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
    await rig.advance(500);
    expect(rig.venue.betslips.size).toBe(2);
    const drained = rig.manager.drain(5_000);
    await rig.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, tookMs: expect.closeTo(1_000, -3) as number });
    expect(rig.venue.betslips.size).toBe(0);
  });

  it('does not wait long for betslips that cannot be deleted', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.venue.fault = (method) => (method === 'deleteBetslip' ? { kind: 'lost' } : null);
    const drained = rig.manager.drain(20_000);
    await rig.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  });

  it('does not wait for the budget of an order that was never sent', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    // The client waits like this after an answer 429.
    rig.venue.placeOrder = (_, options) => sleep(rig.clock, 60_000, options?.signal) as Promise<never>;
    rig.desire(quote({ tick: 120 }));
    await rig.advance(1_000);
    expect(rig.states()).toEqual(['prepared']);
    const drained = rig.manager.drain(5_000);
    await rig.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, stillOpen: [], heartbeatRemoved: true });
  });

  it('leaves nothing running when the heartbeat is neither armed nor refused in time', async () => {
    const rig = new OrderManagerRig();
    rig.venue.fault = (method) => {
      if (method === 'createHeartbeat') return { kind: 'lost' };
      const isArming = rig.venue.calls.some((call) => call.method === 'createHeartbeat');
      return method === 'heartbeats' && isArming ? { kind: 'not-sent' } : null;
    };
    await rig.start();
    await rig.advance(10_000);
    const drained = rig.manager.drain(1_000);
    await rig.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: false });
    rig.manager.stop();
    await rig.advance(20_000);
    expect(rig.clock.nextTimerMs()).toBe(null);
  });

  it('deletes an earlier run’s heartbeat, whose end would close others’ orders', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.kill();
    await rig.advance(1_000);
    let failures = 1;
    rig.venue.fault = (method) =>
      method === 'deleteHeartbeat' && failures-- > 0 ? { kind: 'not-sent' } : null;
    rig.revive();
    await rig.start();
    const drained = rig.manager.drain(10_000);
    await rig.advance(10_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
  });

  it('deletes it also when the stop comes before recovery is done', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.kill();
    await rig.advance(1_000);
    await expectNoneLeft(rig);
  });

  it('deletes a heartbeat that was created and never acknowledged, also before recovery is done', async () => {
    const rig = new OrderManagerRig();
    rig.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'answer-lost' } : null);
    await rig.start();
    rig.kill();
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    rig.venue.fault = () => null;
    await expectNoneLeft(rig);
  });
});
