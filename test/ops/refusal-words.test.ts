import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAdminServer } from '../../src/ops/admin-server.ts';
import type { Listener } from '../../src/ops/listener.ts';
import { ACCESS, bearing, controlsWith, IDLE } from '../support/admin-serving.ts';

let server: Listener;
beforeAll(async () => {
  const controls = controlsWith({
    pause() {
      throw new Error('the disk is full');
    },
  });
  server = await startAdminServer({ host: '127.0.0.1', port: 0 }, { ...IDLE, controls }, ACCESS);
});
afterAll(() => server.close());

const REASON = { reason: 'x' };

const WRONG: readonly (readonly [string, unknown, number, string])[] = [
  ['POST /pause', {}, 400, 'reason is missing'],
  ['POST /pause', { reason: '' }, 400, 'reason must not be blank'],
  ['POST /pause', { reason: '  ' }, 400, 'reason must not be blank'],
  ['POST /pause', { reason: {} }, 400, 'reason must be a text'],
  ['POST /pause', { reason: 'x'.repeat(501) }, 400, 'reason must have at most 500 characters'],
  ['POST /pause', { ...REASON, evnt: 'x' }, 400, 'evnt is not known here'],
  ['POST /pause', 'x', 400, 'the request must be an object'],
  ['POST /pause', REASON, 500, 'the disk is full'],
  ['POST /state', { ...REASON, state: 'on' }, 400, 'state must be one of active, reducing, halted'],
  [
    'POST /state',
    { ...REASON, state: 'halted', event: 'a', selection: 'b' },
    400,
    'the request names things that exclude each other',
  ],
  ['POST /codes', { scope: 'read', ttlS: 3_000_000 }, 400, 'ttlS must be at most 2592000'],
  ['POST /codes', { scope: 'read', ttlS: 0 }, 400, 'ttlS must be at least 1'],
  ['POST /codes', { scope: 'read', ttlS: 'x' }, 400, 'ttlS must be a whole number'],
  ['POST /deposit', { amountUsdt: 0, note: 'x' }, 400, 'amountUsdt has a value that is not allowed'],
  ['GET /payoff?event=x&home=20&away=-1', null, 400, 'home must be at most 19'],
  ['GET /live?event=a&event=b&event=c&event=d&event=e', null, 400, 'event must have at most 4 entries'],
  ['GET /nothing?x=1', null, 404, 'there is no GET /nothing'],
];

describe('a request that is wrong is refused in one sentence', () => {
  it.each(WRONG)('%s %j', async (what, body, status, sentence) => {
    const [method = '', path = ''] = what.split(' ');
    const answer = await request(`${server.url}${path}`, {
      method: method as 'GET',
      headers: { ...bearing(), ...(body === null ? {} : { 'content-type': 'application/json' }) },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    expect([answer.statusCode, await answer.body.json()]).toEqual([status, { error: sentence }]);
  });

  it.each([
    ['{', 'application/json'],
    ['x', 'text/x'],
    [`{"reason": "${'x'.repeat(20_000)}"}`, 'application/json'],
  ])('also if its body is no JSON, or too long', async (body, type) => {
    const answer = await request(`${server.url}/pause`, {
      method: 'POST',
      headers: { ...bearing(), 'content-type': type },
      body,
    });
    const reply = (await answer.body.json()) as Record<string, unknown>;
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(Object.keys(reply)).toEqual(['error']);
    expect(reply['error']).not.toMatch(/FST_/);
  });
});
