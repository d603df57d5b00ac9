import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { TouchlineError } from '../../../src/domain/errors.ts';
import { startAdminServer } from '../../../src/ops/admin-server.ts';
import type { HandControls } from '../../../src/ops/commands/controls.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { ACCESS, bearing, controlsWith, IDLE } from '../../support/admin-serving.ts';

const servers: Listener[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(hand: Partial<HandControls>): Promise<Listener> {
  const nothing: HandControls = {
    quote: () => null,
    move: () => null,
    withdraw: () => null,
    quotes: () => [],
  };
  const sources = { ...IDLE, controls: controlsWith({ hand: { ...nothing, ...hand } }) };
  const server = await startAdminServer({ host: '127.0.0.1', port: 0 }, sources, ACCESS);
  servers.push(server);
  return server;
}

async function post(server: Listener, path: string, scope: 'reduce' | 'control', body: object) {
  const answer = await request(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...bearing(scope), 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'x', ...body }),
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

const WISH = { selection: 'A', direction: 'for', price: 2.1, stakeUsdt: 7 };

describe('a quote of a person over HTTP', () => {
  it('needs the control token, a price and a stake', async () => {
    const server = await serving({ quote: ({ price }) => ({ price }) });
    expect((await post(server, '/quote', 'reduce', WISH)).status).toBe(403);
    expect(await post(server, '/quote', 'control', WISH)).toEqual({ status: 200, body: { price: 2.1 } });
    for (const wrong of [
      { price: 1 },
      { stakeUsdt: 0 },
      { direction: 'both' },
      { minutes: 5, untilStart: true },
    ])
      expect((await post(server, '/quote', 'control', { ...WISH, ...wrong })).status).toBe(400);
  });

  it('is moved with the control token, and withdrawn with the reduce token', async () => {
    const server = await serving({
      move: (id) => (id === 'q' ? {} : null),
      withdraw: (id) => (id === 'q' ? {} : null),
    });
    const move = { id: 'q', price: 2.12 };
    expect((await post(server, '/quote/move', 'reduce', move)).status).toBe(403);
    expect((await post(server, '/quote/move', 'control', move)).status).toBe(200);
    expect((await post(server, '/quote/move', 'control', { ...move, id: 'r' })).status).toBe(404);
    expect((await post(server, '/quote/withdraw', 'reduce', { id: 'q' })).status).toBe(200);
    expect((await post(server, '/quote/withdraw', 'reduce', { id: 'r' })).status).toBe(404);
  });

  it('tells why it cannot be: 422', async () => {
    const server = await serving({
      quote: () => {
        throw new TouchlineError('refused', 'not on the ladder');
      },
    });
    expect(await post(server, '/quote', 'control', WISH)).toEqual({
      status: 422,
      body: { error: 'not on the ladder' },
    });
  });
});
