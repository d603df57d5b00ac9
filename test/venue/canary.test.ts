import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { StreamSignal } from '../../src/domain/stream.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { createLogger } from '../../src/ops/logger.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { HttpTransport, SocketTransport } from '../../src/ports/transport.ts';
import {
  createClient,
  createVenue,
  type ExchangeVenue,
  undiciTransport,
  wsTransport,
} from '../../src/venue/index.ts';
import { patient } from '../support/patience.ts';
import { type Answerer, FakeHttp, FakeSockets, json, ok, script } from './support/fake-transports.ts';
import { placeOrder } from './support/samples.ts';

const CANARY = 'cAnArY+4f1e/77=a3';
const VARIANTS = [CANARY, encodeURIComponent(CANARY), Buffer.from(CANARY).toString('base64')];

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Everything that anybody could read afterwards. */
class Evidence {
  readonly lines: string[] = [];
  readonly metrics = createPrometheusMetrics({ processMetrics: false });
  readonly #spies = [process.stdout, process.stderr].map((out) =>
    vi.spyOn(out, 'write').mockImplementation((chunk) => {
      this.lines.push(String(chunk));
      return true;
    }),
  );

  note(value: unknown): void {
    this.lines.push(inspect(value, { depth: null, showHidden: true, getters: true }));
    this.lines.push(value instanceof Error ? `${value.message} ${value.stack} ${JSON.stringify(value)}` : '');
  }

  async text(): Promise<string> {
    for (const spy of this.#spies) spy.mockRestore();
    return [...this.lines, (await this.metrics.expose()).text].join('\n');
  }
}

interface Rig {
  readonly venue: ExchangeVenue;
  readonly evidence: Evidence;
}

function rig(http: HttpTransport, sockets: SocketTransport, apiKey = new Secret(CANARY)): Rig {
  const evidence = new Evidence();
  const logger = createLogger('debug', { write: (line: string) => void evidence.lines.push(line) });
  const venue = createVenue({
    kind: 'live' as const,
    clock: systemClock,
    random: seededRandom(1),
    metrics: evidence.metrics,
    http,
    sockets,
    apiKey,
    logger,
    requestTimeoutMs: patient(200),
    retry: { attempts: 2, firstMs: 1 },
    reconnect: { firstMs: 20, longestMs: 50 },
  });
  cleanups.push(() => venue.close());
  return { venue, evidence };
}

async function expectSilence({ venue, evidence }: Rig): Promise<void> {
  evidence.note(venue);
  evidence.note(venue.unknowns());
  const text = await evidence.text();
  expect(text.length).toBeGreaterThan(100);
  for (const variant of VARIANTS) expect(text).not.toContain(variant);
}

/** Calls of every kind. Their errors are evidence. */
async function callEverything({ venue, evidence }: Rig): Promise<number> {
  const calls = [
    venue.balance(),
    venue.placeOrder(placeOrder()),
    venue.createHeartbeat(60),
    venue.closeAll(),
  ];
  const results = await Promise.allSettled(calls);
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  for (const failure of failures) evidence.note(failure);
  return failures.length;
}

