import type { LiveMessage } from '../../read-model/live/message.ts';

/** What a page wants of the stream. */
export interface Wants {
  /** Keys of the events whose details it shows. */
  readonly events: readonly string[];
  /** It needs changes at most so often. */
  readonly everyMs: number;
}

/** Why a stream did not open: the token is not good (any more), or anything else. */
export class StreamRefused extends Error {
  readonly isToken: boolean;

  constructor(status: number) {
    super(`the daemon answered ${status}`);
    this.isToken = status === 401 || status === 403;
  }
}

/**
 * The daemon's messages; null when a part of one has arrived. Ends when the connection does. Throws StreamRefused if the daemon does not answer with a stream, and the
 * browser's own error if there is no daemon. `fetch` reads the stream, because an `EventSource` cannot send a token.
 */
export async function* liveMessages(
  token: string,
  { events, everyMs }: Wants,
  signal: AbortSignal,
): AsyncGenerator<LiveMessage | null> {
  const query = new URLSearchParams(events.map((event): [string, string] => ['event', event]));
  query.append('everyMs', String(everyMs));
  const response = await fetch(`/live?${query}`, { headers: { authorization: `Bearer ${token}` }, signal });
  if (!response.ok || response.body === null) throw new StreamRefused(response.status);
  let rest = '';
  for await (const text of textOf(response.body)) {
    const messages = (rest + text).split('\n\n');
    rest = messages.pop() ?? '';
    yield null;
    for (const message of messages) yield JSON.parse(message.slice('data: '.length)) as LiveMessage;
  }
}

/** Not every browser lets a stream be iterated. */
async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
