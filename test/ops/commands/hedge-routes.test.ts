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

  const BODY = { plan: 'p', reason: 'x' };
  it.each<readonly [body: object, status: number, given: readonly string[] | null]>([
    [BODY, 200, ['p', 'x', 'admin interface (reduce token, 127.0.0.1)']],
    [{ ...BODY, by: 'anna' }, 200, ['p', 'x', 'anna (reduce token, 127.0.0.1)']],
    [{ ...BODY, by: '' }, 400, null],
    [{ ...BODY, by: 'a'.repeat(101) }, 400, null],
    [{ ...BODY, plan: '' }, 400, null],
    [
      { ...BODY, plan: 'p'.repeat(200) },
      200,
      ['p'.repeat(200), 'x', 'admin interface (reduce token, 127.0.0.1)'],
    ],
    [{ ...BODY, plan: 'p'.repeat(201) }, 400, null],
    [{ ...BODY, reason: '' }, 400, null],
    [{ ...BODY, reason: ' ' }, 400, null],
    [
      { ...BODY, reason: 'r'.repeat(500) },
      200,
      ['p', 'r'.repeat(500), 'admin interface (reduce token, 127.0.0.1)'],
    ],
    [{ ...BODY, reason: 'r'.repeat(501) }, 400, null],
    [{ reason: 'x' }, 400, null],
    [{ ...BODY, offer: true }, 400, null],
  ])('is made as it is asked for, or not at all: %j', async (body, status, given) => {
    const made: unknown[] = [];
    const server = await serving({ make: (...all) => (made.push(all), { plan: 'p' }) });
    const answer = await ask(server, 'POST', '/hedge', 'reduce', body);
    expect([answer.status, made]).toEqual([status, given === null ? [] : [given]]);
  });

  it.each([
    ['GET', '/hedge', 400],
    ['GET', '/hedge?boundUsdt=1', 400],
    ['GET', '/hedge?event=&boundUsdt=1', 400],
    ['GET', `/hedge?event=${'a'.repeat(201)}&boundUsdt=1`, 400],
    ['GET', `/hedge?event=A&flatten=${'a'.repeat(201)}`, 400],
    ['GET', '/hedge/progress', 400],
    ['GET', '/hedge/progress?plan=', 400],
  ] as const)('is not asked for without its names: %s %s', async (method, path, status) => {
    const asked: unknown[] = [];
    const answer = (...all: readonly unknown[]): object => (asked.push(all), {});
    const server = await serving({ preview: answer, progress: answer });
    expect([(await ask(server, method, path, 'read')).status, asked]).toEqual([status, []]);
  });

  it('tells the answer of the daemon, word for word', async () => {
    const report = { plan: 'p', isOver: false, bets: [{ filledUsdt: 1.23 }] };
    const server = await serving({ preview: () => report, make: () => report, progress: () => report });
    for (const [method, path, body] of [
      ['GET', '/hedge?event=A&boundUsdt=1', undefined],
      ['POST', '/hedge', BODY],
      ['GET', '/hedge/progress?plan=p', undefined],
    ] as const)
      expect((await ask(server, method, path, 'reduce', body)).body).toEqual(report);
  });

  it('is unknown once it was made, and is followed by its plan', async () => {
    const server = await serving({ progress: (plan) => (plan === 'p' ? { isOver: true } : null) });
    const body = { plan: 'p', reason: 'x' };
    expect(await ask(server, 'POST', '/hedge', 'control', body)).toMatchObject({ status: 404 });
    expect(await ask(server, 'GET', '/hedge/progress?plan=p', 'read')).toMatchObject({ status: 200 });
    expect(await ask(server, 'GET', '/hedge/progress?plan=q', 'read')).toMatchObject({ status: 404 });
  });
});
