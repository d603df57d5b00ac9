/**
 * `npm run bench:rate [-- SECONDS]`: full demand of everything, in real time, over sockets to a simulator in the same
 * process (another process would only add noise). Fails when an answer was 429 or less than 95 % of the order budget was
 * used.
 */
import { systemClock } from '../src/app/adapters/system-clock.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { startSimulator } from '../src/simulator/server/start-simulator.ts';
import { undiciTransport, wsTransport } from '../src/venue/index.ts';
import { EVENT_ID, exchangeWithMarket, venueOver } from '../test/contract/venue-subject.ts';
import { fullDemand } from '../test/support/full-demand.ts';

const DEFAULT_SECONDS = 600;
const ORDERS_PER_SECOND = 5;
const WANTED_SHARE = 0.95;

const seconds = Number(process.argv[2] ?? DEFAULT_SECONDS);
const clock = systemClock;
const core = exchangeWithMarket(clock);
const simulator = await startSimulator({ core, clock, logger: silentLogger, port: 0 });
const http = undiciTransport({ baseUrl: simulator.rest, clock, connections: 32 });
const venue = venueOver({ http, sockets: wsTransport({ url: simulator.stream }) }, clock);

const done = await fullDemand({ venue, clock, eventId: EVENT_ID, durationMs: seconds * 1000 });
const throttled = core.inspect().accounts[0]?.throttledCount ?? NaN;
const share = done.orders / (ORDERS_PER_SECOND * seconds);
console.log(
  `${seconds} s: ${throttled} throttled, ${done.orders} orders (${(share * 100).toFixed(1)} % of the budget), ` +
    `${done.betslips} betslips, ${done.reads} reads, ${done.offers} offers calls`,
);
await venue.close();
await simulator.close();
if (throttled !== 0 || share < WANTED_SHARE) process.exitCode = 1;
