import { expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it.each([
  ['lasts', 3_600],
  ['is over', 10],
])('closes again what may be open while its lookup is unanswered, when its time %s', async (_, durationS) => {
  const closedMs: number[] = [];
  const rig = new OrderManagerRig({ options: { durationS } });
  await rig.startQuoting(quote());
  rig.venue.endsNothing = true;
  rig.venue.closeOrder = () => (closedMs.push(rig.clock.monotonicMs()), Promise.resolve());
  // The lookup waits in a queue, after an answer 429 or in a resync’s retry.
  rig.venue.order = () => new Promise(() => undefined);
  rig.desire();
  await rig.advance(30_000);
  const sinceMs = rig.clock.monotonicMs();
  await rig.advance(60_000);
  const times = closedMs.filter((atMs) => atMs > sinceMs).length;
  expect(times).toBeGreaterThanOrEqual(3);
  expect(times).toBeLessThanOrEqual(6);
});
