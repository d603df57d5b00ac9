import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdminControls } from '../../src/ops/commands/controls.ts';
import { startAdminServer } from '../../src/ops/admin-server.ts';
import { urlOf } from '../../src/ops/addresses.ts';
import type { Listener, RefusedRequest } from '../../src/ops/listener.ts';
import type { ExpositionFormat } from '../../src/ops/metrics.ts';
import { formatFor, type Probe, startMetricsServer } from '../../src/ops/metrics-server.ts';
import { ACCESS, bearing, controlsWith, IDLE, unexplained } from '../support/admin-serving.ts';

const servers: Listener[] = [];
const refused: RefusedRequest[] = [];
afterEach(async () => {
  refused.length = 0;
  for (const server of servers.splice(0)) await server.close();
});

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const FINE: Probe = { ok: true, reasons: [] };
const guarded = { ...ACCESS, onRefused: (each: RefusedRequest) => void refused.push(each) };

async function metricsAt(host: string, probe = FINE): Promise<Listener> {
  const metrics = async (format: ExpositionFormat) => ({
    contentType: format === 'openmetrics' ? 'application/openmetrics-text' : 'text/plain; version=0.0.4',
    text: 'up 1\n',
  });
  const sources = { health: () => probe, ready: () => probe, metrics };
  const server = await startMetricsServer({ host, port: 0 }, sources, guarded);
  servers.push(server);
  return server;
}

