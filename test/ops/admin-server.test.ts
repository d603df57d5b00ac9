import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { adminUrl } from '../../src/ops/admin-controls.ts';
import { type AdminServer, type Probe, startAdminServer } from '../../src/ops/admin-server.ts';
import { adminServing, IDLE, unexplained } from '../support/admin-serving.ts';

const servers: AdminServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const FINE: Probe = { ok: true, reasons: [] };

async function start(probe: Probe): Promise<AdminServer> {
  const sources = { ...IDLE, health: () => probe, ready: () => probe };
  const server = await startAdminServer('127.0.0.1', 0, sources);
  servers.push(server);
  return server;
}

/** Sends a command. Returns what the daemon was asked to do, and the answer. */
async function commanding(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const commanded: string[] = [];
  const note = (name: string) => () => (commanded.push(name), {});
  const kill = () => (commanded.push('kill'), unexplained());
  const server = await adminServing({ kill, resume: note('resume'), setState: note('state') });
  servers.push(server);
  const sent = { 'content-type': 'application/json', ...headers };
  const answer = await request(server.url + path, { method: 'POST', headers: sent, body });
  await answer.body.dump();
  return { commanded, answer };
}

describe('admin server', () => {
  it('answers 200 while a probe passes and 503 with reasons when it does not', async () => {
    const good = await start(FINE);
    const bad = await start({ ok: false, reasons: ['stream closed'] });
    for (const path of ['/healthz', '/readyz']) {
      expect((await request(good.url + path)).statusCode).toBe(200);
      const answer = await request(bad.url + path);
      expect([answer.statusCode, await answer.body.json()]).toEqual([
        503,
        { ok: false, reasons: ['stream closed'] },
      ]);
    }
  });

  it('serves metrics and status', async () => {
    const server = await start(FINE);
    const metrics = await request(`${server.url}/metrics`);
    expect(metrics.headers['content-type']).toContain('text/plain');
    expect(await metrics.body.text()).toBe('up 1\n');
    expect(await (await request(`${server.url}/status`)).body.json()).toEqual({ mode: 'simulated' });
  });

  it.each([
    ['/state', { state: 'active', events: '2026-11-21,1,2', reason: 'mistyped' }],
    ['/resume', { reason: 'for one event', event: '2026-11-21,1,2' }],
  ])('refuses a command with an unknown field: %s', async (path, body) => {
    const { commanded, answer } = await commanding(path, JSON.stringify(body));
    expect([answer.statusCode, commanded]).toEqual([400, []]);
  });

  it.each(['/state', '/resume'])('refuses a command with a body that is too long: %s', async (path) => {
    const body = JSON.stringify({ state: 'active', reason: 'x', by: 'y'.repeat(20_000) });
    const { commanded, answer } = await commanding(path, body);
    expect([answer.statusCode, commanded]).toEqual([413, []]);
  });

  it.each(['/kill', '/state', '/resume'])('refuses a command from a web page: %s', async (path) => {
    const body = JSON.stringify({ state: 'halted', reason: 'x' });
    const { commanded, answer } = await commanding(path, body, { origin: 'http://127.0.0.1' });
    expect([answer.statusCode, commanded]).toEqual([403, []]);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:9464'],
    ['::1', 'http://[::1]:9464'],
  ])('reports an address that accepts requests: at %s', (host, url) => {
    expect([adminUrl(host, 9464), URL.canParse(url)]).toEqual([url, true]);
  });

  it('reports that the port is in use, and what to do', async () => {
    const first = await start(FINE);
    const again = startAdminServer('127.0.0.1', first.port, {} as never);
    await expect(again).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining('ops.port'),
    });
  });
});
