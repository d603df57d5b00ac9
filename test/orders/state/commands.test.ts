import { expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { slowPlacing } from '../support/slow-placing.ts';

it('stays stopped when a resume and a stop arrive together', async () => {
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

it('does not send an order whose close was requested before the send, when quoting was resumed meanwhile', async () => {
  const desk = new TestDesk();
  await desk.start();
  const asked = slowPlacing(desk, (request) => (request === 0 ? 1_000 : 0));
  desk.desire(quote());
  while (asked.requests === 0) await desk.advance(10);
  desk.manager.stopQuoting('test');
  await desk.advance(100);
  desk.manager.resumeQuoting();
  await desk.advance(10_000);
  expect(desk.venue.held.size).toBe(1);
  expect(desk.venue.open()).toHaveLength(1);
});
