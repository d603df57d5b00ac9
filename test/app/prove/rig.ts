import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { prove, PROVE_REQUESTS, type ProveReport } from '../../../src/app/prove/prove.ts';
import type { ProveOptions } from '../../../src/app/prove/bench.ts';
import { WireWatch } from '../../../src/app/prove/wire-watch.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import type {
  HttpAnswer,
  HttpRequest,
  HttpTransport,
  SocketTransport,
} from '../../../src/ports/transport.ts';
import { allowRequests } from '../../../src/ports/transport/allow.ts';
import { recordHttp, recordSockets } from '../../../src/ports/transport/record.ts';
import type { Exchange } from '../../../src/simulator/core/exchange.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../../../src/simulator/core/settings.ts';
import { inProcessTransports } from '../../../src/simulator/in-process/transports.ts';
import { createClient } from '../../../src/venue/index.ts';
import { exchangeWithMarket, setLevel, SUBJECT_KEY } from '../../contract/venue-subject.ts';

export type Json = Record<string, unknown>;

/** A change of what the exchange says or hears. Each returns the changed value. */
export interface Lie {
  /** Of a request, before the exchange sees it. */
  readonly request?: (request: HttpRequest) => HttpRequest;
  /** Of an answer; `body` is its JSON. */
  readonly answer?: (answer: HttpAnswer, request: HttpRequest, body: Json) => HttpAnswer;
  /** Of an entry of the stream; null drops it. */
  readonly entry?: (tag: string, payload: Json) => Json | null;
  /** Of a whole frame. */
  readonly frame?: (frame: Json) => Json;
}

export const withBody = (answer: HttpAnswer, body: unknown): HttpAnswer => ({
  ...answer,
  body: JSON.stringify(body),
});

/** Whether a request is of this method and path. */
export const is = ({ method, path }: HttpRequest, name: RegExp): boolean =>
  name.test(`${method} ${path.split('?')[0] ?? ''}`);

function lyingHttp(http: HttpTransport, lies: readonly Lie[]): HttpTransport {
  return {
    async send(request) {
      const asked = lies.reduce((it, { request: change }) => change?.(it) ?? it, request);
      const answer = await http.send(asked);
      return lies.reduce(
        (it, { answer: change }) => change?.(it, request, JSON.parse(it.body) as Json) ?? it,
        answer,
      );
    },
    close: () => http.close(),
  };
}

function lyingSockets(sockets: SocketTransport, lies: readonly Lie[]): SocketTransport {
  const changed = (data: Uint8Array): Uint8Array => {
    const frame = JSON.parse(new TextDecoder().decode(data)) as { data: [string, Json][] };
    const entries = frame.data.flatMap(([tag, payload]) => {
      let now: Json | null = payload;
      for (const { entry } of lies) if (now !== null && entry !== undefined) now = entry(tag, now);
      return now === null ? [] : [[tag, now]];
    });
    const whole = lies.reduce<Json>((it, { frame: change }) => change?.(it) ?? it, {
      ...frame,
      data: entries,
    });
    return new TextEncoder().encode(JSON.stringify(whole));
  };
  return {
    open: (query, handlers) =>
      sockets.open(query, {
        onOpen: () => handlers.onOpen(),
        onMessage: (data) => handlers.onMessage(changed(data)),
        onRefused: (status, body) => handlers.onRefused(status, body),
        onClose: (code, reason) => handlers.onClose(code, reason),
      }),
  };
}

export interface ProveRig {
  readonly clock: VirtualClock;
  readonly core: Exchange;
  readonly wire: WireWatch;
  /** Every request that left, with its instant. */
  readonly sent: { readonly name: string; readonly atMs: number }[];
  run(options?: Partial<ProveOptions>): Promise<ProveReport>;
  stop(): Promise<void>;
}

/** The delays of the embedded exchange, which the contract's market shortens. */
const { quoteDelayMs, quoteIntervalMs, quoteOnChangeMs, broadcastIntervalMs, infoIntervalMs, minHeartbeatS } =
  DEFAULT_SETTINGS;
