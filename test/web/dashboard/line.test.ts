import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromHolder, FromTab } from '../../../src/web/dashboard/stream/protocol.ts';

/** Its types belong to the browser, which these tests stand for. */
const MODULE = new URL('../../../src/web/dashboard/stream/line.ts', import.meta.url).href;
const { openLine } = (await import(MODULE)) as {
  readonly openLine: (
    token: string,
    onMessage: (message: FromHolder) => void,
  ) => { readonly send: (message: FromTab) => void; readonly close: () => void };
};

type Listener = (event: { readonly data: unknown }) => void;

/** Every channel of the browser, and what was ever posted on them. */
let channels: FakeChannel[];
let posted: unknown[];

/** A channel between the tabs of a browser: nobody hears what they posted themselves. */
class FakeChannel {
  readonly listeners: Listener[] = [];

  constructor() {
    channels.push(this);
  }

  addEventListener(_: string, listener: Listener): void {
    this.listeners.push(listener);
  }

  postMessage(data: unknown): void {
    posted.push(data);
    for (const other of channels)
      if (other !== this) for (const listener of other.listeners) listener({ data: structuredClone(data) });
  }

  close(): void {
    channels = channels.filter((each) => each !== this);
  }
}

/** One lock: the first who asks has it until their promise settles, then the next. */
function fakeLocks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_: string, { signal }: { readonly signal: AbortSignal }, hold: () => Promise<void>) => {
      const before = last;
      const held = before.then(() => (signal.aborted ? Promise.reject(new Error('aborted')) : hold()));
      last = held.catch(() => undefined);
      return held;
    },
  };
}

/** The streams that were opened, by their tokens; each stays silent until it is aborted. */
let streams: { readonly token: string; readonly query: string; readonly signal: AbortSignal }[];

const follow = (tab: string, events: readonly string[] = []): FromTab => ({
  kind: 'follow',
  tab,
  token: null,
  events,
  everyMs: 100,
});

beforeEach(() => {
  [channels, posted, streams] = [[], [], []];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('fetch', (path: string, { headers, signal }: { headers: object; signal: AbortSignal }) => {
    const token = new Headers(headers as Record<string, string>).get('authorization') ?? '';
    streams.push({ token, query: path, signal });
    return new Promise(() => undefined);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('tabs without a shared worker', () => {
  beforeEach(() => {
    vi.stubGlobal('BroadcastChannel', FakeChannel);
    vi.stubGlobal('navigator', { locks: fakeLocks() });
  });

  it('share one stream, held by the first, with all that any of them wants', async () => {
    const [first, second] = [openLine('token-1', () => undefined), openLine('token-2', () => undefined)];
    await settled();
    first.send(follow('a', ['fb|1']));
    second.send(follow('b', ['fb|2']));
    await settled();
    const open = streams.filter(({ signal }) => !signal.aborted);
    expect(open.map(({ token }) => token)).toEqual(['Bearer token-1']);
    expect(open[0]?.query).toBe('/live?event=fb%7C1&event=fb%7C2&everyMs=100');
  });

  it('say their tokens to nobody', async () => {
    const [first, second] = [openLine('token-1', () => undefined), openLine('token-2', () => undefined)];
    await settled();
    for (const line of [first, second]) line.send(follow('a'));
    await settled();
    expect(posted.length).toBeGreaterThan(0);
    expect(JSON.stringify(posted)).not.toContain('token-');
  });

  it('all hear what the holder tells', async () => {
    const told: Record<string, FromHolder[]> = { first: [], second: [] };
    const first = openLine('token-1', (message) => told['first']?.push(message));
    openLine('token-2', (message) => told['second']?.push(message));
    await settled();
    first.send(follow('a'));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(told).toEqual({ first: [{ kind: 'lost' }], second: [{ kind: 'lost' }] });
  });

  it('go on when the holder closes: the next one holds the stream, with its own token and what it wanted last', async () => {
    const [first, second] = [openLine('token-1', () => undefined), openLine('token-2', () => undefined)];
    await settled();
    first.send(follow('a', ['fb|1']));
    second.send(follow('b', ['fb|2']));
    second.send(follow('b', ['fb|3']));
    await settled();
    first.close();
    await settled();
    const open = streams.filter(({ signal }) => !signal.aborted);
    expect(open.map(({ token, query }) => [token, query])).toEqual([
      ['Bearer token-2', '/live?event=fb%7C3&everyMs=100'],
    ]);
    expect(channels).toHaveLength(1);
  });

  it('that close before they hold the stream never hold it', async () => {
    const lines = [1, 2, 3].map((n) => openLine(`token-${n}`, () => undefined));
    await settled();
    for (const [n, line] of lines.entries()) line.send(follow(`${n}`));
    lines[1]?.close();
    lines[0]?.close();
    await settled();
    const open = streams.filter(({ signal }) => !signal.aborted);
    expect(open.map(({ token }) => token)).toEqual(['Bearer token-3']);
  });
});

describe('a tab with a shared worker', () => {
  it('sends it its token with each wish, passes on what it tells, and closes', () => {
    const port = { sent: [] as unknown[], isClosed: false, listeners: [] as Listener[], isStarted: false };
    vi.stubGlobal(
      'SharedWorker',
      class {
        readonly port = {
          addEventListener: (_: string, listener: Listener) => void port.listeners.push(listener),
          start: () => void (port.isStarted = true),
          postMessage: (data: unknown) => void port.sent.push(data),
          close: () => void (port.isClosed = true),
        };
      },
    );
    const told: FromHolder[] = [];
    const line = openLine('token-1', (message) => told.push(message));
    line.send(follow('a', ['fb|1']));
    line.send({ kind: 'leave', tab: 'a' });
    expect(port.sent).toEqual([
      { ...follow('a', ['fb|1']), token: 'token-1' },
      { kind: 'leave', tab: 'a' },
    ]);
    for (const listener of port.listeners) listener({ data: { kind: 'refused' } });
    expect(told).toEqual([{ kind: 'refused' }]);
    expect([port.isStarted, port.isClosed]).toEqual([true, false]);
    line.close();
    expect(port.isClosed).toBe(true);
    expect(streams).toEqual([]);
  });
});
