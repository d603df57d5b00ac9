import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { orderId } from '../../src/domain/ids.ts';
import { constantLatency } from '../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import { EVENT_ID, exchangeWithMarket, venueOver } from '../contract/venue-subject.ts';
import { patient } from '../support/patience.ts';
import { fullDemand } from '../support/full-demand.ts';
import { settled } from './support/make-venue.ts';

const MINUTES = 10;
const DURATION_MS = MINUTES * 60_000;

it(
  'throttles nothing in ten minutes at full demand of everything, and uses the budgets',
  async () => {
    const clock = new VirtualClock();
    const core = exchangeWithMarket(clock, { broadcastIntervalMs: 10_000, quoteIntervalMs: 10_000 });
    const { http, sockets, host } = inProcessTransports({ core, clock, latency: constantLatency(20) });
    const venue = venueOver({ http, sockets }, clock);
    const demand = fullDemand({ venue, clock, eventId: EVENT_ID, durationMs: DURATION_MS });
    const done = await settled(clock, demand, 2 * DURATION_MS);
    expect(core.inspect().accounts[0]?.throttledCount).toBe(0);
    expect(venue.throttledCount).toBe(0);
    expect(done.orders).toBeGreaterThanOrEqual(0.95 * 5 * 60 * MINUTES);
    expect(done.betslips).toBeGreaterThan(1_800);
    expect(done.reads + done.offers).toBeGreaterThan(0.8 * 20 * 60 * MINUTES - 2 * done.betslips);
    await venue.close();
    host.close();
  },
  patient(120_000),
);

it('throttles none of 500 requests of mixed priority at once, and sends the urgent ones first', async () => {
  const clock = new VirtualClock();
  const core = exchangeWithMarket(clock);
  const { http, sockets, host } = inProcessTransports({ core, clock, latency: constantLatency(20) });
  const venue = venueOver({ http, sockets }, clock);
  await clock.advance(10_000);
  const answered: string[] = [];
  const asked = Array.from({ length: 500 }, async (_, at) => {
    const note = (): void => void answered.push(at % 5 === 0 ? 'urgent' : 'other');
    if (at % 5 === 0) return venue.closeOrder(orderId(at + 1)).then(note, note);
    return venue.balance({ priority: at % 5 === 1 ? 'reducing' : 'normal' }).then(note);
  });
  await settled(clock, Promise.all(asked));
  expect(core.inspect().accounts[0]?.throttledCount).toBe(0);
  expect(venue.throttledCount).toBe(0);
  // Requests made before any urgent one may leave before it: as many as a burst has.
  expect(answered.lastIndexOf('urgent')).toBeLessThan(100 + 60);
  await venue.close();
  host.close();
});
