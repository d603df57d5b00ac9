import { connect, type ExchangeClient, ids, NotFound } from 'touchline/venue';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { type RunningSimulator, startSimulator } from '../../../src/simulator/server/start-simulator.ts';
import { EVENT_ID, exchangeWithMarket, SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { patient } from '../../support/patience.ts';

let simulator: RunningSimulator;
let exchange: ExchangeClient;

beforeEach(async () => {
  const core = exchangeWithMarket(systemClock);
  simulator = await startSimulator({ core, clock: systemClock, logger: silentLogger, port: 0 });
  exchange = connect({ baseUrl: simulator.rest, apiKey: SUBJECT_KEY });
});
afterEach(async () => {
  await exchange.close();
  await simulator.close();
});

it('serves another program from the address and the key alone', async () => {
  const events = [];
  for await (const event of exchange.allEvents({ sports: [ids.sport('fb')] })) events.push(event.eventId);
  expect(events).toEqual([EVENT_ID]);
  expect(await exchange.account.balance()).toMatchObject({ balanceMicros: 10_000_000_000 });
  await expect(exchange.orders.get(ids.orderId(1))).rejects.toBeInstanceOf(NotFound);
});

it('hands the stream over entry by entry', async () => {
  const seen = new Set<string>();
  exchange.registerEvent(ids.sport('fb'), ids.eventId(EVENT_ID));
  for await (const entry of exchange.entries()) {
    seen.add(entry.tag);
    if (seen.has('offer')) break;
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining(['event', 'offer', 'sync']));
});

it('finds the stream and the endpoints from an address without a closing slash', async () => {
  await using slashless = connect({ baseUrl: simulator.rest.replace(/\/$/, ''), apiKey: SUBJECT_KEY });
  expect(await slashless.account.xrates()).not.toEqual([]);
  expect((await slashless.entries().next()).done).toBe(false);
});

it('measures the exchange’s clock', async () => {
  const entries = exchange.entries();
  await entries.next();
  await expect.poll(() => exchange.clockOffset(), { timeout: patient(5_000) }).not.toBeNull();
  // Both clocks are this machine's. A busy machine answers late, and the estimate says so.
  // Each clock shows whole milliseconds, and the system may be adjusting them meanwhile.
  const { offsetMs, errorMs } = exchange.clockOffset() ?? { offsetMs: Infinity, errorMs: 0 };
  expect(Math.abs(offsetMs)).toBeLessThanOrEqual(errorMs + 2);
  expect(exchange.roundTripMs()).toBeGreaterThanOrEqual(0);
  await entries.return?.();
});
