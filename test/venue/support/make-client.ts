import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import { createClient, type ExchangeClient, type VenueOptions } from '../../../src/venue/index.ts';
import { type Answerer, FakeHttp, FakeSockets, ok } from './fake-transports.ts';

export interface ClientRig {
  readonly client: ExchangeClient;
  readonly clock: VirtualClock;
  readonly http: FakeHttp;
  readonly sockets: FakeSockets;
}

/** The public client over fake transports in virtual time. */
export function makeClient(
  answer: Answerer = () => ok(null),
  options: Partial<VenueOptions> = {},
): ClientRig {
  const [clock, http, sockets] = [new VirtualClock(), new FakeHttp(answer), new FakeSockets()];
  const around = { clock, http, sockets, random: seededRandom(1), logger: silentLogger, metrics: noMetrics };
  return { client: createClient({ ...around, apiKey: new Secret('k'), ...options }), clock, http, sockets };
}
