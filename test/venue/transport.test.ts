import { createServer, type RequestListener, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { TransportError } from '../../src/domain/errors.ts';
import type { HttpRequest, HttpTransport, SocketHandlers } from '../../src/ports/transport.ts';
import { undiciTransport } from '../../src/venue/transport/undici.ts';
import { wsTransport } from '../../src/venue/transport/ws.ts';
import { patient } from '../support/patience.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './support/certificate.ts';
import { holdNames } from './support/stalled-names.ts';
import { startProxy } from './support/proxy.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const request = (part: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  path: '/v2/xrates/',
  headers: { 'x-api-key': 'k' },
  body: null,
  // Whoever expects no timeout gets none.
  timeoutMs: patient(60_000),
  ...part,
});

type AnyServer = Server | Http2SecureServer | ReturnType<typeof createTcpServer>;

async function listening(server: AnyServer): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanups.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function transport(baseUrl: string): HttpTransport {
  const http = undiciTransport({ baseUrl, clock: systemClock, connections: 1, connectTimeoutMs: 500 });
  cleanups.push(() => http.close());
  return http;
}

const serve = async (listener: RequestListener, prefix = ''): Promise<HttpTransport> =>
  transport(`http://127.0.0.1:${await listening(createServer(listener))}${prefix}/v2/`);

/** An exchange behind TLS that speaks both versions of HTTP, on a line that may fail. */
async function secure(): Promise<{ http: HttpTransport; line: Awaited<ReturnType<typeof startProxy>> }> {
  const trusted = getCACertificates();
  setDefaultCACertificates([CERTIFICATE]);
  cleanups.push(() => setDefaultCACertificates(trusted));
  const server = createSecureServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE, allowHTTP1: true });
  server.on('request', (_incoming, outgoing) => outgoing.end('x'));
  const line = await startProxy(await listening(server));
  cleanups.push(() => line.close());
  return { http: transport(`https://localhost:${line.port}/v2/`), line };
}

const outcomeOf = async (sending: Promise<unknown>): Promise<string> => {
  const error = await sending.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(TransportError);
  return (error as TransportError).outcome;
};

