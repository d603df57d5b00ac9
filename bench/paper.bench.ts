/**
 * Measures the time that paper adds to each frame of a market day: 200 events of 150 offers, of which a share changes from frame to frame, observed by the embedded
 * exchange under three fill models. `node bench/paper.bench.ts`.
 */
import process from 'node:process';
import { VirtualClock } from '../src/app/adapters/virtual-clock.ts';
import { toMicros } from '../src/domain/money.ts';
import { invariant } from '../src/lib/assert.ts';
import { seededRandom } from '../src/lib/random.ts';
import { openPaperExchange } from '../src/paper/paper-exchange.ts';
import type { RealExchange } from '../src/paper/real-exchange.ts';
import { RequestTimes } from '../src/paper/request-times.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { noMetrics } from '../src/ports/metrics.ts';
import type { SocketHandlers } from '../src/ports/transport.ts';
import { figure } from './figures.ts';
import { benchRandom, eventIdOf, frameText, nextBroadcast, offersOf } from './frames.ts';

const EVENTS = 200;
const OFFERS = 150;
const WARM_UP = 4;
const ROUNDS = 12;
/** Of the offers, from one frame of an event to the next. */
const SHARES = [0.05, 1];
/** Between two frames. */
const APART_MS = 10;

const nothing = (): void => undefined;

/** The real exchange, as far as a test plays it. */
class PlayedExchange implements RealExchange {
  readonly betslips = null;
  #handlers: SocketHandlers | null = null;

  get(): ReturnType<RealExchange['get']> {
    return Promise.resolve({ status: 200, headers: {}, body: '{"status":"ok","data":[]}' });
  }

  watch(handlers: SocketHandlers): ReturnType<RealExchange['watch']> {
    this.#handlers = handlers;
    return {
      register: nothing,
      unregister: nothing,
      listRegistered: nothing,
      echo: nothing,
      terminate: nothing,
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get handlers(): SocketHandlers {
    invariant(this.#handlers !== null, 'the stream is not open');
    return this.#handlers;
  }
}

const described = (index: number): unknown => [
  'event',
  {
    event_type: 'normal',
    sport: 'fb',
    event_id: eventIdOf(index),
    competition_id: 1,
    competition_name: 'League',
    competition_country: 'GB',
    home: `Home ${index}`,
    away: `Away ${index}`,
    event_name: `Home ${index} v Away ${index}`,
    ir_status: 'pre_event',
    start_time: '2026-11-21T12:00:00Z',
  },
];

/** Microseconds of processor time for each frame. */
async function costOfFrame(share: number): Promise<number> {
  const clock = new VirtualClock(Date.parse('2026-11-20T12:00:00Z'));
  const real = new PlayedExchange();
  const paper = openPaperExchange({
    real,
    clock,
    times: new RequestTimes(seededRandom(1, 'times')),
    balanceMicros: toMicros(1_000),
    settings: {},
    fills: 'queue',
    onFill: nothing,
    kept: [],
    onKept: nothing,
    results: [],
    mostRegistrations: EVENTS,
    random: seededRandom(1, 'paper'),
    logger: silentLogger,
    metrics: noMetrics,
  });
  const toNobody = { onOpen: nothing, onMessage: nothing, onRefused: nothing, onClose: nothing };
  const client = paper.sockets.open({}, toNobody);
  await clock.advance(APART_MS);
  real.handlers.onOpen();
  const indexes = Array.from({ length: EVENTS }, (_, index) => index);
  const data = [...indexes.map(described), ['sync', { session_id: 'bench' }]];
  real.handlers.onMessage(Buffer.from(JSON.stringify({ ts: '2026-11-21T04:00:00Z', data })));
  for (const index of indexes) client.send(JSON.stringify(['register_event', 'fb', eventIdOf(index)]));
  const random = benchRandom('paper');
  let books = indexes.map((index) => offersOf(eventIdOf(index), OFFERS, random));
  let tookMicros = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const frames = books.map((book) => Buffer.from(frameText(book)));
    const before = process.cpuUsage();
    for (const frame of frames) {
      real.handlers.onMessage(frame);
      await clock.advance(APART_MS);
    }
    const { user, system } = process.cpuUsage(before);
    if (round >= WARM_UP) tookMicros += user + system;
    books = books.map((book) => nextBroadcast(book, share, random));
  }
  await paper.http.close();
  return tookMicros / ROUNDS / EVENTS;
}

for (const share of SHARES) {
  const micros = await costOfFrame(share);
  const changed = `${100 * share} % changed`;
  console.log(`paper, ${OFFERS} offers a frame, ${changed}: ${micros.toFixed(0)} µs a frame`);
  figure(`paper, a frame, ${changed}`, micros, 'µs', 'cost');
}
