import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { TransportError } from '../../../src/domain/errors.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { HttpRequest, SocketHandlers } from '../../../src/ports/transport.ts';
import {
  type HttpRecord,
  recordHttp,
  recordSockets,
  type StreamRecord,
} from '../../../src/ports/transport/record.ts';
import { FakeHttp, FakeSockets, ok } from '../../venue/support/fake-transports.ts';

const KEY = 'cAnArY+4f1e/77=a3';
const VARIANTS = [KEY, encodeURIComponent(KEY)];

const request = (part: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  path: '/v2/orders/',
  body: '{"price":2.5}',
  timeoutMs: 1_000,
  headers: { 'X-Api-Key': KEY, accept: 'application/json' },
  ...part,
});

const utf8 = new TextEncoder();
const handlers: SocketHandlers = {
  onOpen: () => undefined,
  onMessage: () => undefined,
  onRefused: () => undefined,
  onClose: () => undefined,
};

function recording(key = KEY) {
  const clock = new VirtualClock();
  const apiKey = new Secret(key);
  const [http, sockets] = [new FakeHttp(() => ok(null)), new FakeSockets()];
  const [wire, stream]: [HttpRecord[], StreamRecord[]] = [[], []];
  return {
    clock,
    http,
    sockets,
    wire,
    stream,
    recordedHttp: recordHttp(http, (record) => wire.push(record), clock, apiKey),
    recordedSockets: recordSockets(sockets, (record) => stream.push(record), clock, apiKey),
  };
}

it('records a request before it leaves and its answer when it arrives, with their instants', async () => {
  const { clock, http, wire, recordedHttp } = recording();
  const atLeaving: number[] = [];
  http.answer = async () => {
    atLeaving.push(wire.length);
    await clock.advance(30);
    return { status: 201, headers: { 'retry-after': '1' }, body: '{"a":"é"}' };
  };
  await clock.advance(5);
  const startMs = clock.monotonicMs();
  const answer = await recordedHttp.send(request());
  expect(atLeaving).toEqual([1]);
  expect(wire).toEqual([
    {
      kind: 'request',
      id: 1,
      monotonicMs: startMs,
      method: 'POST',
      path: '/v2/orders/',
      headers: { 'X-Api-Key': '[secret]', accept: 'application/json' },
      body: '{"price":2.5}',
    },
    { kind: 'answer', monotonicMs: startMs + 30, request: wire[0], ...answer },
  ]);
  expect(http.requests).toEqual([request()]);
});

it.each(['not-sent', 'unknown'] as const)('records how a request failed: %s', async (outcome) => {
  const { http, wire, recordedHttp } = recording();
  const error = new TransportError(outcome, `broken near ${KEY}`);
  http.answer = () => error;
  await expect(recordedHttp.send(request())).rejects.toBe(error);
  expect(wire[1]).toMatchObject({
    kind: 'failure',
    request: wire[0],
    outcome,
    reason: 'broken near [secret]',
  });
});

it('distinguishes requests in flight, in the order of their answers', async () => {
  const { http, wire, recordedHttp } = recording();
  const answers: (() => void)[] = [];
  http.answer = () => new Promise((resolve) => answers.push(() => resolve(ok(null))));
  const sent = ['/v2/a/', '/v2/b/'].map((path) => recordedHttp.send(request({ path })));
  answers.reverse().forEach((answer) => answer());
  await Promise.all(sent);
  const ids = wire.map((record) => (record.kind === 'request' ? record.id : record.request.id));
  expect(ids).toEqual([1, 2, 2, 1]);
});

it('records every step of a connection and every message, in both directions', async () => {
  const { clock, sockets, stream, recordedSockets } = recording();
  const startMs = clock.monotonicMs();
  const socket = recordedSockets.open({ api_key: KEY, lang: 'en' }, handlers);
  socket.send('["too early"]');
  await clock.advance(10);
  sockets.last.handlers.onOpen();
  socket.send('["hello",1]');
  const data = utf8.encode('{"é":1}');
  sockets.last.handlers.onMessage(data);
  socket.terminate();
  socket.terminate();
  socket.send('["too late"]');
  sockets.last.handlers.onClose(null, '');
  const connection = 1;
  const monotonicMs = startMs + 10;
  expect(stream).toEqual([
    { kind: 'opening', monotonicMs: startMs, connection, query: { api_key: '[secret]', lang: 'en' } },
    { kind: 'open', monotonicMs, connection },
    { kind: 'sent', monotonicMs, connection, text: '["hello",1]' },
    { kind: 'received', monotonicMs, connection, data },
    { kind: 'terminated', monotonicMs, connection },
    { kind: 'closed', monotonicMs, connection, code: null, reason: '' },
  ]);
  expect((stream[3] as { data?: unknown }).data).toBe(data);
  expect(sockets.last.query).toEqual({ api_key: KEY, lang: 'en' });
});

it('counts connections, and records a refusal and a close with their reasons', () => {
  const { sockets, stream, recordedSockets } = recording();
  recordedSockets.open({}, handlers);
  recordedSockets.open({}, handlers);
  sockets.opened[0]?.handlers.onRefused(401, 'auth_rejected');
  sockets.opened[1]?.handlers.onClose(1008, 'slow');
  expect(stream.slice(2)).toMatchObject([
    { kind: 'refused', connection: 1, status: 401, body: 'auth_rejected' },
    { kind: 'closed', connection: 2, code: 1008, reason: 'slow' },
  ]);
});

it('passes the parts of a message to a receiver that asks for them', () => {
  const { sockets, recordedSockets } = recording();
  let parts = 0;
  recordedSockets.open({}, { ...handlers, onBytes: () => void parts++ });
  sockets.last.handlers.onBytes?.();
  recordedSockets.open({}, handlers);
  sockets.last.handlers.onBytes?.();
  expect(parts).toBe(1);
});

it('shows the sink no key, wherever it occurs', async () => {
  const { http, sockets, wire, stream, recordedHttp, recordedSockets } = recording();
  const texts = VARIANTS.join(' and ');
  http.answer = () => ({ status: 401, headers: { 'x-api-key': KEY, location: `/?k=${texts}` }, body: texts });
  await recordedHttp.send(
    request({ path: `/v2/?k=${texts}`, body: texts, headers: { 'x-api-key': KEY, a: texts } }),
  );
  http.answer = () => new TransportError('unknown', texts);
  await recordedHttp.send(request()).catch(() => undefined);
  const socket = recordedSockets.open({ api_key: KEY, lang: texts }, handlers);
  const { handlers: inner } = sockets.last;
  inner.onOpen();
  sockets.last.onSend = () => undefined;
  socket.send(JSON.stringify([texts]));
  inner.onMessage(utf8.encode(`{"é":"${texts}"}`));
  inner.onRefused(401, texts);
  inner.onClose(1008, texts);
  const seen = stream.map((record) =>
    record.kind === 'received' ? new TextDecoder().decode(record.data) : JSON.stringify(record),
  );
  const everything = [JSON.stringify(wire), ...seen].join('\n');
  expect(everything.match(/\[secret\]/g)?.length).toBeGreaterThan(15);
  for (const variant of VARIANTS) expect(everything).not.toContain(variant);
});

it('shows the sink no key that is too short to be searched for in texts', async () => {
  const { wire, stream, recordedHttp, recordedSockets } = recording('k1');
  await recordedHttp.send(request({ headers: { 'x-api-key': 'k1' } }));
  recordedSockets.open({ api_key: 'k1' }, handlers);
  expect(JSON.stringify([wire, stream])).not.toContain('k1');
});
