import { expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';

it.each([
  ['lasts', 3_600],
  ['is over', 10],
])('closes again what may be open while its lookup is unanswered, when its time %s', async (_, durationS) => {
  const closedMs: number[] = [];
  const desk = new TestDesk({ options: { durationS } });
  await desk.startQuoting(quote());
  desk.venue.endsNothing = true;
  desk.venue.closeOrder = () => (closedMs.push(desk.clock.monotonicMs()), Promise.resolve());
  // The lookup waits in a queue, after an answer 429 or in a resync’s retry.
  desk.venue.order = () => new Promise(() => undefined);
  desk.desire();
  await desk.advance(30_000);
  const sinceMs = desk.clock.monotonicMs();
  await desk.advance(60_000);
  const times = closedMs.filter((atMs) => atMs > sinceMs).length;
  expect(times).toBeGreaterThanOrEqual(3);
  expect(times).toBeLessThanOrEqual(6);
});
