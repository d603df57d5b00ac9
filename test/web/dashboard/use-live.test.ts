import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hookedPage } from '../../support/hooked-page.ts';

/** Its types belong to the browser, which these tests stand for. */
const MODULE = new URL('../../../src/web/dashboard/use-live.ts', import.meta.url).href;
const { useEndOf } = (await import(MODULE)) as {
  readonly useEndOf: (session: object, end: () => void) => void;
};

/** What the daemon answers about the session of each token; null does not answer. */
let statuses: Map<string, number | null>;
let asked: string[];
let ended: string[];

beforeEach(() => {
  [statuses, asked, ended] = [new Map(), [], []];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (_: string, { headers }: { readonly headers: Record<string, string> }) => {
    const token = headers['authorization'] ?? '';
    asked.push(token);
    const status = statuses.get(token) ?? null;
    if (status === null) throw new TypeError('Failed to fetch');
    return Response.json({}, { status });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page with the session of this token. */
function pageOf() {
  const sessions = new Map(['a', 'b'].map((token) => [token, { token, scope: 'read' }]));
  const { show, leave } = hookedPage(({ token }: { readonly token: string }) =>
    useEndOf(sessions.get(token) ?? {}, () => ended.push(token)),
  );
  return { show: (token: string) => show({ token }), leave };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('the session of a tab', () => {
  it('is asked for every five seconds, and ends once the daemon does not know it', async () => {
    statuses.set('Bearer a', 200);
    pageOf().show('a');
    await pass(4_999);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked).toEqual(['Bearer a']);
    await pass(10_000);
    expect([asked.length, ended]).toEqual([3, []]);
    statuses.set('Bearer a', 401);
    await pass(5_000);
    expect([asked.length, ended]).toEqual([4, ['a']]);
    await pass(60_000);
    expect([asked.length, ended]).toEqual([4, ['a']]);
  });

  it.each([403, 404, 500, null])(
    'goes on when the daemon answers %j: that ends no session',
    async (status) => {
      statuses.set('Bearer a', status);
      pageOf().show('a');
      await pass(60_000);
      expect(ended).toEqual([]);
      const before = asked.length;
      await pass(20_000);
      expect(asked.length).toBeGreaterThan(before);
    },
  );

  it('is the present one alone: neither another one before it nor a page that was left is asked for', async () => {
    for (const token of ['Bearer a', 'Bearer b']) statuses.set(token, 200);
    const { show, leave } = pageOf();
    show('a');
    await pass(5_000);
    show('b');
    await pass(5_000);
    expect(asked).toEqual(['Bearer a', 'Bearer b']);
    leave();
    await pass(60_000);
    expect(asked).toHaveLength(2);
  });

  it('does not end after the page was left, although the answer comes only then', async () => {
    statuses.set('Bearer a', 401);
    const { show, leave } = pageOf();
    show('a');
    vi.advanceTimersByTime(5_000);
    leave();
    await pass(10_000);
    expect([asked, ended]).toEqual([['Bearer a'], []]);
  });
});