const USUAL = {
  quoteDelayMs,
  quoteIntervalMs,
  quoteOnChangeMs,
  broadcastIntervalMs,
  infoIntervalMs,
  minHeartbeatS,
};

/** The embedded exchange with one selection, and a run against it on virtual time. */
export function proveRig(settings: Partial<ExchangeSettings> = {}, ...lies: readonly Lie[]): ProveRig {
  const clock = new VirtualClock();
  const core = exchangeWithMarket(clock, { ...USUAL, ...settings });
  const nowMs = clock.wallMs();
  setLevel(core, 'against', 2.2, 0, nowMs);
  setLevel(core, 'for', 2.3, 0, nowMs);
  for (const [resting, price] of LEVELS) setLevel(core, resting, price, 100, nowMs);
  addOthers(core, nowMs);
  const { http, sockets, host } = inProcessTransports({ core, clock });
  const wire = new WireWatch();
  const sent: { name: string; atMs: number }[] = [];
  const apiKey = new Secret(SUBJECT_KEY);
  const take: WireWatch['take'] = (record) => {
    wire.take(record);
    if (record.kind === 'request')
      sent.push({ name: `${record.method} ${record.path}`, atMs: record.monotonicMs });
  };
  const exchange = createClient({
    clock,
    apiKey,
    random: seededRandom(2),
    logger: silentLogger,
    metrics: noMetrics,
    http: allowRequests(recordHttp(lyingHttp(http, lies), take, clock, apiKey), PROVE_REQUESTS),
    sockets: recordSockets(lyingSockets(sockets, lies), take, clock, apiKey),
  });
  let uuids = 0;
  const uuid = (): string => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`;
  const run = (options: Partial<ProveOptions> = {}): Promise<ProveReport> => {
    const { signal } = new AbortController();
    const usual = {
      observesOnly: false,
      stakeMicros: 1_000_000,
      sports: [],
      clock,
      ids: { uuid },
      wire,
      signal,
    };
    return settled(clock, prove(exchange, { ...usual, ...options }));
  };
  const stop = async (): Promise<void> => {
    await exchange.close();
    host.close();
  };
  return { clock, core, wire, sent, run, stop };
}

/** Stake of others on the selection, in lay prices. */
const LEVELS = [
  ['against', 2.6],
  ['against', 2.58],
  ['for', 2.64],
  ['for', 2.66],
] as const;
/** Stake on the other selections, on which an order of ours would be deeper in the offers. */
const OTHER_LEVELS = [...LEVELS, ['against', 2.56]] as const;
const OTHERS = 11;

/** Other events, so that many selections vote. */
function addOthers(core: Exchange, nowMs: number): void {
  for (let n = 1; n <= OTHERS; n++) {
    const eventId = `2026-03-01,${100 + n},${200 + n}`;
    core.market.putEvent(
      {
        sport: 'fb',
        eventId,
        eventType: 'normal',
        eventName: `Home ${n} v Away ${n}`,
        competitionId: 7,
        competitionName: 'League',
        competitionCountry: 'GB',
        home: `Home ${n}`,
        away: `Away ${n}`,
        homeId: 100 + n,
        awayId: 200 + n,
        teams: [],
        startTimeMs: nowMs + 3_600_000,
        endTimeMs: null,
      },
      nowMs,
    );
    for (const [resting, price] of OTHER_LEVELS)
      core.market.setLevel(
        'crowd',
        { sport: 'fb', eventId, outcome: 'h' },
        resting,
        price,
        toMicros(100),
        nowMs,
      );
  }
}

const STEP_MS = 50;
const PATIENCE_MS = 300_000;

async function settled<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  const state = { isSettled: false };
  const mark = (): void => void (state.isSettled = true);
  promise.then(mark, mark);
  const untilMs = clock.monotonicMs() + PATIENCE_MS;
  while (!state.isSettled && clock.monotonicMs() < untilMs) await clock.advance(STEP_MS);
  if (!state.isSettled) throw new Error('the run never ended');
  return promise;
}
