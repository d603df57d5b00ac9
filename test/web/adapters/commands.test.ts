import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMAND_ID } from '../../../src/ops/dashboard/links.ts';

/** Their types belong to the browser, which these tests stand for. */
const load = (name: string): Promise<unknown> =>
  import(new URL(`../../../src/web/adapters/${name}.ts`, import.meta.url).href);
const { ask, command, GIVEN_UP_MS, post } = (await load('commands')) as {
  readonly GIVEN_UP_MS: number;
  readonly ask: (session: object, path: string) => Promise<unknown>;
  readonly post: (session: object, path: string, body: object, patience?: object) => Promise<unknown>;
  readonly command: (session: object, path: string, reason: string, patience: object) => Promise<unknown>;
};
const { isOver } = (await load('session')) as { readonly isOver: (session: object) => Promise<boolean> };

const SESSION = { token: 'the-token', scope: 'control' };
interface Sent {
  readonly path: string;
  readonly method: string;
  readonly id: string | null;
  readonly authorization: string | null;
  readonly body: unknown;
}
let sent: Sent[];
/** What the daemon answers; null fails as a dead connection does. */
let answer: () => Response | null;

beforeEach(() => {
  sent = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers, body }: RequestInit) => {
    const of = new Headers(headers);
    const [id, authorization] = [of.get(COMMAND_ID), of.get('authorization')];
    sent.push({ path, method, id, authorization, body: JSON.parse((body as string | undefined) ?? 'null') });
    const response = answer();
    if (response === null) throw new TypeError('Failed to fetch');
    return response;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const done = async <T>(promise: Promise<T>): Promise<T> => {
  await vi.advanceTimersByTimeAsync(120_000);
  return promise;
};

describe('a command', () => {
  it('says who wants it and why, with the token and an id of its own', async () => {
    answer = () => Response.json({ fine: 1 });
    expect(await done(command(SESSION, '/kill', 'drill', {}))).toEqual({ done: true, body: { fine: 1 } });
    expect(await done(command(SESSION, '/kill', 'again', {}))).toMatchObject({ done: true });
    const head = { path: '/kill', method: 'POST', authorization: 'Bearer the-token' };
    expect(sent).toMatchObject([
      { ...head, body: { reason: 'drill', by: 'dashboard' } },
      { ...head, body: { reason: 'again', by: 'dashboard' } },
    ]);
    const numbers = sent.map(({ id }) => Number(/^[\w-]{8,64}\/(\d+)$/.exec(id ?? '')?.[1]));
    expect(numbers[1]).toBe((numbers[0] ?? NaN) + 1);
  });

  it('is sent until it is answered, under one id, and tells how often', async () => {
    let left = 50;
    answer = () => (left-- > 0 ? null : Response.json({}));
    const times: number[] = [];
    const patience = { onSent: (count: number) => void times.push(count) };
    expect(await done(command(SESSION, '/kill', 'drill', patience))).toMatchObject({ done: true });
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(times).toEqual(Array.from({ length: 51 }, (_, at) => at + 1));
  });

  it.each([
    [{ error: 'no such event' }, 'no such event'],
    [{}, 'the daemon refused'],
  ])('that is refused with %o says why, and is not sent again', async (body, why) => {
    answer = () => Response.json(body, { status: 404 });
    expect(await done(post(SESSION, '/state', { state: 'halted' }))).toEqual({ done: false, why });
    expect(sent).toHaveLength(1);
  });

  it('that lets trade more, or asks, is given up after ten seconds', async () => {
    expect(GIVEN_UP_MS).toBe(10_000);
    answer = () => null;
    const failed = { done: false, why: 'no answer: Failed to fetch' };
    expect(await done(post(SESSION, '/resume', {}))).toEqual(failed);
    expect(sent).toHaveLength(20);
    expect(await done(ask(SESSION, '/risk'))).toEqual(failed);
    expect(sent).toHaveLength(40);
    expect(sent.at(-1)).toEqual({
      path: '/risk',
      method: 'GET',
      id: null,
      authorization: 'Bearer the-token',
      body: null,
    });
  });
});

describe('a session', () => {
  it.each([
    [200, false],
    [401, true],
    [403, false],
    [404, false],
    [500, false],
    [null, false],
  ])('is over if the daemon says so: %s means %s', async (status, over) => {
    answer = () => (status === null ? null : Response.json({}, { status }));
    expect(await done(isOver(SESSION))).toBe(over);
  });
});
