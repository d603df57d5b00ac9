import { connect } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TouchlineError } from '../../src/domain/errors.ts';
import { startAdminServer } from '../../src/ops/admin-server.ts';
import type { Listener } from '../../src/ops/listener.ts';
import { sentenceOf } from '../../src/ops/refusal-words.ts';
import { ACCESS, bearing, controlsWith, IDLE } from '../support/admin-serving.ts';

let server: Listener;
beforeAll(async () => {
  const controls = controlsWith({
    pause() {
      throw new Error('the disk is full');
    },
    why() {
      throw new TouchlineError('ambiguous', '"over" may mean 2 things');
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
  [
    'GET /live?event=a&event=b&event=c&event=d&event=e&event=f&event=g&event=h&event=i',
    null,
    400,
    'event must have at most 8 entries',
  ],
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

  it('names several things by 409', async () => {
    const answer = await request(`${server.url}/why?selection=over`, { headers: bearing() });
    expect([answer.statusCode, await answer.body.json()]).toEqual([
      409,
      { error: '"over" may mean 2 things' },
    ]);
  });

  it.each([
    ['GET /%E0 HTTP/1.1', 400, 'the address of the request is not valid'],
    ['NONSENSE', 400, 'this is no valid HTTP request'],
    ['GET / HTTP/9.9', 400, 'this is no valid HTTP request'],
  ])('also if it is no request: %s', async (line, status, sentence) => {
    const { hostname, port } = new URL(server.url);
    const text = await new Promise<string>((resolve) => {
      let heard = '';
      const head = `${line}\r\nhost: ${hostname}\r\nauthorization: ${bearing().authorization}\r\nconnection: close\r\n\r\n`;
      const socket = connect(Number(port), hostname, () => void socket.write(head));
      socket.on('data', (chunk: Buffer) => void (heard += chunk.toString()));
      socket.on('close', () => resolve(heard));
    });
    expect(text).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({ error: sentence });
  });

  it.each([
    ['FST_ERR_CTP_EMPTY_JSON_BODY', 400, 'the body is empty: send a JSON object'],
    ['FST_ERR_OF_A_LATER_VERSION', 400, 'the request cannot be understood'],
    ['FST_ERR_OF_A_LATER_VERSION', 500, 'the daemon cannot answer this request'],
    ['journal', 500, 'its own message'],
  ])('%s of status %i is: %s', (code, statusCode, sentence) => {
    expect(sentenceOf({ message: 'its own message', code, statusCode })).toBe(sentence);
  });

  it.each([
    ['{', 'application/json', 'the body is not valid JSON'],
    ['', 'application/json', 'the body is empty: send a JSON object'],
    ['x', 'text/x', 'send the body as JSON, with content-type: application/json'],
    [`{"reason": "${'x'.repeat(20_000)}"}`, 'application/json', 'the body is too long'],
  ])('also if its body is no JSON, or too long', async (body, type, sentence) => {
    const answer = await request(`${server.url}/pause`, {
      method: 'POST',
      headers: { ...bearing(), 'content-type': type },
      body,
    });
    const reply = (await answer.body.json()) as Record<string, unknown>;
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(Object.keys(reply)).toEqual(['error']);
    expect(reply['error']).toBe(sentence);
  });
});