async function adminWith(
  controls: Partial<AdminControls> = {},
  hosts: readonly string[] = [],
): Promise<Listener> {
  const sources = { ...IDLE, controls: controlsWith(controls) };
  const server = await startAdminServer(LOOPBACK, sources, { ...guarded, hosts });
  servers.push(server);
  return server;
}

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function statusOf(
  url: string,
  { method = 'GET', headers = {}, body = '' }: Sent = {},
): Promise<number> {
  const json = method === 'POST' ? { 'content-type': 'application/json' } : {};
  const answer = await request(url, {
    method,
    headers: { ...json, ...headers },
    ...(body === '' ? {} : { body }),
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** An admin interface, and the commands that it was given. */
async function commanded(loosens = false) {
  const commands: string[] = [];
  const note = (name: string) => () => (commands.push(name), {});
  const kill = () => (commands.push('kill'), unexplained());
  const controls = {
    kill,
    close: note('close'),
    resume: note('resume'),
    setState: note('state'),
    loosens: () => loosens,
  };
  return { server: await adminWith(controls), commands };
}

const HALT = JSON.stringify({ state: 'halted', reason: 'x' });
const WHY = JSON.stringify({ reason: 'x' });

describe('metrics and health', () => {
  it('answer 200 while a probe passes and 503 with reasons when it does not', async () => {
    const good = await metricsAt('127.0.0.1');
    const bad = await metricsAt('127.0.0.1', { ok: false, reasons: ['stream closed'] });
    for (const path of ['/healthz', '/readyz']) {
      expect(await statusOf(good.url + path)).toBe(200);
      const answer = await request(bad.url + path);
      expect([answer.statusCode, await answer.body.json()]).toEqual([
        503,
        { ok: false, reasons: ['stream closed'] },
      ]);
    }
  });

  it('need no token on this machine', async () => {
    const metrics = await request(`${(await metricsAt('127.0.0.1')).url}/metrics`);
    expect(metrics.headers['content-type']).toContain('text/plain');
    expect(await metrics.body.text()).toBe('up 1\n');
  });

  it('serve OpenMetrics to a scraper that asks for it', async () => {
    const { url } = await metricsAt('127.0.0.1');
    const metrics = await request(`${url}/metrics`, { headers: { accept: 'application/openmetrics-text' } });
    expect(metrics.headers['content-type']).toContain('application/openmetrics-text');
    await metrics.body.dump();
  });

  it.each([
    [undefined, 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/html,application/xhtml+xml', 'prometheus'],
    ['application/openmetrics-text; version=1.0.0', 'openmetrics'],
    ['application/openmetrics-text;version=0.0.1', 'prometheus'],
    ['application/openmetrics-text;version=1.0.0;q=0.2,text/plain;q=0.5', 'prometheus'],
    ['application/openmetrics-text;q=0', 'prometheus'],
    ['application/openmetrics-text;q=nonsense', 'prometheus'],
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
  ])('answer Accept: %s in the format %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });

  it('need the read token for metrics, and none for health, where other machines reach them', async () => {
    const { port } = await metricsAt('0.0.0.0');
    const url = `http://127.0.0.1:${port}`;
    expect(await statusOf(`${url}/metrics`)).toBe(401);
    expect(await statusOf(`${url}/metrics`, { headers: bearing('read') })).toBe(200);
    expect(await statusOf(`${url}/healthz`)).toBe(200);
    expect(await statusOf(`${url}/readyz`)).toBe(200);
  });

  it.each(['/kill', '/resume', '/state', '/status', '/risk', '/why'])(
    'have no command or report: %s',
    async (path) => {
      const server = await metricsAt('127.0.0.1');
      for (const method of ['GET', 'POST'] as const)
        expect(
          await statusOf(server.url + path, {
            method,
            headers: bearing(),
            body: method === 'POST' ? HALT : '',
          }),
        ).toBe(404);
    },
  );
});

describe('the admin interface', () => {
  it.each([
    ['GET', '/status', 'read'],
    ['GET', '/risk', 'read'],
    ['GET', '/why', 'read'],
    ['POST', '/kill', 'reduce'],
    ['POST', '/close', 'reduce'],
    ['POST', '/state', 'reduce'],
    ['POST', '/resume', 'control'],
  ] as const)('needs a token with the scope: %s %s %s', async (method, path, needed) => {
    const body = { '/state': HALT, '/resume': WHY, '/kill': WHY, '/close': WHY }[path as string] ?? '';
    const scopes = ['read', 'reduce', 'control'] as const;
    const { server, commands } = await commanded();
    const answers = [];
    answers.push(await statusOf(server.url + path, { method, body }));
    answers.push(await statusOf(server.url + path, { method, body, headers: { authorization: 'Bearer x' } }));
    for (const scope of scopes)
      answers.push(await statusOf(server.url + path, { method, body, headers: bearing(scope) }));
    const allowed = scopes.map((scope) => scopes.indexOf(scope) >= scopes.indexOf(needed));
    const expected = allowed.map((isAllowed) => (isAllowed ? expect.toSatisfy((code) => code !== 403) : 403));
    expect(answers).toEqual([401, 401, ...expected]);
    expect(commands).toHaveLength(method === 'POST' ? allowed.filter(Boolean).length : 0);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'no_token',
      'wrong_token',
      ...allowed.filter((isAllowed) => !isAllowed).map(() => 'scope'),
    ]);
  });

  it('lets the reduce token set no state that allows more trading', async () => {
    const { server, commands } = await commanded(true);
    const sent = { method: 'POST', body: JSON.stringify({ state: 'active', reason: 'x' }) } as const;
    expect(await statusOf(`${server.url}/state`, { ...sent, headers: bearing('reduce') })).toBe(403);
    expect(commands).toEqual([]);
    expect(await statusOf(`${server.url}/state`, { ...sent, headers: bearing('control') })).toBe(200);
  });

  it('records who gave a command, and by which token', async () => {
    const authors: string[] = [];
    const server = await adminWith({ setState: (_, by) => (authors.push(by), {}) });
    const body = JSON.stringify({ state: 'halted', reason: 'x', by: 'al' });
    await statusOf(`${server.url}/state`, { method: 'POST', body, headers: bearing('reduce') });
    expect(authors).toEqual(['al (reduce token, 127.0.0.1)']);
  });

  it.each([
    ['/state', { state: 'active', events: '2026-11-21,1,2', reason: 'mistyped' }],
    ['/resume', { reason: 'for one event', event: '2026-11-21,1,2' }],
  ])('refuses a command with an unknown field: %s', async (path, body) => {
    const { server, commands } = await commanded();
    const sent = { method: 'POST', body: JSON.stringify(body), headers: bearing() } as const;
    expect([await statusOf(server.url + path, sent), commands]).toEqual([400, []]);
  });

  it.each(['/state', '/resume'])('refuses a command with a body that is too long: %s', async (path) => {
    const { server, commands } = await commanded();
    const body = JSON.stringify({ state: 'active', reason: 'x', by: 'y'.repeat(20_000) });
    expect([
      await statusOf(server.url + path, { method: 'POST', body, headers: bearing() }),
      commands,
    ]).toEqual([413, []]);
  });

  it.each([
    ['a page of another site', { origin: 'http://evil.example' }, 'origin'],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 'origin'],
    ['a sandboxed page', { origin: 'null' }, 'origin'],
    ['a name that points at this machine', { host: 'evil.example' }, 'host'],
    ['a name with a port', { host: 'evil.example:9465' }, 'host'],
    ['a name that begins like an address', { host: '127.0.0.1.evil.example' }, 'host'],
    ['a host with a path', { host: '127.0.0.1/x' }, 'host'],
    ['a host with a user', { host: 'localhost@evil.example' }, 'host'],
    ['a host behind a user', { host: 'evil.example@localhost' }, 'host'],
    ['a host with a fragment', { host: 'localhost#evil.example' }, 'host'],
    ['a host with a question', { host: 'localhost?evil.example' }, 'host'],
    ['a host with a backslash', { host: 'localhost\\evil.example' }, 'host'],
    ['a list of hosts', { host: 'localhost, evil.example' }, 'host'],
    ['an address as one number', { host: '2130706433' }, 'host'],
    ['an address in hexadecimal', { host: '0x7f000001' }, 'host'],
    ['a short address', { host: '127.1' }, 'host'],
    ['an address with a zone', { host: '[fe80::1%25eth0]' }, 'host'],
    ['an IPv4 address in brackets', { host: '[127.0.0.1]' }, 'host'],
    ['a name with a wrong port', { host: 'localhost:x' }, 'host'],
    ['an empty host', { host: '' }, 'host'],
  ])('refuses requests from %s, with a token', async (_, headers, reason) => {
    const { server, commands } = await commanded();
    for (const [method, path, body] of [
      ['GET', '/status', ''],
      ['POST', '/kill', WHY],
      ['POST', '/resume', WHY],
    ] as const)
      expect(await statusOf(server.url + path, { method, body, headers: { ...bearing(), ...headers } })).toBe(
        403,
      );
    expect(commands).toEqual([]);
    expect(refused.map((each) => each.reason)).toEqual([reason, reason, reason]);
  });

  it.each(['localhost', '127.0.0.1', '[::1]:9465', '10.0.0.7', 'Quotes.Example:443'])(
    'answers at a configured name and at any IP address: %s',
    async (host) => {
      const server = await adminWith({}, ['quotes.example']);
      expect(await statusOf(`${server.url}/status`, { headers: { ...bearing('read'), host } })).toBe(200);
    },
  );

  it.each([
    ['two headers', 'host: localhost\r\nhost: localhost'],
    ['two headers, the second of another host', 'host: localhost\r\nHost: evil.example'],
    ['no header', 'x: y'],
  ])('refuses a request with %s', async (_, lines) => {
    const { server, commands } = await commanded();
    const socket = connect(server.port, '127.0.0.1');
    const head = `POST /kill HTTP/1.0\r\n${lines}\r\nauthorization: ${bearing().authorization}`;
    socket.write(`${head}\r\ncontent-length: 0\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(commands).toEqual([]);
  });

  it('answers a page of its own', async () => {
    const server = await adminWith();
    const headers = { ...bearing('read'), origin: server.url };
    expect(await statusOf(`${server.url}/status`, { headers })).toBe(200);
  });

  it.each([
    '/',
    '/../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//kill',
    '/kill/',
    '/KILL',
    '/%6bill%00',
    '/status?x=%',
  ])('carries out nothing at an odd path: %s', async (path) => {
    const { server, commands } = await commanded();
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(commands).toEqual([]);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:9465'],
    ['::1', 'http://[::1]:9465'],
  ])('reports an address that accepts requests: at %s', (host, url) => {
    expect([urlOf('http', { host, port: 9465 }), URL.canParse(url)]).toEqual([url, true]);
  });

  it('reports that the port is in use, and what to do', async () => {
    const first = await adminWith();
    const again = startAdminServer({ host: '127.0.0.1', port: first.port }, IDLE, guarded);
    await expect(again).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining('admin.port'),
    });
  });
});
