import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import type { HttpRequest, SocketHandlers } from '../../../src/ports/transport.ts';
import { constantLatency, uniformLatency } from '../../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports } from '../../../src/simulator/in-process/transports.ts';
import { FakeCore } from '../host/fake-core.ts';

const START_MS = 1_700_000_000_000;

function setUp(oneWayMs = 0) {
  const core = new FakeCore();
  const clock = new VirtualClock(START_MS);
  return { core, clock, ...inProcessTransports({ core, clock, latency: constantLatency(oneWayMs) }) };
}

function get(path: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', path, headers: { 'x-api-key': 'k' }, body: null, timeoutMs: 1_000, ...more };
}

/** Records the state of a promise, so that tests on virtual time can read it. */
function watch(promise: Promise<unknown>): { outcome: unknown } {
  const watched: { outcome: unknown } = { outcome: 'pending' };
  promise.then(
    () => (watched.outcome = 'answered'),
    (error: unknown) => (watched.outcome = error),
  );
  return watched;
}

function recorder(): SocketHandlers & { events: string[] } {
  const events: string[] = [];
  return {
    events,
    onOpen: () => void events.push('open'),
    onMessage: (data) => void events.push(Buffer.from(data).toString()),
    onRefused: (status, body) => void events.push(`refused ${status} ${body}`),
    onClose: (code, reason) => void events.push(`close ${code} ${reason}`),
  };
}

describe('HTTP in process', () => {
  it('answers after both latencies, and reaches the exchange after one', async () => {
    const { core, clock, http } = setUp(20);
    const answer = http.send(get('/v2/xrates/', { headers: { 'X-API-Key': 'k2' }, body: 'b' }));
    const watched = watch(answer);
    await clock.advance(39);
    expect(watched.outcome).toBe('pending');
    expect(core.times).toEqual([START_MS + 20]);
    expect(core.released).toBe(0);
    await clock.advance(1);
    const { status, headers, body } = await answer;
    expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(body)).toMatchObject({ data: { apiKey: 'k2', body: 'b', target: '/v2/xrates/' } });
    expect(core.released).toBe(1);
    expect(clock.nextTimerMs()).toBeNull();
  });

  it('leaves the outcome unknown when the answer takes too long, and the exchange has acted', async () => {
    const { core, clock, http } = setUp(20);
    const watched = watch(http.send(get('/v2/orders/', { timeoutMs: 30 })));
    await clock.advance(30);
    expect(watched.outcome).toMatchObject({ code: 'transport', outcome: 'unknown' });
    expect(core.calls).toContain('GET /v2/orders/');
  });

  it('gives up when cancelled: not sent before the send, unknown after it', async () => {
    const { clock, http } = setUp(20);
    const abort = new AbortController();
    const during = watch(http.send(get('/v2/a/', { signal: abort.signal })));
    await clock.advance(5);
    abort.abort();
    const after = watch(http.send(get('/v2/b/', { signal: abort.signal })));
    await clock.advance(0);
    expect(during.outcome).toMatchObject({ outcome: 'unknown' });
    expect(after.outcome).toMatchObject({ outcome: 'not-sent' });
  });

  it('fails requests in flight when closed, and sends nothing afterwards', async () => {
    const { clock, http } = setUp(20);
    const during = watch(http.send(get('/v2/a/')));
    await http.close();
    const after = watch(http.send(get('/v2/b/')));
    await clock.advance(0);
    expect(during.outcome).toMatchObject({ outcome: 'unknown' });
    expect(after.outcome).toMatchObject({ outcome: 'not-sent' });
  });
});

describe('stream in process', () => {
  it('opens, sends and receives, always later and in order', async () => {
    const { clock, sockets } = setUp(10);
    const client = recorder();
    const socket = sockets.open({ api_key: 'k' }, client);
    socket.send('too early');
    await clock.advance(19);
    expect(client.events).toEqual([]);
    await clock.advance(1);
    socket.send('[1]');
    expect(client.events).toEqual(['open', 'hello']);
    await clock.advance(20);
    expect(client.events).toEqual(['open', 'hello', 'echo [1]']);
  });

  it('is refused as over the network', async () => {
    const { clock, sockets } = setUp(10);
    const client = recorder();
    sockets.open({}, client);
    await clock.advance(20);
    expect(client.events).toEqual(['refused 400 missing_credentials']);
  });

  it('reports to the client once why the exchange closed', async () => {
    const { clock, host, sockets } = setUp(10);
    const [left, dropped] = [recorder(), recorder()];
    const socket = sockets.open({ api_key: 'k' }, left);
    sockets.open({ api_key: 'k' }, dropped);
    await clock.advance(20);
    socket.send('leave');
    await clock.advance(20);
    host.dropStreams();
    socket.terminate();
    await clock.advance(20);
    expect(left.events).toEqual(['open', 'hello', 'close 1000 bye']);
    expect(dropped.events).toEqual(['open', 'hello', 'close null ']);
  });

  it('delivers nothing after terminate but the end, and informs the exchange', async () => {
    const { core, clock, sockets } = setUp(10);
    const client = recorder();
    const socket = sockets.open({ api_key: 'k' }, client);
    await clock.advance(20);
    socket.send('late');
    await clock.advance(15);
    socket.terminate();
    socket.send('nothing');
    await clock.advance(20);
    expect(client.events).toEqual(['open', 'hello', 'close null ']);
    expect(core.calls.at(-1)).toBe('disconnect 1');
    expect(clock.nextTimerMs()).toBeNull();
  });

  it('leaves nothing open when terminated during the handshake', async () => {
    const { core, clock, sockets } = setUp(10);
    const client = recorder();
    sockets.open({ api_key: 'k' }, client).terminate();
    await clock.advance(40);
    expect(client.events).toEqual(['close null ']);
    expect(core.connections.size).toBe(0);
  });
});

it('draws latencies from the seed alone', () => {
  const draws = [1, 1, 2].map((seed) => {
    const latency = uniformLatency(seededRandom(seed), 5, 10);
    return [latency.toExchangeMs(), latency.toClientMs()];
  });
  expect(draws[0]).toEqual(draws[1]);
  expect(draws[0]).not.toEqual(draws[2]);
  for (const ms of draws.flat()) expect(ms >= 5 && ms < 10).toBe(true);
});
