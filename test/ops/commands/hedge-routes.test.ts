import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { TouchlineError } from '../../../src/domain/errors.ts';
import { startAdminServer } from '../../../src/ops/admin-server.ts';
import type { HedgeControls, HedgeQuestion } from '../../../src/ops/commands/controls.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { ACCESS, bearing, controlsWith, IDLE } from '../../support/admin-serving.ts';

const servers: Listener[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(hedge: Partial<HedgeControls>): Promise<Listener> {
  const nothing: HedgeControls = { preview: () => null, make: () => null, progress: () => null };
  const sources = { ...IDLE, controls: controlsWith({ hedge: { ...nothing, ...hedge } }) };
  const server = await startAdminServer({ host: '127.0.0.1', port: 0 }, sources, ACCESS);
  servers.push(server);
  return server;
}

type Scope = NonNullable<Parameters<typeof bearing>[0]>;

async function ask(server: Listener, method: 'GET' | 'POST', path: string, scope: Scope, body?: object) {
  const answer = await request(`${server.url}${path}`, {
    method,
    headers: { ...bearing(scope), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

describe('the preview of a hedge over HTTP', () => {
  it('needs the read token and gets one goal', async () => {
    const asked: HedgeQuestion[] = [];
    const server = await serving({ preview: (question) => (asked.push(question), { plan: 'p' }) });
    const answers = await Promise.all(
      [
        'boundUsdt=50',
        'equalise=',
        'flatten=Over%202.5&offer=true',
        '',
        'boundUsdt=1&equalise=wdw',
        'boundUsdt=-1',
      ].map((goal) => ask(server, 'GET', `/hedge?event=A&${goal}`, 'read')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 400]);
    expect(asked).toHaveLength(3);
    expect(asked).toEqual(
      expect.arrayContaining([
        { event: 'A', boundUsdt: 50 },
        { event: 'A', equalise: '' },
        { event: 'A', flatten: 'Over 2.5', offer: true },
      ]),
    );
  });

  it.each<readonly [goal: string, given: object | null]>([
    ['boundUsdt=0', { boundUsdt: 0 }],
    ['boundUsdt=0.01', { boundUsdt: 0.01 }],
    ['boundUsdt=1000000000', { boundUsdt: 1e9 }],
    ['boundUsdt=1000000001', null],
    ['boundUsdt=', null],
    ['boundUsdt=all', null],
    ['boundUsdt=NaN', null],
    [`equalise=${'w'.repeat(100)}`, { equalise: 'w'.repeat(100) }],
    [`equalise=${'w'.repeat(101)}`, null],
    ['flatten=', null],
    ['equalise=&offer=false', { equalise: '', offer: false }],
    ['equalise=&offer=yes', null],
  ])('is asked within the limits of its goal: %s', async (goal, given) => {
    const asked: HedgeQuestion[] = [];
    const server = await serving({ preview: (question) => (asked.push(question), { plan: 'p' }) });
    const { status } = await ask(server, 'GET', `/hedge?event=A&${goal}`, 'read');
    expect([status, asked]).toEqual(given === null ? [400, []] : [200, [{ event: 'A', ...given }]]);
  });

  it('tells why there is none', async () => {
    const server = await serving({
      preview: ({ event }) => {
        if (event === 'unknown') return null;
        throw new TouchlineError(event === 'A' ? 'refused' : 'ambiguous', 'in these words');
      },
    });
    expect(await ask(server, 'GET', '/hedge?event=unknown&boundUsdt=1', 'read')).toMatchObject({
      status: 404,
    });
    expect(await ask(server, 'GET', '/hedge?event=A&boundUsdt=1', 'read')).toEqual({
      status: 422,
      body: { error: 'in these words' },
    });
    expect(await ask(server, 'GET', '/hedge?event=B&boundUsdt=1', 'read')).toMatchObject({ status: 409 });
  });
});

describe('a hedge over HTTP', () => {
  it('needs the reduce token and a reason, and records who made it', async () => {
    const made: unknown[] = [];
    const server = await serving({ make: (...all) => (made.push(all), { plan: 'p' }) });
    const body = { plan: 'p', reason: 'a red grid', by: 'anna' };
    expect(await ask(server, 'POST', '/hedge', 'read', body)).toMatchObject({ status: 403 });
    expect(await ask(server, 'POST', '/hedge', 'reduce', { plan: 'p' })).toMatchObject({ status: 400 });
    expect(await ask(server, 'POST', '/hedge', 'reduce', body)).toMatchObject({ status: 200 });
    expect(made).toEqual([['p', 'a red grid', 'anna (reduce token, 127.0.0.1)']]);
  });

  it('is unknown once it was made, and is followed by its plan', async () => {
    const server = await serving({ progress: (plan) => (plan === 'p' ? { isOver: true } : null) });
    const body = { plan: 'p', reason: 'x' };
    expect(await ask(server, 'POST', '/hedge', 'control', body)).toMatchObject({ status: 404 });
    expect(await ask(server, 'GET', '/hedge/progress?plan=p', 'read')).toMatchObject({ status: 200 });
    expect(await ask(server, 'GET', '/hedge/progress?plan=q', 'read')).toMatchObject({ status: 404 });
  });
});