async function listening(onConnection: (socket: Socket) => unknown): Promise<number> {
  const server: Server = createServer((socket) => {
    // The side that gives up a connection may reset it.
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanups.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const overHttp = (baseUrl: string): HttpTransport =>
  undiciTransport({ baseUrl, clock: systemClock, connectTimeoutMs: 200 });

describe('the key appears nowhere that anybody could read', () => {
  const echo = { detail: `key ${CANARY} is bad`, validation_errors: { [CANARY]: [CANARY] }, message: CANARY };
  const answers: [string, Answerer][] = [
    ...[400, 401, 403, 404, 409, 418, 429, 500, 503].map((status): [string, Answerer] => [
      `HTTP ${status} that repeats it`,
      script(
        json(status, { status: 'error', code: status === 418 ? CANARY : 'validation_error', data: echo }),
      ),
    ]),
    ['a page that repeats it', script({ status: 404, headers: { 'x-key': CANARY }, body: `<p>${CANARY}` })],
    ['an unreadable success', script({ status: 200, headers: {}, body: CANARY })],
    ['a success of another shape', script(ok({ order_id: 'x', [CANARY]: 1 }))],
    ['a bug in the transport', () => Promise.reject(new TypeError('no'))],
  ];

  it.each(answers)('%s', async (_name, answer) => {
    const around = rig(new FakeHttp(answer), new FakeSockets());
    expect(await callEverything(around)).toBeGreaterThan(0);
    await expectSilence(around);
  });

  it.each<[string, () => Promise<string>]>([
    ['a name that does not resolve', () => Promise.resolve('http://no-such-host.invalid/v2/')],
    ['a port where nobody listens', () => Promise.resolve('http://127.0.0.1:9/v2/')],
    ['TLS that cannot be agreed', async () => `https://127.0.0.1:${await listening((s) => s.destroy())}/v2/`],
    ['a connection that breaks', async () => `http://127.0.0.1:${await listening((s) => s.destroy())}/v2/`],
    [
      'an exchange that never answers',
      async () => `http://127.0.0.1:${await listening(() => undefined)}/v2/`,
    ],
    [
      'an answer that is no HTTP',
      async () => `http://127.0.0.1:${await listening((s) => s.on('data', (d) => s.end(d)))}/v2/`,
    ],
  ])('%s', async (_name, address) => {
    const baseUrl = await address();
    const sockets = wsTransport({ url: baseUrl.replace(/^http/, 'ws'), handshakeTimeoutMs: 200 });
    const around = rig(overHttp(baseUrl), sockets);
    around.venue.stream$.subscribe((signal) => around.evidence.note(signal));
    expect(await callEverything(around)).toBe(4);
    const logged = (): boolean => around.evidence.lines.some((line) => line.includes('the stream ended'));
    await expect.poll(logged, { timeout: patient(5_000) }).toBe(true);
    await expectSilence(around);
  });

  it('a key that no header can carry', async () => {
    const key = `${CANARY}\nx`;
    const sockets = new FakeSockets();
    const around = rig(overHttp('http://127.0.0.1:9/v2/'), sockets, new Secret(key));
    expect(await callEverything(around)).toBe(4);
    await expectSilence(around);
  });

  it.each([400, 401, 403, 500, 503])('an upgrade refused with %d and the key', async (status) => {
    const sockets = new FakeSockets();
    const around = rig(new FakeHttp(script(ok(null))), sockets);
    around.venue.stream$.subscribe((signal: StreamSignal) => around.evidence.note(signal));
    sockets.last.handlers.onRefused(status, `bad key ${CANARY}`);
    await expectSilence(around);
  });

  /** A server's answer to the upgrade; `asked` is the request, with the key in its first line. */
  const refusals: [string, (asked: string) => string][] = [
    [
      'a refusal with it in the body',
      (asked) => `HTTP/1.1 401 No\r\ncontent-length: ${asked.length}\r\n\r\n${asked}`,
    ],
    ['a refusal with it in the status', (asked) => `HTTP/1.1 403 ${asked.split(' ')[1]}\r\n\r\n`],
    [
      'a redirection to it',
      (asked) => `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9${asked.split(' ')[1]}\r\n\r\n`,
    ],
    [
      'an upgrade that was not agreed on',
      (asked) =>
        `HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${asked.split(' ')[1]}\r\n\r\n`,
    ],
    ['a header that cannot be read', (asked) => `HTTP/1.1 200 OK\r\n${asked}\0: x\r\n\r\n`],
  ];

  it.each(refusals)('an upgrade answered by %s', async (_name, answer) => {
    const port = await listening((socket) =>
      socket.on('data', (asked) => socket.end(answer(asked.toString()))),
    );
    const sockets = wsTransport({ url: `ws://127.0.0.1:${port}/v2/stream`, handshakeTimeoutMs: 500 });
    const around = rig(new FakeHttp(script(ok(null))), sockets);
    around.venue.stream$.subscribe((signal: StreamSignal) => around.evidence.note(signal));
    const logged = (): boolean => around.evidence.lines.some((line) => line.includes('the stream ended'));
    await expect.poll(logged, { timeout: patient(5_000) }).toBe(true);
    await expectSilence(around);
  });

  it('an error about registrations that repeats it', async () => {
    const sockets = new FakeSockets();
    const around = rig(new FakeHttp(script(ok(null))), sockets);
    const client = createClient({
      clock: systemClock,
      random: seededRandom(1),
      metrics: around.evidence.metrics,
      sockets,
      http: new FakeHttp(script(ok(null))),
      apiKey: new Secret(CANARY),
      logger: silentLogger,
    });
    cleanups.push(() => client.close());
    client.stream$.subscribe((signal) => around.evidence.note(signal));
    sockets.last.onSend = () => sockets.last.push(['response', { status: 'error', code: `no ${CANARY}` }]);
    sockets.last.begin();
    around.evidence.note(await client.registeredEvents().catch((error: unknown) => error));
    around.evidence.note(client);
    await expectSilence(around);
  });

  it('a stream that repeats it in every place', async () => {
    const sockets = new FakeSockets();
    const around = rig(new FakeHttp(script(ok(null))), sockets);
    around.venue.stream$.subscribe((signal: StreamSignal) => {
      if (signal.kind !== 'frame') around.evidence.note(signal);
    });
    sockets.last.begin();
    sockets.last.push(
      ['response', { status: 'error', code: CANARY }],
      ['offer', { [CANARY]: CANARY }],
      ['bet', CANARY],
    );
    sockets.last.raw(CANARY);
    sockets.last.handlers.onClose(1008, `closed ${CANARY}`);
    await expectSilence(around);
  });
});
