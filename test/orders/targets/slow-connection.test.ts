import { expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** A desk whose order waits three seconds for its connection. */
async function connecting(): Promise<TestDesk> {
  const desk = new TestDesk();
  await desk.start();
  desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 3_000 } : null);
  desk.desire(quote());
  while (!desk.states().includes('sending')) await desk.advance(10);
  desk.venue.fault = () => null;
  return desk;
}

it('sends nothing after a stop, though a connection was awaited', async () => {
  const desk = await connecting();
  desk.manager.stopQuoting('kill');
  await desk.advance(5_000);
  expect(desk.venue.held.size).toBe(0);
  expect(desk.states()).toEqual([]);
  expect(desk.store.records.findLast(({ kind }) => kind === 'order_changed')?.data).toMatchObject({
    state: 'absent',
  });
});

it('sends nothing that lost its target while connecting', async () => {
  const desk = await connecting();
  desk.desire();
  await desk.advance(5_000);
  expect(desk.venue.held.size).toBe(0);
});

it('sends what is still wanted once it is connected', async () => {
  const desk = await connecting();
  await desk.advance(5_000);
  expect(desk.venue.open()).toHaveLength(1);
});

it('extends no heartbeat for an engine that hung while the connection was awaited', async () => {
  let progressing = true;
  const desk = new TestDesk({ progressing: () => progressing });
  await desk.startQuoting(quote());
  desk.venue.fault = (method) =>
    method === 'refreshHeartbeat' ? { kind: 'slow-connection', ms: 3_000 } : null;
  const asked = (): number => desk.venue.calls.filter(({ method }) => method === 'refreshHeartbeat').length;
  const before = asked();
  while (asked() === before) await desk.advance(10);
  const [[id, untilMs]] = [...desk.venue.heartbeatsHeld] as [[unknown, unknown]];
  progressing = false;
  await desk.advance(4_000);
  expect([...desk.venue.heartbeatsHeld]).toEqual([[id, untilMs]]);
});
