import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { serve, type Served } from '../../../src/app/admin/serve.ts';
import { strongestToken } from '../../../src/app/admin/tokens.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import type { LogFields } from '../../../src/ports/logger.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import { IDLE } from '../../support/admin-serving.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const tokens = join(folder.path, 'tokens');

/** Serves what a daemon serves, with its tokens in the folder. */
function serving(lines: unknown[]): Promise<Served> {
  const settings = { 'admin.tokens': tokens, 'admin.port': '0', 'ops.port': '0' };
  const { values } = loadConfig({ files: [], environment: {}, settings });
  const health = () => ({ ok: true, reasons: [] });
  const sources = { ...IDLE, health, ready: health, metrics: async () => ({ type: '', text: '' }) };
  const warn = (message: string, fields?: LogFields): void => void lines.push([message, fields]);
  return serve(values, sources as never, { ...silentLogger, warn }, noMetrics);
}

async function call(method: 'GET' | 'POST', url: string, token: string | null, body?: object) {
  const answer = await request(url, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, string> };
}

it('ends every session and link of a token whose file was removed, at the next start', async () => {
  const lines: unknown[] = [];
  const first = await serving(lines);
  const control = strongestToken(tokens) ?? '';
  const code = (await call('POST', `${first.adminUrl}/codes`, control, { scope: 'control' })).body['code'];
  const session = (await call('POST', `${first.adminUrl}/session`, null, { code })).body['token'] ?? '';
  const link = (await call('POST', `${first.adminUrl}/codes`, session, { scope: 'control', ttlS: 2_592_000 }))
    .body['code'];
  await first.close();

  const second = await serving(lines);
  expect((await call('GET', `${second.adminUrl}/status`, session)).status).toBe(200);
  await second.close();
  expect(lines).toEqual([]);

  rmSync(join(tokens, 'control.token'));
  const third = await serving(lines);
  for (const path of ['kill', 'resume', 'codes'])
    expect((await call('POST', `${third.adminUrl}/${path}`, session, { scope: 'read' })).status).toBe(401);
  expect((await call('POST', `${third.adminUrl}/session`, null, { code: link })).status).toBe(401);
  const listed = await call('GET', `${third.adminUrl}/codes`, strongestToken(tokens));
  expect([listed.status, listed.body]).toEqual([200, []]);
  await third.close();
  const why = { scope: 'control', count: 1, why: 'token withdrawn', dropped: 0 };
  expect(lines.slice(0, 2)).toEqual([
    ['access to the dashboard ended', { what: 'link', ...why }],
    ['access to the dashboard ended', { what: 'session', ...why }],
  ]);
});
