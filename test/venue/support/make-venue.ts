import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import { createVenue, type ExchangeVenue, type VenueOptions } from '../../../src/venue/index.ts';
import { type Answerer, FakeHttp, FakeSockets, ok } from './fake-transports.ts';

export const KEY = 'key-canary-9f3b1c';

export interface Rig {
  readonly venue: ExchangeVenue;
  readonly clock: VirtualClock;
  readonly http: FakeHttp;
  readonly sockets: FakeSockets;
}

/** A venue over fake transports in virtual time. */
export function makeRig(answer: Answerer = () => ok(null), options: Partial<VenueOptions> = {}): Rig {
  const clock = new VirtualClock();
  const http = new FakeHttp(answer);
  const sockets = new FakeSockets();
  const venue = createVenue({
    kind: 'simulated',
    http,
    sockets,
    clock,
    apiKey: new Secret(KEY),
    random: seededRandom(1),
    logger: silentLogger,
    metrics: noMetrics,
    ...options,
  });
  return { venue, clock, http, sockets };
}

/** Runs virtual time until the promise settles. Returns its value or throws its error. */
export async function settled<T>(clock: VirtualClock, promise: Promise<T>, withinMs = 600_000): Promise<T> {
  const state = { done: false };
  const mark = (): void => void (state.done = true);
  promise.then(mark, mark);
  const untilMs = clock.monotonicMs() + withinMs;
  await clock.advance(0);
  while (!state.done && clock.monotonicMs() < untilMs) {
    const nextMs = clock.nextTimerMs();
    if (nextMs === null) break;
    await clock.advance(Math.max(0, nextMs - clock.monotonicMs()));
  }
  return promise;
}
