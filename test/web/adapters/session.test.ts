import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMAND_ID } from '../../../src/ops/dashboard/links.ts';

/** Its types belong to the browser, which these tests stand for. */
const MODULE = new URL('../../../src/web/adapters/session.ts', import.meta.url).href;
const { openSession } = (await import(MODULE)) as { readonly openSession: () => Promise<unknown> };

/** What the daemon answers in turn; null fails as a dead connection does. */
let answers: (Response | null)[];
let asked: { readonly path: string; readonly id: string | null; readonly body: unknown }[];
let kept: Map<string, string>;

beforeEach(() => {
  [answers, asked, kept] = [[], [], new Map()];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('location', { hash: '#code=abcdefgh', pathname: '/' });
  vi.stubGlobal('history', { replaceState: () => undefined });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  vi.stubGlobal('fetch', async (path: string, { headers, body }: RequestInit) => {
    asked.push({ path, id: new Headers(headers).get(COMMAND_ID), body });
    const answer = answers.shift() ?? null;
    if (answer === null) throw new TypeError('Failed to fetch');
    return answer;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const SESSION = { token: 'the-token', scope: 'control' };

describe('a session', () => {
  it('exchanges its code under one id, however often the request is repeated', async () => {
    answers = [null, null, Response.json(SESSION)];
    const opened = openSession();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await opened).toEqual(SESSION);
    expect(asked.map(({ path }) => path)).toEqual(['/session', '/session', '/session']);
    const [first] = asked;
    expect(first?.id).toMatch(/^[\w-]{8,64}\/\d+$/);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(kept.get('touchline-token')).toBe('the-token');
  });

  it('that the tab has is used if the code does not work', async () => {
    kept.set('touchline-token', 'an older one');
    answers = [Response.json({ error: 'used' }, { status: 401 }), Response.json({ scope: 'read' })];
    expect(await openSession()).toEqual({ token: 'an older one', scope: 'read' });
  });

  it('is none if the daemon knows neither code nor token', async () => {
    answers = [Response.json({ error: 'used' }, { status: 401 })];
    expect(await openSession()).toBeNull();
    kept.set('touchline-token', 'an older one');
    answers = [Response.json({}, { status: 401 }), Response.json({}, { status: 401 })];
    expect(await openSession()).toBeNull();
  });
});
