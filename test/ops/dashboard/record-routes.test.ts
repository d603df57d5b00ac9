import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { HistoryError, TouchlineError } from '../../../src/domain/errors.ts';
import { type AdminSources, startAdminServer } from '../../../src/ops/admin-server.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { ACCESS, bearing, IDLE } from '../../support/admin-serving.ts';

const servers: Listener[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(sources: Partial<AdminSources>): Promise<string> {
  const server = await startAdminServer({ host: '127.0.0.1', port: 0 }, { ...IDLE, ...sources }, ACCESS);
  servers.push(server);
  return server.url;
}

async function get(url: string, scope: 'read' | 'control' = 'read') {
  const { statusCode, body } = await request(url, { headers: bearing(scope) });
  return { status: statusCode, body: (await body.json()) as unknown };
}

async function post(url: string, wish: object, scope: 'reduce' | 'control' = 'control') {
  const headers = { ...bearing(scope), 'content-type': 'application/json' };
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: JSON.stringify(wish) });
  return { status: statusCode, body: (await body.json()) as Record<string, unknown> };
}

describe('records', () => {
  it('are asked for with a span, and with bounds of their own', async () => {
    const asked: object[] = [];
    const note = (query: object) => (asked.push(query), []);
    const url = await serving({ records: { ...IDLE.records, timeline: note, profits: note, fills: note } });
    expect((await get(`${url}/timeline?fromMs=1&toMs=2`)).status).toBe(200);
    expect((await get(`${url}/profits?fromMs=1&toMs=2&points=7`)).status).toBe(200);
    expect((await get(`${url}/fills?fromMs=1&toMs=2&limit=5`)).status).toBe(200);
    expect(asked).toEqual([
      { fromMs: 1, toMs: 2, points: 300 },
      { fromMs: 1, toMs: 2, points: 7 },
      { fromMs: 1, toMs: 2, limit: 5 },
    ]);
    for (const path of ['timeline', 'timeline?fromMs=1&toMs=2&points=5000', 'fills?fromMs=x&toMs=2'])
      expect((await get(`${url}/${path}`)).status).toBe(400);
  });

  it('of the log are its end, or the lines that somebody looks for', async () => {
    const asked: object[] = [];
    const findInLog = (question: object) => (asked.push(question), ['found']);
    const url = await serving({ records: { ...IDLE.records, log: () => ['last'], findInLog } });
    expect((await get(`${url}/log`)).body).toEqual(['last']);
    expect((await get(`${url}/log?find=20%3A47&level=warn`)).body).toEqual(['found']);
    expect((await get(`${url}/log?find=`)).body).toEqual(['found']);
    expect(asked).toEqual([
      { find: '20:47', level: 'warn', limit: 2_000 },
      { find: '', level: 'debug', limit: 2_000 },
    ]);
    expect((await get(`${url}/log?find=x&level=loud`)).status).toBe(400);
  });

  it('that cannot be read are reported', async () => {
    const fails = (): never => {
      throw new HistoryError('cannot read the history: disk I/O error');
    };
    const url = await serving({ records: { ...IDLE.records, fills: fails } });
    expect(await get(`${url}/fills?fromMs=1&toMs=2`)).toEqual({
      status: 503,
      body: { error: 'cannot read the history: disk I/O error' },
    });
  });
});

describe('parameters', () => {
  it('are changed with the control token alone, with a reason and an author', async () => {
    const changed: unknown[] = [];
    const parameters = {
      ...IDLE.parameters,
      change: async (...call: unknown[]) => (changed.push(call), [{ key: 'k', from: 1, to: 2 }]),
    };
    const url = await serving({ parameters });
    const wish = { strategy: 's', parameters: { stake: 2, width: null } };
    const body = { ...wish, reason: 'less', by: 'anna' };
    expect((await post(`${url}/parameters`, body, 'reduce')).status).toBe(403);
    expect((await post(`${url}/parameters`, wish)).status).toBe(400);
    expect((await post(`${url}/parameters`, { ...body, parameters: {} })).status).toBe(400);
    expect(changed).toEqual([]);
    expect((await post(`${url}/parameters`, body)).body).toEqual({ changes: [{ key: 'k', from: 1, to: 2 }] });
    expect(changed).toEqual([[wish, 'anna (control token, 127.0.0.1): less']]);
  });

  it('that a strategy refuses are answered with its words', async () => {
    const preview = async (): Promise<never> => {
      throw new TouchlineError('config', 'stake = -1: too small');
    };
    const url = await serving({ parameters: { ...IDLE.parameters, preview } });
    expect(await post(`${url}/parameters/preview`, { strategy: 's', parameters: { stake: -1 } })).toEqual({
      status: 400,
      body: { error: 'stake = -1: too small' },
    });
  });
});
