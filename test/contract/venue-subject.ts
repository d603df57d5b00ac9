import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { toMicros } from '../../src/domain/money.ts';
import { Secret } from '../../src/domain/secret.ts';
import { seededRandom } from '../../src/lib/random.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { HttpTransport, SocketTransport } from '../../src/ports/transport.ts';
import type { Venue } from '../../src/ports/venue.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import type { ExchangeSettings } from '../../src/simulator/core/settings.ts';
import type { ExchangeHost } from '../../src/simulator/host/exchange-host.ts';
import { inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import { startSimulator } from '../../src/simulator/server/start-simulator.ts';
import { createVenue, undiciTransport, type VenueOptions, wsTransport } from '../../src/venue/index.ts';
import { patient } from '../support/patience.ts';

export const SUBJECT_KEY = 'contract-key';
export const EVENT_ID = '2026-03-01,11,22';

/** A venue, the exchange behind it, and control over time. */
export interface VenueSubject {
  readonly venue: Venue;
  readonly clock: Clock;
  readonly host: ExchangeHost;
  /** Lets time pass until `condition` holds; throws when it never does. */
  until(condition: () => boolean): Promise<void>;
  /** Lets time pass until the promise settles. */
  run<T>(promise: Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** The exchange's own delays, shortened so that a suite in real time does not wait for them. */
const QUICK: Partial<ExchangeSettings> = {
  quoteDelayMs: 60,
  quoteIntervalMs: 60,
  quoteOnChangeMs: 20,
  broadcastIntervalMs: 40,
  infoIntervalMs: 200,
  heartbeatCheckMs: 100,
  minHeartbeatS: 1,
};

export function exchangeWithMarket(clock: Clock, settings: Partial<ExchangeSettings> = {}): Exchange {
  const nowMs = clock.wallMs();
  const exchange = createExchange({
    accounts: [{ accountId: 'a', keys: [SUBJECT_KEY], balanceMicros: toMicros(10_000) }],
    feeds: [],
    parseBetType,
    random: seededRandom(1),
    startMs: nowMs,
    settings: { ...QUICK, priceConvention: 'lay', ...settings },
  });
  exchange.market.putEvent(
    {
      sport: 'fb',
      eventId: EVENT_ID,
      eventType: 'normal',
      eventName: 'Home v Away',
      competitionId: 7,
      competitionName: 'League',
      competitionCountry: 'GB',
      home: 'Home',
      away: 'Away',
      homeId: 11,
      awayId: 22,
      teams: [],
      startTimeMs: nowMs + 3_600_000,
      endTimeMs: null,
    },
    nowMs,
  );
  setLevel(exchange, 'against', 2.2, 100, nowMs);
  setLevel(exchange, 'for', 2.3, 100, nowMs);
  return exchange;
}

/** Background stake on the home win: stake resting `against` is offered to `for` takers. */
export function setLevel(
  exchange: Exchange,
  resting: 'for' | 'against',
  price: number,
  stake: number,
  nowMs: number,
): void {
  const outcome = { sport: 'fb', eventId: EVENT_ID, outcome: 'h' };
  exchange.market.setLevel('crowd', outcome, resting, price, toMicros(stake), nowMs);
}

export const venueOver = (
  transports: { http: HttpTransport; sockets: SocketTransport },
  clock: Clock,
  options: Partial<VenueOptions> = {},
) =>
  createVenue({
    kind: 'simulated',
    ...transports,
    clock,
    apiKey: new Secret(SUBJECT_KEY),
    random: seededRandom(2),
    logger: silentLogger,
    metrics: noMetrics,
    reconnect: { firstMs: 50 },
    ...options,
  });

const PATIENCE_MS = 20_000;
const STEP_MS = 10;

/** Exchange and client in one process, in virtual time. */
export async function inProcessSubject(): Promise<VenueSubject> {
  const clock = new VirtualClock();
  const core = exchangeWithMarket(clock);
  const { http, sockets, host } = inProcessTransports({ core, clock });
  const venue = venueOver({ http, sockets }, clock);
  const until = async (condition: () => boolean): Promise<void> => {
    const deadlineMs = clock.monotonicMs() + PATIENCE_MS;
    while (!condition()) {
      if (clock.monotonicMs() > deadlineMs) throw new Error('it never came to be');
      await clock.advance(STEP_MS);
    }
  };
  await clock.advance(2_000);
  const stop = async (): Promise<void> => {
    await venue.close();
    host.close();
  };
  return { venue, clock, host, until, run: (promise) => runBy(until, promise), stop };
}

/** Exchange and client with the network between them, in real time. */
export async function socketSubject(): Promise<VenueSubject> {
  const clock = systemClock;
  const core = exchangeWithMarket(clock);
  const simulator = await startSimulator({ core, clock, logger: silentLogger, port: 0 });
  const http = undiciTransport({ baseUrl: simulator.rest, clock });
  const sockets = wsTransport({ url: simulator.stream });
  const venue = venueOver({ http, sockets }, clock);
  const until = async (condition: () => boolean): Promise<void> => {
    const deadlineMs = clock.monotonicMs() + patient(PATIENCE_MS);
    while (!condition()) {
      if (clock.monotonicMs() > deadlineMs) throw new Error('it never came to be');
      await new Promise<void>((resolve) => {
        clock.after(STEP_MS, resolve);
      });
    }
  };
  const stop = async (): Promise<void> => {
    await venue.close();
    await simulator.close();
  };
  return { venue, clock, host: simulator.host, until, run: (promise) => promise, stop };
}

async function runBy<T>(until: (condition: () => boolean) => Promise<void>, promise: Promise<T>): Promise<T> {
  const state = { settled: false };
  const mark = (): void => void (state.settled = true);
  promise.then(mark, mark);
  await until(() => state.settled);
  return promise;
}
