import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type AdminSources, startAdminServer } from '../../../src/ops/admin-server.ts';
import type { Listener, RefusedRequest } from '../../../src/ops/listener.ts';
import { ACCESS, bearing, IDLE, sessionsInMemory } from '../../support/admin-serving.ts';

const servers: Listener[] = [];
const refused: RefusedRequest[] = [];
const codes: string[] = [];
const ended: unknown[] = [];
afterEach(async () => {
  for (const log of [refused, codes, ended]) log.length = 0;
  for (const server of servers.splice(0)) await server.close();
});

async function serving(sources: Partial<AdminSources> = {}): Promise<string> {
  const access = {
    ...ACCESS,
    sessions: sessionsInMemory(),
    onRefused: (each: RefusedRequest) => void refused.push(each),
    onCode: (what: string) => void codes.push(what),
    onEnded: (each: unknown) => void ended.push(each),
  };
  const server = await startAdminServer({ host: '127.0.0.1', port: 0 }, { ...IDLE, ...sources }, access);
  servers.push(server);
  return server.url;
}

type Headers = Readonly<Record<string, string>>;

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, headers: Headers = {}, body?: object) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await request(url, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

const parsed = (text: string) => JSON.parse(text) as Record<string, string>;

/** The header of a session of this scope, from a code for one use or a shared one. */
async function sessionAt(url: string, wish: object): Promise<Headers> {
  const made = await call('POST', `${url}/codes`, bearing(), wish);
  const session = await call('POST', `${url}/session`, {}, { code: parsed(made.text)['code'] });
  return { authorization: `Bearer ${parsed(session.text)['token']}` };
}

describe('sessions', () => {
  it('are given for a code, without a token, and only once', async () => {
    const url = await serving();
    const made = await call('POST', `${url}/codes`, bearing('read'), { scope: 'read' });
    const { code } = parsed(made.text);
    const session = await call('POST', `${url}/session`, {}, { code });
    expect([session.status, parsed(session.text)['scope']]).toEqual([200, 'read']);
    const again = await call('POST', `${url}/session`, {}, { code });
    expect([again.status, parsed(again.text)['error']]).toEqual([
      401,
      expect.stringContaining('touchline dashboard makes another'),
    ]);
    expect(refused).toMatchObject([{ reason: 'wrong_code', path: '/session' }]);
  });

  it('are not given to a page of another site', async () => {
    const url = await serving();
    const { code } = parsed((await call('POST', `${url}/codes`, bearing(), { scope: 'read' })).text);
    const stolen = await call('POST', `${url}/session`, { origin: 'https://evil.example' }, { code });
    expect(stolen.status).toBe(403);
    expect((await call('POST', `${url}/session`, { origin: url }, { code })).status).toBe(200);
  });

  it.each([
    ['read', [200, 403, 403]],
    ['reduce', [200, 200, 403]],
    ['control', [200, 200, 200]],
  ])('of the scope %s do what it allows', async (scope, statuses) => {
    const url = await serving();
    const session = await sessionAt(url, { scope });
    const reason = { reason: 'x' };
    const answers = [
      await call('GET', `${url}/status`, session),
      await call('POST', `${url}/pause`, session, reason),
      await call('POST', `${url}/resume`, session, reason),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(parsed((await call('GET', `${url}/session`, session)).text)).toEqual({ scope });
  });

  it('end when their shared code is revoked', async () => {
    const url = await serving();
    const made = parsed((await call('POST', `${url}/codes`, bearing(), { scope: 'read', ttlS: 60 })).text);
    const session = parsed((await call('POST', `${url}/session`, {}, { code: made['code'] })).text);
    const header = { authorization: `Bearer ${session['token']}` };
    expect((await call('GET', `${url}/status`, header)).status).toBe(200);
    expect((await call('DELETE', `${url}/codes/${made['id']}`, bearing())).status).toBe(200);
    expect((await call('GET', `${url}/status`, header)).status).toBe(401);
    expect((await call('DELETE', `${url}/codes/${made['id']}`, bearing())).status).toBe(404);
    expect(codes).toEqual([`shared ${made['id']}`, `revoked ${made['id']}`]);
  });
});

describe('codes', () => {
  it.each([
    ['read', 'reduce'],
    ['reduce', 'control'],
  ] as const)('give with a token of the scope %s no session of the scope %s', async (held, wished) => {
    const url = await serving();
    expect((await call('POST', `${url}/codes`, bearing(held), { scope: wished })).status).toBe(403);
    expect((await call('POST', `${url}/codes`, bearing(held), { scope: held })).status).toBe(200);
  });

  it('are not made by those who came by a shared one', async () => {
    const url = await serving();
    const own = await sessionAt(url, { scope: 'control' });
    const shared = await sessionAt(url, { scope: 'control', ttlS: 60 });
    expect((await call('POST', `${url}/codes`, own, { scope: 'read' })).status).toBe(200);
    expect((await call('POST', `${url}/codes`, shared, { scope: 'read' })).status).toBe(403);
    expect(refused).toMatchObject([{ reason: 'scope', path: '/codes' }]);
  });

  it('are listed with the sessions, and each of them can be revoked', async () => {
    const url = await serving();
    const session = await sessionAt(url, { scope: 'control' });
    await call('POST', `${url}/codes`, session, { scope: 'reduce', ttlS: 60, note: 'Anna' });
    await call('POST', `${url}/codes`, session, { scope: 'read' });
    const list = async () =>
      JSON.parse((await call('GET', `${url}/codes`, bearing())).text) as Record<string, string>[];
    const [link, code, own] = await list();
    expect(link).toMatchObject({
      kind: 'link',
      scope: 'reduce',
      note: 'Anna',
      token: 'control',
      from: own?.['id'],
    });
    expect([code?.['kind'], own?.['kind']]).toEqual(['code', 'session']);
    expect((await call('DELETE', `${url}/codes/${code?.['id']}`, bearing())).status).toBe(200);
    expect((await call('DELETE', `${url}/codes/${own?.['id']}`, bearing())).status).toBe(200);
    expect((await call('GET', `${url}/status`, session)).status).toBe(401);
    expect(await list()).toEqual([]);
  });

  it('need a token, and to list or revoke them the control token', async () => {
    const url = await serving();
    const body = { scope: 'read' };
    expect((await call('POST', `${url}/codes`, {}, body)).status).toBe(401);
    expect((await call('GET', `${url}/codes`, bearing('reduce'))).status).toBe(403);
    expect((await call('DELETE', `${url}/codes/x`, bearing('reduce'))).status).toBe(403);
    expect((await call('GET', `${url}/codes`, bearing())).text).toBe('[]');
  });

  it.each([
    {},
    { scope: 'all' },
    { scope: 'read', ttlS: 0 },
    { scope: 'read', ttlS: 1e9 },
    { scope: 'read', x: 1 },
  ])('are refused for %j', async (wish) => {
    const url = await serving();
    expect((await call('POST', `${url}/codes`, bearing(), wish)).status).toBe(400);
  });
});

describe('the live stream', () => {
  it('needs a token, and never takes one from the address', async () => {
    const url = await serving();
    expect((await call('GET', `${url}/live`)).status).toBe(401);
    const token = bearing().authorization.split(' ')[1];
    expect((await call('GET', `${url}/live?token=${token}`)).status).toBe(401);
  });

  it('sends the state of the asked events, and ends with the session', async () => {
    const asked: string[][] = [];
    const url = await serving({
      live(events) {
        asked.push([...events]);
        return { atMs: 5, frameAtMs: 4, pieces: [{ name: 'run', event: null, value: { state: 'quoting' } }] };
      },
    });
    const made = parsed((await call('POST', `${url}/codes`, bearing(), { scope: 'read', ttlS: 60 })).text);
    const session = parsed((await call('POST', `${url}/session`, {}, { code: made['code'] })).text);
    const { statusCode, headers, body } = await request(`${url}/live?event=fb%7C1&event=fb%7C2`, {
      headers: { authorization: `Bearer ${session['token']}` },
    });
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ]);
    const stream = body[Symbol.asyncIterator]();
    const { value } = (await stream.next()) as { value: Buffer };
    expect(value.toString()).toBe(
      'data: {"atMs":5,"frameAtMs":4,"isFirst":true,"set":{"run":{"state":"quoting"}}}\n\n',
    );
    expect(asked[0]).toEqual(['fb|1', 'fb|2']);
    await call('DELETE', `${url}/codes/${made['id']}`, bearing());
    await expect(stream.next()).rejects.toThrow('other side closed');
  });

  it('goes on to a page that read a long message slowly', async () => {
    let asked = 0;
    const url = await serving({
      live: () => ({
        atMs: 5,
        frameAtMs: 4,
        // More than a connection takes at once.
        pieces: [
          { name: 'run', event: null, value: asked++ === 0 ? 'x'.repeat(16_000_000) : `then ${asked}` },
        ],
      }),
    });
    const { body } = await request(`${url}/live`, { headers: bearing() });
    let text = '';
    for await (const chunk of body) {
      text = (text + String(chunk)).slice(-200);
      if (text.includes('then ')) break;
    }
    expect(text).toContain('"set":{"run":"then ');
  });

  it('gives no seat for a head alone, and none of control to those who only read', async () => {
    const url = await serving();
    const aborter = new AbortController();
    const follow = (headers: Headers) => request(`${url}/live`, { headers, signal: aborter.signal });
    for (let i = 0; i < 30; i++) {
      const { statusCode, body } = await request(`${url}/live`, { method: 'HEAD', headers: bearing() });
      await body.dump();
      expect(statusCode).toBe(404);
    }
    // Nobody reads these.
    const unread = await Promise.all(Array.from({ length: 40 }, () => follow(bearing('read'))));
    expect(unread.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 40 }, () => 200));
    const own = await sessionAt(url, { scope: 'read' });
    const pages = [await follow(own), await follow(bearing('control')), await follow(bearing('reduce'))];
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(ended).toContainEqual({ what: 'seat', scope: 'read', count: 1, why: 'too many' });
    for (const { body } of [...unread, ...pages]) body.on('error', () => undefined);
    aborter.abort();
  });

  it('says that it is full, and the log does', async () => {
    const url = await serving();
    const aborter = new AbortController();
    const follow = async (wish: object) =>
      request(`${url}/live`, { headers: await sessionAt(url, wish), signal: aborter.signal });
    const shared = { scope: 'reduce', ttlS: 60 };
    const pages = [];
    for (let i = 0; i < 8; i++) pages.push(await follow(shared));
    const late = await follow(shared);
    expect([late.statusCode, parsed(await late.body.text())['error']]).toEqual([
      503,
      'too many pages follow this daemon',
    ]);
    expect(refused).toMatchObject([{ reason: 'no_seat', path: '/live' }]);
    for (const { body } of pages) body.on('error', () => undefined);
    aborter.abort();
  });

  it('answers with the state of now to whoever does not follow, and takes no seat', async () => {
    const asked: (readonly string[])[] = [];
    const live = (events: ReadonlySet<string>) => {
      asked.push([...events]);
      return { atMs: 7, frameAtMs: null, pieces: [{ name: 'run', event: null, value: { mode: 'live' } }] };
    };
    const url = await serving({ live });
    const path = `${url}/live/now?event=fb%7C1&event=fb%7C2`;
    expect((await call('GET', path)).status).toBe(401);
    for (let i = 0; i < 40; i++) {
      const { status, text } = await call('GET', path, bearing('read'));
      expect([status, JSON.parse(text)]).toEqual([200, live(new Set())]);
    }
    expect(asked[0]).toEqual(['fb|1', 'fb|2']);
    expect(refused.filter(({ reason }) => reason === 'no_seat')).toEqual([]);
  });

  it('refuses to follow many events at once', async () => {
    const url = await serving();
    const many = Array.from({ length: 9 }, (_, i) => `event=${i}`).join('&');
    expect((await call('GET', `${url}/live?${many}`, bearing())).status).toBe(400);
  });
});

describe('the page', () => {
  it('is served without a token, and may not be framed', async () => {
    const text = '<!doctype html><p>here';
    const pages = { page: async () => ({ text }), worker: async () => ({ text: 'w' }) };
    const url = await serving({ pages });
    const page = await call('GET', `${url}/`);
    expect([page.status, page.text]).toEqual([200, text]);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    expect((await call('GET', `${url}/icon.svg`)).headers['content-type']).toBe('image/svg+xml');
    const worker = await call('GET', `${url}/dashboard-worker.js`);
    expect([worker.status, worker.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it('says why it is not there', async () => {
    const url = await serving();
    expect(await call('GET', `${url}/`)).toMatchObject({
      status: 503,
      text: 'The dashboard is not here: not built\n',
    });
  });

  it('is refused under a foreign name', async () => {
    const url = await serving();
    expect((await call('GET', `${url}/`, { host: 'evil.example' })).status).toBe(403);
  });
});
