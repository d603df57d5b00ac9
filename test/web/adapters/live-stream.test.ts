import { afterEach, describe, expect, it, vi } from 'vitest';
import { liveMessages, StreamRefused } from '../../../src/web/adapters/live-stream.ts';

afterEach(() => vi.unstubAllGlobals());

let asked: { readonly path: string; readonly authorization: string | null; readonly signal: unknown }[] = [];

/** A daemon whose answer has these parts, or this status. */
function daemon(parts: readonly (string | Uint8Array)[], status = 200): void {
  asked = [];
  const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of bytes) controller.enqueue(part);
      controller.close();
    },
  });
  vi.stubGlobal('fetch', async (path: string, { headers, signal }: RequestInit) => {
    asked.push({ path, authorization: new Headers(headers).get('authorization'), signal });
    return new Response(status === 204 ? null : body, { status });
  });
}

async function read(
  events: readonly string[] = [],
  signal = new AbortController().signal,
): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of liveMessages('the-token', { events, everyMs: 250 }, signal))
    messages.push(message);
  return messages;
}

describe('the live stream', () => {
  it('asks with the token for what the page wants', async () => {
    daemon([]);
    const { signal } = new AbortController();
    expect(await read(['fb|1', 'a&b'], signal)).toEqual([]);
    expect(asked).toEqual([
      { path: '/live?event=fb%7C1&event=a%26b&everyMs=250', authorization: 'Bearer the-token', signal },
    ]);
  });

  it.each([
    [['data: {"a":1}\n\n'], [null, { a: 1 }]],
    [['data: {"a":1}\n\ndata: {"b":2}\n\n'], [null, { a: 1 }, { b: 2 }]],
    [
      ['data: {"a"', ':1}\n', '\ndata: {"b":2}\n\n'],
      [null, null, null, { a: 1 }, { b: 2 }],
    ],
    [
      ['data: {"a":1}\n\nda', 'ta: {"b":2}'],
      [null, { a: 1 }, null],
    ],
    // A character may be cut, too.
    [
      [new Uint8Array([...Buffer.from('data: {"a":"')].concat(0xc3)), new Uint8Array([0xa4]), '"}\n\n'],
      [null, null, null, { a: 'ä' }],
    ],
  ])('passes on whole messages, and tells of each part: %#', async (parts, messages) => {
    daemon(parts);
    expect(await read()).toEqual(messages);
  });

  it.each([
    [401, true],
    [403, true],
    [400, false],
    [404, false],
    [429, false],
    [500, false],
    [503, false],
    [204, false],
  ])('that answers %d is refused, because of its token: %s', async (status, isToken) => {
    daemon(['data: {}\n\n'], status);
    const refusal = await read().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StreamRefused);
    expect(refusal).toMatchObject({ isToken, message: `the daemon answered ${status}` });
  });
});
