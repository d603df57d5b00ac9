/**
 * The real exchange as a paper run has it: the one place through which anything reaches it. Its methods can read market data and watch
 * events. None takes a method, a body or the text of a command, so no caller can send anything else.
 */
import { TransportError } from '../domain/errors.ts';
import type { EventName } from '../domain/events.ts';
import type { KeyInForce } from '../domain/secret.ts';
import { invariant } from '../lib/assert.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  HttpAnswer,
  HttpTransport,
  Socket,
  SocketHandlers,
  SocketTransport,
} from '../ports/transport.ts';
import type { Budgets } from '../venue/index.ts';
import { ReadRequest } from './requests.ts';

export interface RealExchange {
  /** Waits until the share has room. Rejects with TransportError only. */
  get(request: ReadRequest): Promise<HttpAnswer>;
  /** Opens the stream. */
  watch(handlers: SocketHandlers): WatchedStream;
  close(): Promise<void>;
}

/** The commands that a paper run may give on the stream. */
export interface WatchedStream {
  register(event: EventName): void;
  unregister(event: EventName): void;
  listRegistered(): void;
  /** Asks for a sign of life, which repeats the nonce. */
  echo(nonce: string): void;
  /** Ends the connection at once. */
  terminate(): void;
}

export interface RealParts {
  /** Able to send anything. Only this file sends on them. */
  readonly wires: { readonly http: HttpTransport; readonly sockets: SocketTransport };
  readonly keys: Pick<KeyInForce, 'key'>;
  /** Bounds the requests. */
  readonly budgets: Pick<Budgets, 'enter'>;
  readonly clock: Clock;
  /** Learns how long an answer took. */
  readonly onAnswer?: (tookMs: number) => void;
}

export function realExchange(parts: RealParts): RealExchange {
  const { wires, keys } = parts;
  return {
    get(request) {
      invariant(ReadRequest.is(request), 'a request to the real exchange was not read from the table');
      return read(parts, request);
    },
    watch: (handlers) => commandsOn(wires.sockets.open({ api_key: keys.key.reveal() }, handlers)),
    close: () => wires.http.close(),
  };
}

/** Waiting for the share is part of the time that the caller gives the request. */
async function read(
  { wires, keys, budgets, clock, onAnswer }: RealParts,
  { path, timeoutMs, signal }: ReadRequest,
): Promise<HttpAnswer> {
  const endMs = clock.monotonicMs() + timeoutMs;
  const lane = path.startsWith('/v2/offers/') ? 'offers' : 'general';
  const lease = await withinTime(clock, timeoutMs, signal, (given) =>
    budgets.enter(lane, { priority: 'normal', value: 0, signal: given }),
  );
  const sentMs = clock.monotonicMs();
  lease.markSent();
  try {
    const answer = await wires.http.send({
      method: 'GET',
      path,
      body: null,
      timeoutMs: Math.max(1, endMs - sentMs),
      headers: { 'x-api-key': keys.key.reveal(), accept: 'application/json' },
      ...(signal === undefined ? {} : { signal }),
    });
    onAnswer?.(clock.monotonicMs() - sentMs);
    return answer;
  } finally {
    lease.release();
  }
}

/** Aborts what lasts longer, or what the caller aborts. */
async function withinTime<T>(
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ends = new AbortController();
  const end = (): void => ends.abort(new TransportError('not-sent', 'paper.share had no room in time'));
  const timer = clock.after(timeoutMs, end);
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await run(ends.signal);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', end);
  }
}

/** Our own nonces, and no text that somebody else could have written. */
const NONCE = /^[\w-]{1,64}$/;

function commandsOn(socket: Socket): WatchedStream {
  const send = (...command: readonly string[]): void => socket.send(JSON.stringify(command));
  return {
    register: ({ sport, eventId }) => send('register_event', sport, eventId),
    unregister: ({ sport, eventId }) => send('unregister_event', sport, eventId),
    listRegistered: () => send('list_registered_events'),
    echo(nonce) {
      if (NONCE.test(nonce)) send('echo', nonce);
    },
    terminate: () => socket.terminate(),
  };
}
