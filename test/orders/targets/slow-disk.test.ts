import { expect, it, vi } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** The next order record reaches the disk only after `ms`, while nothing else happens. */
function slowIntent(rig: OrderManagerRig, ms: number): void {
  const { clock, store } = rig;
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
  const rig = new OrderManagerRig({ options: { heartbeat: { timeoutS: 10 } } });
  await rig.start();
  slowIntent(rig, 12_000);
  rig.desire(quote());
  while (!rig.kinds().includes('order_intended')) await rig.advance(10);
  await rig.advance(10);
  expect(rig.venue.held.size).toBe(0);
  expect(rig.states()).toEqual([]);
  expect(rig.store.records.at(-1)?.data).toMatchObject({ state: 'absent' });
});

it('sends what is still wanted after a slow journal write', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  slowIntent(rig, 3_000);
  rig.desire(quote());
  while (!rig.kinds().includes('order_intended')) await rig.advance(10);
  await rig.advance(500);
  expect(rig.venue.open()).toHaveLength(1);
});
