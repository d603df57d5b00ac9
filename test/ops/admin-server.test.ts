import { afterEach, describe, expect, it } from 'vitest';
import { request } from 'undici';
import type { AdminControls } from '../../src/ops/admin-controls.ts';
import { adminUrl, startAdminServer } from '../../src/ops/admin-server.ts';
import type { AdminServer, AdminSources, Probe } from '../../src/ops/admin-server.ts';

const servers: AdminServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const FINE: Probe = { ok: true, reasons: [] };

const IDLE: AdminSources = {
  health: () => FINE,
  ready: () => FINE,
  metrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
  status: () => ({ mode: 'simulated' }),
};

async function start(probe: Probe): Promise<AdminServer> {
  const sources = { ...IDLE, health: () => probe, ready: () => probe };
  const server = await startAdminServer('127.0.0.1', 0, sources);
  servers.push(server);
  return server;
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
    ['/state', { state: 'active', events: '2026-11-21,1,2', reason: 'mistyped' }, 400, []],
    ['/resume', { reason: 'for one event', event: '2026-11-21,1,2' }, 400, []],
    ['/kill', { reason: 'for one event', event: '2026-11-21,1,2' }, 200, ['kill']],
  ])('takes nothing but a kill with a field that it does not know: %s', async (path, body, status, done) => {
    const commanded: string[] = [];
    const note = (name: string) => () => (commanded.push(name), {});
    const controls: AdminControls = {
      ...{ kill: note('kill'), resume: note('resume'), setState: note('state') },
      ...{ why: note('why'), risk: note('risk') },
    };
    const server = await startAdminServer('127.0.0.1', 0, { ...IDLE, controls });
    servers.push(server);
    const headers = { 'content-type': 'application/json' };
    const answer = await request(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([answer.statusCode, commanded]).toEqual([status, done]);
  });

  it.each([
    ['nobody', { reason: 'drill', by: null }, ['drill', 'admin interface']],
    ['an empty name', { reason: 'drill', by: '' }, ['drill', 'admin interface']],
    ['a record', { reason: 'drill', by: { name: 'x' } }, ['drill', 'admin interface']],
    ['a long name', { reason: 'drill', by: 'x'.repeat(101) }, ['drill', 'x'.repeat(100)]],
    ['many words', { reason: `  ${'x'.repeat(600)}`, by: 'me' }, ['x'.repeat(500), 'me']],
  ])('takes a kill by %s', async (_, body, told) => {
    const kills: string[][] = [];
    const nothing = () => null;
    const controls: AdminControls = {
      kill: (reason, by) => (kills.push([reason, by]), {}),
      ...{ resume: nothing, setState: nothing, why: nothing, risk: nothing },
    };
    const server = await startAdminServer('127.0.0.1', 0, { ...IDLE, controls });
    servers.push(server);
    const headers = { 'content-type': 'application/json' };
    const answer = await request(`${server.url}/kill`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect([answer.statusCode, kills]).toEqual([200, [told]]);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:9464'],
    ['::1', 'http://[::1]:9464'],
  ])('has an address that can be asked: at %s', (host, url) => {
    expect([adminUrl(host, 9464), URL.canParse(url)]).toEqual([url, true]);
  });

  it('says that the port is in use, and what to do', async () => {
    const first = await start(FINE);
    const again = startAdminServer('127.0.0.1', first.port, {} as never);
    await expect(again).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining('ops.port'),
    });
  });
});
