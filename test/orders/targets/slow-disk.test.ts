import { expect, it, vi } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** The next order record reaches the disk only after `ms`, while nothing else happens. */
function slowIntent(desk: TestDesk, ms: number): void {
  const { clock, store } = desk;
  const [monotonicMs, wallMs] = [clock.monotonicMs.bind(clock), clock.wallMs.bind(clock)];
  let lateMs = 0;
  vi.spyOn(clock, 'monotonicMs').mockImplementation(() => monotonicMs() + lateMs);
  vi.spyOn(clock, 'wallMs').mockImplementation(() => wallMs() + lateMs);
  const push = store.records.push.bind(store.records);
  vi.spyOn(store.records, 'push').mockImplementation((...records) => {
    if (records.some(({ kind }) => kind === 'order_intended')) lateMs = ms;
    return push(...records);
  });
}

it('sends nothing when the heartbeat is no longer proven after a slow journal write', async () => {
  const desk = new TestDesk({ options: { heartbeat: { timeoutS: 10 } } });
  await desk.start();
  slowIntent(desk, 12_000);
  desk.desire(quote());
  while (!desk.kinds().includes('order_intended')) await desk.advance(10);
  await desk.advance(10);
  expect(desk.venue.held.size).toBe(0);
  expect(desk.states()).toEqual([]);
  expect(desk.store.records.at(-1)?.data).toMatchObject({ state: 'absent' });
});

it('sends what is still wanted after a slow journal write', async () => {
  const desk = new TestDesk();
  await desk.start();
  slowIntent(desk, 3_000);
  desk.desire(quote());
  while (!desk.kinds().includes('order_intended')) await desk.advance(10);
  await desk.advance(500);
  expect(desk.venue.open()).toHaveLength(1);
});