describe('HTTP over sockets', () => {
  it.each(['', '/magic-api'])(
    'sends method, path, headers and body under the prefix "%s"',
    async (prefix) => {
      const http = await serve((incoming, outgoing) => {
        let body = '';
        incoming.on('data', (chunk) => (body += chunk));
        incoming.on('end', () => {
          outgoing.writeHead(201, { 'Retry-After': '3' });
          outgoing.end(`${incoming.method} ${incoming.url} ${String(incoming.headers['x-api-key'])} ${body}`);
        });
      }, prefix);
      const answer = await http.send(request({ method: 'POST', path: '/v2/orders/?a=1', body: '{"a":"é"}' }));
      expect(answer).toMatchObject({ status: 201, body: `POST ${prefix}/v2/orders/?a=1 k {"a":"é"}` });
      expect(answer.headers['retry-after']).toBe('3');
    },
  );

  it('asks for uncompressed answers: without that request a server may compress them', async () => {
    const http = await serve((incoming, outgoing) => {
      const isPlain = incoming.headers['accept-encoding'] === 'identity';
      outgoing.writeHead(200, isPlain ? {} : { 'content-encoding': 'gzip' });
      outgoing.end(isPlain ? 'plain' : gzipSync('plain'));
    });
    expect((await http.send(request())).body).toBe('plain');
  });

  it('reports that nothing was sent when the name does not resolve or nothing listens', async () => {
    const port = await listening(createTcpServer());
    cleanups.splice(0).forEach((cleanup) => cleanup());
    expect(await outcomeOf(transport(`http://127.0.0.1:${port}/v2/`).send(request()))).toBe('not-sent');
    expect(await outcomeOf(transport('http://no-such-host.invalid/v2/').send(request()))).toBe('not-sent');
  });

  it('reports that nothing was sent when TLS cannot be agreed', async () => {
    const port = await listening(createServer());
    expect(await outcomeOf(transport(`https://127.0.0.1:${port}/v2/`).send(request()))).toBe('not-sent');
  });

  it('reports an unknown outcome when the connection breaks after the request', async () => {
    const http = await serve((incoming) => incoming.socket.destroy());
    expect(await outcomeOf(http.send(request()))).toBe('unknown');
  });

  it('reports an unknown outcome when the request is never answered', async () => {
    const http = await serve(() => undefined);
    expect(await outcomeOf(http.send(request({ timeoutMs: patient(50) })))).toBe('unknown');
  });

  it('reports an unknown outcome when the answer is cut', async () => {
    const http = await serve((_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' });
      outgoing.write('{"status"');
      setTimeout(() => outgoing.destroy(), 10);
    });
    expect(await outcomeOf(http.send(request()))).toBe('unknown');
  });

  it('distinguishes a cancelled request that had left from one that waited for a connection', async () => {
    const seen: string[] = [];
    const http = await serve((incoming) => seen.push(incoming.url ?? ''));
    const [first, second] = [new AbortController(), new AbortController()];
    const sent = http.send(request({ path: '/v2/one', signal: first.signal }));
    const queued = http.send(request({ path: '/v2/two', signal: second.signal }));
    await expect.poll(() => seen.length).toBe(1);
    second.abort();
    expect(await outcomeOf(queued)).toBe('not-sent');
    first.abort();
    expect(await outcomeOf(sent)).toBe('unknown');
    expect(seen).toEqual(['/v2/one']);
  });

  it('reports that nothing was sent when the signal was aborted before', async () => {
    const http = await serve(() => undefined);
    expect(await outcomeOf(http.send(request({ signal: AbortSignal.abort() })))).toBe('not-sent');
  });

  it('abandons a connection that fell silent, with TLS too', async () => {
    const { http, line } = await secure();
    await http.send(request());
    line.mischief = { stallAfter: 0 };
    line.next.push({});
    expect(await outcomeOf(http.send(request({ timeoutMs: patient(200) })))).toBe('unknown');
    expect(await http.send(request())).toMatchObject({ status: 200, body: 'x' });
    expect(line.taken).toBe(2);
  });

  it('sends urgent requests, however many requests the exchange is slow to answer', async () => {
    const seen: string[] = [];
    const port = await listening(createServer((incoming) => seen.push(incoming.url ?? '')));
    const http = undiciTransport({ baseUrl: `http://127.0.0.1:${port}/v2/`, clock: systemClock });
    cleanups.push(() => http.close());
    const send = (part: Partial<HttpRequest>): void =>
      void http.send(request({ ...part, timeoutMs: 20_000 })).catch(() => undefined);
    // More requests than the budgets release in the ten seconds for which an answer is awaited: a burst and its refill.
    for (let i = 0; i < 450; i++) send({});
    await expect.poll(() => seen.length, { timeout: patient(8_000) }).toBe(450);
    send({ method: 'POST', path: '/v2/orders/1/close/' });
    await expect.poll(() => seen).toContain('/v2/orders/1/close/');
  });

  it('looks up the name of the exchange once at a time, however many requests need it', async () => {
    const port = await listening(createServer((_incoming, outgoing) => outgoing.end('x')));
    const http = undiciTransport({ baseUrl: `http://localhost:${port}/v2/`, clock: systemClock });
    cleanups.push(() => http.close());
    const questions = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'GetAddrInfoReqWrap').length;
    const release = holdNames();
    const sent = Array.from({ length: 20 }, () => http.send(request()));
    await expect.poll(questions).toBe(1);
    release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(questions()).toBe(0);
    expect(await outcomeOf(transport('http://no-such-host.invalid/v2/').send(request()))).toBe('not-sent');
  });

  it('checks once more before the bytes leave when it is connected', async () => {
    const seen: string[] = [];
    const port = await listening(
      createServer((incoming, outgoing) => {
        seen.push(incoming.url ?? '');
        outgoing.end('x');
      }),
    );
    const http = transport(`http://localhost:${port}/v2/`);
    let isWanted = true;
    const whenConnected = (): void => {
      if (!isWanted) throw new Error('not wanted any more');
    };
    const release = holdNames();
    const sending = http.send(request({ path: '/v2/one', whenConnected }));
    isWanted = false;
    release();
    await expect(sending).rejects.toMatchObject({
      outcome: 'not-sent',
      details: { why: 'not wanted any more' },
    });
    isWanted = true;
    expect((await http.send(request({ path: '/v2/two', whenConnected }))).status).toBe(200);
    expect(seen).toEqual(['/v2/two']);
  });

  it('reuses a connection', async () => {
    const ports = new Set<number | undefined>();
    const http = await serve((incoming, outgoing) => {
      ports.add(incoming.socket.remotePort);
      outgoing.end('x');
    });
    for (let i = 0; i < 3; i++) await http.send(request());
    expect(ports.size).toBe(1);
  });
});

