import { expect, it } from 'vitest';
import { quote, TestDesk } from '../support/order-desk.ts';

it('stays stopped when it was told to resume and to stop in one breath', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  desk.manager.stopQuoting('first');
  await desk.advance(1_000);
  desk.manager.resumeQuoting();
  desk.manager.stopQuoting('second');
  await desk.advance(10_000);
  expect(desk.venue.open()).toEqual([]);
  expect(desk.manager.status().blocked).toBe('stopped: second');
});
