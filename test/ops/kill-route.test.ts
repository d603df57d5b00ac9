import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { startAdminServer } from '../../src/ops/admin-server.ts';
import type { Listener } from '../../src/ops/listener.ts';
import { ACCESS, bearing, controlsWith, IDLE } from '../support/admin-serving.ts';

/** The author of a request that names nobody, or this person. */
const author = (name = 'admin interface') => `${name} (reduce token, 127.0.0.1)`;
const UNEXPLAINED = ['POST /kill', author()];

let clock: VirtualClock;
let server: Listener;
let sockets: Socket[];
/** The reasons of each kill: the immediate ones, then the later ones. */
let kills: string[][][];

beforeEach(async () => {
  [clock, sockets, kills] = [new VirtualClock(), [], []];
  const kill = (reason: string, by: string) => {
    const words = [[reason, by]];
    kills.push(words);
    return {
      explain: (...said: [string, string]) => void words.push(said),
      answer: () => ({ killed: true }),
    };
  };
  const sources = { ...IDLE, clock, controls: controlsWith({ kill }) };
  server = await startAdminServer({ host: '127.0.0.1', port: 0 }, sources, ACCESS);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

const AUTHORIZATION = `authorization: ${bearing('reduce').authorization}`;
const JSON_TYPE = { 'content-type': 'application/json' };

async function post(body: string | Buffer | null, headers: Readonly<Record<string, string>> = JSON_TYPE) {
  const sent = { ...bearing('reduce'), ...headers };
  const answer = await request(`${server.url}/kill`, { method: 'POST', headers: sent, body });
  return { status: answer.statusCode, reply: await answer.body.json() };
}

/** Sends raw text as a kill request. Returns the connection, and what comes back over it. */
async function send(...lines: readonly string[]) {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  const output = { text: '' };
  socket.on('data', (chunk) => (output.text += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(['POST /kill HTTP/1.1', 'host: localhost', AUTHORIZATION, ...lines].join('\r\n'));
  return { socket, output };
}

const killed = () => expect.poll(() => kills).toEqual([[UNEXPLAINED]]);

describe('a request to kill', () => {
  it.each([
    ['no name', { reason: 'drill', by: null }, ['drill', author()]],
    ['an empty name', { reason: 'drill', by: '' }, ['drill', author()]],
    ['a record', { reason: 'drill', by: { name: 'x' } }, ['drill', author()]],
    ['a long name', { reason: 'drill', by: 'x'.repeat(101) }, ['drill', author('x'.repeat(100))]],
    ['a long reason', { reason: `  ${'x'.repeat(600)}`, by: 'me' }, ['x'.repeat(500), author('me')]],
    ['an unknown field', { reason: 'drill', by: 'me', event: '2026-11-21,1,2' }, ['drill', author('me')]],
  ])('kills, and takes reason and name from a body with %s', async (_, body, words) => {
    const { status, reply } = await post(JSON.stringify(body));
    expect([status, reply, kills]).toEqual([200, { killed: true }, [[UNEXPLAINED, words]]]);
  });

  it('takes its reason from any content type', async () => {
    await post('{"reason": "drill"}', { 'content-type': 'application/x-www-form-urlencoded' });
    await post('{"reason": "drill"}', { 'content-type': ';;' });
    expect(kills).toEqual(Array(2).fill([UNEXPLAINED, ['drill', author()]]));
  });

  it.each([
    ['no body', null, 'no reason was given'],
    ['an empty reason', '{"reason": " "}', 'no reason was given'],
    ['a reason that is not a text', '{"reason": 7}', 'no reason was given'],
    ['an empty body', 'null', 'no reason was given'],
    ['a body that is not JSON', '{"reason": "dr', 'its body cannot be read: '],
    ['a body that is not text', Buffer.from([0xff, 0xfe, 0]), 'its body cannot be read: '],
    ['a body of 2 MiB', Buffer.alloc(2 * 1_048_576, 'x'), 'its body is longer than 65536 bytes'],
  ])('kills with %s', async (_, body, note) => {
    const { status, reply } = await post(body);
    expect([status, reply]).toEqual([
      200,
      { killed: true, note: expect.stringContaining(`killed; ${note}`) as string },
    ]);
    expect(kills).toEqual([[UNEXPLAINED]]);
  });

  it('kills with an unknown content type', async () => {
    expect((await post('drill', { 'content-type': 'text/x-drill' })).status).toBe(200);
    expect(kills).toEqual([[UNEXPLAINED]]);
  });

  it('kills before its body arrives, and waits two seconds for the body', async () => {
    const { output } = await send('content-length: 20', '', '');
    await killed();
    await clock.advance(1_999);
    await turn();
    expect(output.text).toBe('');
    await clock.advance(1);
    await expect.poll(() => output.text).toContain('its body did not come to an end');
    expect(output.text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });

  it('kills with a body that never ends, and does not store it', async () => {
    const { socket, output } = await send('transfer-encoding: chunked', '', '');
    const more = (): void => {
      while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`));
    };
    socket.on('drain', more);
    more();
    await killed();
    await clock.advance(2_000);
    await expect.poll(() => output.text).toContain('its body did not come to an end');
    await expect.poll(() => socket.destroyed).toBe(true);
    expect(kills).toEqual([[UNEXPLAINED]]);
  });

  it('kills when its connection is cut in the middle of its body', async () => {
    const { socket } = await send('content-length: 20', '', '{"reason"');
    await killed();
    socket.destroy();
    expect(await post('{"reason": "drill"}')).toMatchObject({ status: 200 });
    expect(kills).toEqual([[UNEXPLAINED], [UNEXPLAINED, ['drill', author()]]]);
  });
});