describe('WebSocket over sockets', () => {
  function recorder() {
    const log: string[] = [];
    const handlers: SocketHandlers = {
      onOpen: () => log.push('open'),
      onMessage: (data) => log.push(`message ${Buffer.from(data).toString()}`),
      onRefused: (status, body) => log.push(`refused ${status} ${body}`),
      onClose: (code, reason) => log.push(`close ${code} ${reason}`),
    };
    return { log, handlers };
  }

  it('opens with the query, sends and receives, without compression', async () => {
    const server = createServer();
    const wss = new WebSocketServer({ server, perMessageDeflate: true });
    wss.on('connection', (socket, incoming) => {
      socket.send(`${incoming.url} ${socket.extensions}|`);
      socket.on('message', (data: Buffer) => socket.send(data.toString(), () => socket.close(1008, 'slow')));
    });
    const port = await listening(server);
    const { log, handlers } = recorder();
    const socket = wsTransport({ url: `ws://127.0.0.1:${port}/v2/stream` }).open(
      { api_key: 'a b' },
      handlers,
    );
    await expect.poll(() => log.length).toBe(2);
    socket.send('["echo"]');
    await expect.poll(() => log).toContain('close 1008 slow');
    expect(log).toEqual(['open', 'message /v2/stream?api_key=a+b |', 'message ["echo"]', 'close 1008 slow']);
    socket.send('late');
  });

  it('reports the parts of a message before it is complete', async () => {
    const server = createServer();
    let send = (_bytes: Buffer): unknown => null;
    new WebSocketServer({ server }).on('connection', (_socket, { socket }) => {
      send = (bytes) => socket.write(bytes);
      send(Buffer.from([0x81, 3, 0x61]));
    });
    const port = await listening(server);
    const { log, handlers } = recorder();
    const onBytes = (): number => log.push('bytes');
    wsTransport({ url: `ws://127.0.0.1:${port}/v2/stream` }).open({}, { ...handlers, onBytes });
    await expect.poll(() => log.length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    send(Buffer.from([0x62]));
    await expect.poll(() => log.at(-1)).toBe('bytes');
    send(Buffer.from([0x63]));
    await expect.poll(() => log).toContain('message abc');
  });

  it('reports a refusal with its body, and nothing after it', async () => {
    const server = createServer();
    server.on('upgrade', (_incoming, socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 13\r\n\r\nauth_rejected');
    });
    const port = await listening(server);
    const { log, handlers } = recorder();
    wsTransport({ url: `ws://127.0.0.1:${port}/v2/stream` }).open({ api_key: 'k' }, handlers);
    await expect.poll(() => log).toEqual(['refused 401 auth_rejected']);
  });

  it('reports a connection that cannot be made, and one that is cut, as a close without a code', async () => {
    const server = createTcpServer((socket) => socket.destroy());
    const port = await listening(server);
    const { log, handlers } = recorder();
    wsTransport({ url: `ws://127.0.0.1:${port}/v2/stream` }).open({ api_key: 'k' }, handlers);
    await expect.poll(() => log).toEqual(['close null ECONNRESET']);
  });
});
