import { describe, expect, it } from 'vitest';
import { sleep } from '../../../src/ports/clock.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** Stops the next run before it has recovered, and expects no heartbeat to remain. */
async function expectNoneLeft(desk: TestDesk): Promise<void> {
  desk.venue.orderUpdates = () => sleep(desk.clock, 60_000) as Promise<never>;
  desk.revive();
  desk.venue.connect();
  void desk.manager.start();
  await desk.advance(1_000);
  const drained = desk.manager.drain(10_000);
  await desk.advance(10_000);
  expect(await drained).toMatchObject({ clean: true, stillOpen: [] });
  expect(desk.venue.heartbeatsHeld.size).toBe(0);
}

describe('the stop of the order manager', () => {
  it('closes, confirms, removes the heartbeat', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote(), quote({ direction: 'against', tick: 90 }));
    expect(desk.venue.open()).toHaveLength(2);
    const drained = desk.manager.drain(5_000);
    await desk.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, stillOpen: [], heartbeatRemoved: true });
    expect(desk.venue.open()).toEqual([]);
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
  });

  it('keeps the heartbeat when draining fails, and reports what is open', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
    const drained = desk.manager.drain(3_000);
    await desk.advance(3_500);
    expect(await drained).toMatchObject({
      clean: false,
      stillOpen: [{ state: 'closing' }],
      heartbeatRemoved: false,
    });
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
  });

  it('deletes its betslips, including those still being created', async () => {
    const desk = new TestDesk();
    const create = desk.venue.createBetslip.bind(desk.venue);
    desk.venue.createBetslip = async (request, options) => {
      const betslip = await create(request, options);
      await sleep(desk.clock, request.betType.startsWith('against') ? 1_500 : 0);
      return betslip;
    };
    await desk.start();
    desk.desire(quote(), quote({ direction: 'against', tick: 90 }));
    await desk.advance(500);
    expect(desk.venue.betslips.size).toBe(2);
    const drained = desk.manager.drain(5_000);
    await desk.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, tookMs: expect.closeTo(1_000, -3) as number });
    expect(desk.venue.betslips.size).toBe(0);
  });

  it('does not wait long for betslips that cannot be deleted', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.venue.fault = (method) => (method === 'deleteBetslip' ? { kind: 'lost' } : null);
    const drained = desk.manager.drain(20_000);
    await desk.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  });

  it('does not wait for the budget of an order that was never sent', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    // The client waits like this after an answer 429.
    desk.venue.placeOrder = (_, options) => sleep(desk.clock, 60_000, options?.signal) as Promise<never>;
    desk.desire(quote({ tick: 120 }));
    await desk.advance(1_000);
    expect(desk.states()).toEqual(['prepared']);
    const drained = desk.manager.drain(5_000);
    await desk.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, stillOpen: [], heartbeatRemoved: true });
  });

  it('leaves nothing running when the heartbeat is neither armed nor refused in time', async () => {
    const desk = new TestDesk();
    desk.venue.fault = (method) => {
      if (method === 'createHeartbeat') return { kind: 'lost' };
      const isArming = desk.venue.calls.some((call) => call.method === 'createHeartbeat');
      return method === 'heartbeats' && isArming ? { kind: 'not-sent' } : null;
    };
    await desk.start();
    await desk.advance(10_000);
    const drained = desk.manager.drain(1_000);
    await desk.advance(5_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: false });
    desk.manager.stop();
    await desk.advance(20_000);
    expect(desk.clock.nextTimerMs()).toBe(null);
  });

  it('deletes an earlier run’s heartbeat, whose end would close others’ orders', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.kill();
    await desk.advance(1_000);
    let failures = 1;
    desk.venue.fault = (method) =>
      method === 'deleteHeartbeat' && failures-- > 0 ? { kind: 'not-sent' } : null;
    desk.revive();
    await desk.start();
    const drained = desk.manager.drain(10_000);
    await desk.advance(10_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
  });

  it('deletes it also when the stop comes before recovery is done', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    desk.kill();
    await desk.advance(1_000);
    await expectNoneLeft(desk);
  });

  it('deletes a heartbeat that was created and never acknowledged, also before recovery is done', async () => {
    const desk = new TestDesk();
    desk.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'answer-lost' } : null);
    await desk.start();
    desk.kill();
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    desk.venue.fault = () => null;
    await expectNoneLeft(desk);
  });
});
