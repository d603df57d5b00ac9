import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { startAdminServer } from '../../../src/ops/admin-server.ts';
import type { AdjustControls, AdjustWish } from '../../../src/ops/commands/controls.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { ACCESS, bearing, controlsWith, IDLE } from '../../support/admin-serving.ts';

const servers: Listener[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(adjust: Partial<AdjustControls>): Promise<Listener> {
  const nothing: AdjustControls = { adjust: () => null, loosens: () => false };
  const sources = { ...IDLE, controls: controlsWith({ adjust: { ...nothing, ...adjust } }) };
  const server = await startAdminServer({ host: '127.0.0.1', port: 0 }, sources, ACCESS);
  servers.push(server);
  return server;
}

async function post(server: Listener, scope: 'read' | 'reduce' | 'control', wish: object): Promise<number> {
  const answer = await request(`${server.url}/adjust`, {
    method: 'POST',
    headers: { ...bearing(scope), 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'A v B', reason: 'x', ...wish }),
  });
  await answer.body.dump();
  return answer.statusCode;
}

describe('an adjustment over HTTP', () => {
  it('has one wish with one end at most, within the bounds', async () => {
    const wishes: AdjustWish[] = [];
    const server = await serving({ adjust: (wish) => (wishes.push(wish), {}) });
    const accepted = [
      { leave: true },
      { stakeFactor: 0.5, minutes: 15 },
      { widenTicks: 0 },
      { widenTicks: 3, untilStart: true },
    ];
    for (const wish of accepted) expect(await post(server, 'control', wish)).toBe(200);
    expect(wishes).toMatchObject(accepted);
    for (const wish of [
      {},
      { leave: true, stakeFactor: 2 },
      { stakeFactor: 4.1 },
      { stakeFactor: 0 },
      { widenTicks: 51 },
      { widenTicks: 1.5 },
      { leave: true, minutes: 0 },
      { leave: true, minutes: 5, untilStart: true },
      { leave: true, untilStart: false },
    ])
      expect([wish, await post(server, 'control', wish)]).toEqual([wish, 400]);
  });

  it('needs the reduce token, and the control token where it loosens', async () => {
    const server = await serving({
      adjust: () => ({}),
      loosens: ({ stakeFactor = 1 }) => stakeFactor > 1,
    });
    const halves = { stakeFactor: 0.5 };
    const doubles = { stakeFactor: 2 };
    expect(await post(server, 'read', halves)).toBe(403);
    expect(await post(server, 'reduce', halves)).toBe(200);
    expect(await post(server, 'reduce', doubles)).toBe(403);
    expect(await post(server, 'control', doubles)).toBe(200);
  });

  it('of an event that is not known is answered with 404', async () => {
    expect(await post(await serving({}), 'control', { leave: true })).toBe(404);
  });
});
