/**
 * The real exchange as a paper run has it: the one place through which anything reaches it. Its methods can read market data and watch
 * events, and if the configuration says so keep betslips. None takes a method, a body or the text of a command, so no caller can send
 * anything else.
 */
import { TransportError } from '../domain/errors.ts';
import type { EventName } from '../domain/events.ts';
import type { KeyInForce } from '../domain/secret.ts';
import { invariant } from '../lib/assert.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  HttpAnswer,
  HttpRequest,
  HttpTransport,
  Socket,
  SocketHandlers,
  SocketTransport,
} from '../ports/transport.ts';
import type { Budgets } from '../venue/index.ts';
import { betslipFactsIn } from './betslip-answer.ts';
import { BetslipWish, ReadRequest } from './requests.ts';

export interface RealExchange {
  /** Waits until the share has room. Rejects with TransportError only. */
  get(request: ReadRequest): Promise<HttpAnswer>;
  /** Opens the stream. */
  watch(handlers: SocketHandlers): WatchedStream;
  /** Null unless this run may keep betslips. */
  readonly betslips: RealBetslips | null;
  close(): Promise<void>;
}

/** The time that a caller gives a request. */
interface Patience {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Betslips of the real account. They are interest in a market and its private quote, and no order. */
export interface RealBetslips {
  open(wish: BetslipWish): Promise<HttpAnswer>;
  /** Only of a betslip that `open` opened. */
  refresh(id: string, patience: Patience): Promise<HttpAnswer>;
  /** Only of a betslip that `open` opened. */
  delete(id: string, patience: Patience): Promise<HttpAnswer>;
  /** The betslip is over. */
  forget(id: string): void;
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

/** A request that leaves reads, or it is about a betslip: those of the paper account stay here. */
export const SENT_KINDS = ['read', 'betslip'] as const;

export type SentKind = (typeof SENT_KINDS)[number];

/** Somebody who wants to know what passes. */
export interface RealObserver {
  /** A request leaves. */
  readonly onSent: (kind: SentKind) => void;
  /** An answer came after this long. */
  readonly onAnswer: (tookMs: number) => void;
}

export interface RealParts extends Partial<RealObserver> {
  /** Able to send anything. Only this file sends on them. */
  readonly wires: { readonly http: HttpTransport; readonly sockets: SocketTransport };
  readonly keys: Pick<KeyInForce, 'key'>;
  /** Bounds the requests. */
  readonly budgets: Pick<Budgets, 'enter'>;
  readonly clock: Clock;
  /** Whether this run may open, refresh and delete betslips; not by default. */
  readonly keepsBetslips?: boolean;
}

export function realExchange(parts: RealParts): RealExchange {
  const { wires, keys, keepsBetslips = false } = parts;
  return {
    get(request) {
      invariant(ReadRequest.is(request), 'a request to the real exchange was not read from the table');
      return leave(parts, { method: 'GET', path: request.path, body: null }, request);
    },
    watch: (handlers) => commandsOn(wires.sockets.open({ api_key: keys.key.reveal() }, handlers)),
    betslips: keepsBetslips ? betslipsOf(parts) : null,
    close: () => wires.http.close(),
  };
}

/** All that may leave. */
type Leaving =
  | { readonly method: 'GET'; readonly path: string; readonly body: null }
  | { readonly method: 'DELETE'; readonly path: BetslipPath; readonly body: null }
  | { readonly method: 'POST'; readonly path: BetslipPath; readonly body: string | null };

type BetslipPath = `/v2/betslips/${string}`;

function betslipsOf(parts: RealParts): RealBetslips {
  const opened = new Set<string>();
  const pathOf = (id: string): BetslipPath => {
    invariant(opened.has(id), 'this run did not open the betslip', { id });
    return `/v2/betslips/${encodeURIComponent(id)}/`;
  };
  return {
    async open(wish) {
      invariant(BetslipWish.is(wish), 'a betslip was not read from the table');
      const body = JSON.stringify(wish.fields);
      const answer = await leave(parts, { method: 'POST', path: '/v2/betslips/', body }, wish);
      const id = betslipFactsIn(answer)?.id;
      if (id !== undefined) opened.add(id);
      return answer;
    },
    refresh: (id, patience) =>
      leave(parts, { method: 'POST', path: `${pathOf(id)}refresh/`, body: null }, patience),
    delete: (id, patience) => leave(parts, { method: 'DELETE', path: pathOf(id), body: null }, patience),
    forget: (id) => void opened.delete(id),
  };
}

function laneOf({ method, path, body }: Leaving): 'offers' | 'betslips' | 'general' {
  if (method === 'POST' && body !== null) return 'betslips';
  return path.startsWith('/v2/offers/') ? 'offers' : 'general';
}

/** Waiting for the share is part of the time that the caller gives the request. */
async function leave(
  { wires, keys, budgets, clock, onSent, onAnswer }: RealParts,
  leaving: Leaving,
  { timeoutMs, signal }: Patience,
): Promise<HttpAnswer> {
  const endMs = clock.monotonicMs() + timeoutMs;
  const lease = await withinTime(clock, timeoutMs, signal, (given) =>
    budgets.enter(laneOf(leaving), { priority: 'normal', value: 0, signal: given }),
  );
  const sentMs = clock.monotonicMs();
  lease.markSent();
  onSent?.(leaving.method === 'GET' ? 'read' : 'betslip');
  try {
    const answer = await wires.http.send({
      ...leaving,
      timeoutMs: Math.max(1, endMs - sentMs),
      headers: headersOf(keys, leaving),
      ...(signal === undefined ? {} : { signal }),
    });
    onAnswer?.(clock.monotonicMs() - sentMs);
    return answer;
  } finally {
    lease.release();
  }
}

const headersOf = (keys: RealParts['keys'], { body }: Leaving): HttpRequest['headers'] => ({
  'x-api-key': keys.key.reveal(),
  accept: 'application/json',
  ...(body === null ? {} : { 'content-type': 'application/json' }),
});

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
