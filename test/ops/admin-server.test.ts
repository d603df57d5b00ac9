import { afterEach, describe, expect, it } from 'vitest';
import { request } from 'undici';
import { startAdminServer } from '../../src/ops/admin-server.ts';
import type { AdminServer, Probe } from '../../src/ops/admin-server.ts';

const servers: AdminServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(probe: Probe): Promise<AdminServer> {
  const server = await startAdminServer('127.0.0.1', 0, {
    health: () => probe,
    ready: () => probe,
    metrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
    status: () => ({ mode: 'simulated' }),
  });
  servers.push(server);
  return server;
}

describe('admin server', () => {
  it('answers 200 while a probe passes and 503 with reasons when it does not', async () => {
    const good = await start({ ok: true, reasons: [] });
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
    const server = await start({ ok: true, reasons: [] });
    const metrics = await request(`${server.url}/metrics`);
    expect(metrics.headers['content-type']).toContain('text/plain');
    expect(await metrics.body.text()).toBe('up 1\n');
    expect(await (await request(`${server.url}/status`)).body.json()).toEqual({ mode: 'simulated' });
  });

  it('says that the port is in use, and what to do', async () => {
    const first = await start({ ok: true, reasons: [] });
    const again = startAdminServer('127.0.0.1', first.port, {} as never);
    await expect(again).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining('ops.port'),
    });
  });
});
