import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { HttpTransport, SocketTransport } from '../../src/ports/transport.ts';
import { allowRequests } from '../../src/ports/transport/allow.ts';
import { recordHttp, recordSockets } from '../../src/ports/transport/record.ts';
import type { ExchangeHost } from '../../src/simulator/host/exchange-host.ts';
import { constantLatency } from '../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import { startSimulator } from '../../src/simulator/server/start-simulator.ts';
import { undiciTransport, wsTransport } from '../../src/venue/index.ts';
import { FakeCore } from '../simulator/host/fake-core.ts';

export const TRANSPORT_KEY = 'key-of-the-transport-contract';

export interface Transports {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
}

/** Both transports to one exchange, that exchange, and control over time. */
export interface TransportSubject extends Transports {
  readonly clock: Clock;
  readonly core: FakeCore;
  readonly host: ExchangeHost;
  /** Lets time pass until `condition` holds; throws when it never does. */
  until(condition: () => boolean): Promise<void>;
  /** Lets a moment pass. */
  step(): Promise<void>;
  stop(): Promise<void>;
}

const STEP_MS = 5;
const LATENCY_MS = 10;
const MOST_MS = 10_000;

async function untilTrue(clock: Clock, step: () => Promise<void>, condition: () => boolean): Promise<void> {
  const deadlineMs = clock.monotonicMs() + MOST_MS;
  while (!condition()) {
    if (clock.monotonicMs() > deadlineMs) throw new Error('it never came to be');
    await step();
  }
}

export function transportsInProcess(): Promise<TransportSubject> {
  const [core, clock] = [new FakeCore(), new VirtualClock()];
  const { http, sockets, host } = inProcessTransports({ core, clock, latency: constantLatency(LATENCY_MS) });
  const step = (): Promise<void> => clock.advance(STEP_MS);
  return Promise.resolve({
    http,
    sockets,
    clock,
    core,
    host,
    step,
    until: (condition) => untilTrue(clock, step, condition),
    stop: async () => {
      await http.close();
      host.close();
    },
  });
}

export async function transportsOverSockets(): Promise<TransportSubject> {
  const [core, clock] = [new FakeCore(), systemClock];
  const simulator = await startSimulator({ core, clock, logger: silentLogger, port: 0 });
  const http = undiciTransport({ baseUrl: simulator.rest, clock });
  const step = (): Promise<void> => new Promise((resolve) => void clock.after(STEP_MS, resolve));
  return {
    http,
    sockets: wsTransport({ url: simulator.stream }),
    clock,
    core,
    host: simulator.host,
    step,
    until: (condition) => untilTrue(clock, step, condition),
    stop: async () => {
      await http.close();
      await simulator.close();
    },
  };
}

export type Decorate = (transports: Transports, clock: Clock) => Transports;

export const recorded: Decorate = ({ http, sockets }, clock) => {
  const apiKey = new Secret(TRANSPORT_KEY);
  return {
    http: recordHttp(http, () => undefined, clock, apiKey),
    sockets: recordSockets(sockets, () => undefined, clock, apiKey),
  };
};

export const restricted: Decorate = ({ http, sockets }) => ({
  http: allowRequests(http, ['GET /v2/xrates/', 'POST /v2/orders/', 'GET /v2/orders/{order_id}/']),
  sockets,
});
