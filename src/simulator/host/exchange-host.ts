import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { silentLogger } from '../../ports/logger.ts';
import type { ConnectionId, ExchangeCore, Outgoing, SimRequest, SimResponse } from '../core/api.ts';
import { serverError } from './envelope.ts';
import { exchangeTime } from './exchange-time.ts';
import { Pump } from './pump.ts';
import { StreamSession } from './stream-session.ts';

export interface HostOptions {
  readonly core: ExchangeCore;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** Answer to a client that wants to open the stream. */
export type Opening =
  | { readonly kind: 'opened'; readonly session: StreamSession }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string };

/**
 * An exchange core brought to life on a clock: what the network server and the in-process transports both are. It
 * alone calls the core, tells it the time, runs its timer and hands out what it says; a shell only carries bytes.
 */
export class ExchangeHost {
  readonly core: ExchangeCore;
  readonly #logger: Logger;
  readonly #pump: Pump;
  readonly #sessions = new Map<ConnectionId, StreamSession>();
  #failures = 0;
  #dispatching = false;

  constructor({ core, clock, logger = silentLogger }: HostOptions) {
    this.core = core;
    this.#logger = logger;
    this.#pump = new Pump(core, clock, exchangeTime(clock), () => this.run(() => undefined));
    this.#pump.rearm();
  }

  /** Brings the exchange up to now, runs `work` on it at that instant, and sends what came of it. */
  run<T>(work: (nowMs: number) => T): T {
    try {
      return work(this.#pump.catchUp());
    } finally {
      this.#dispatch();
      this.#pump.rearm();
    }
  }

  /** The exchange's answer. An internal error is the documented 500. */
  request(request: SimRequest): SimResponse {
    return this.run((nowMs) => {
      try {
        return this.core.request(request, nowMs);
      } catch (error) {
        return serverError(this.#failed('request', error));
      }
    });
  }

  /** Asks the exchange to open a stream connection; its frames wait until the session is attached to a link. */
  open(query: Readonly<Record<string, string>>): Opening {
    return this.run((nowMs): Opening => {
      const result = this.core.connect(query, nowMs);
      if (!result.ok) return { kind: 'refused', status: result.status, body: result.body };
      const session = this.#newSession(result.connection);
      this.#sessions.set(result.connection, session);
      return { kind: 'opened', session };
    });
  }

  /** Ends every stream connection with a raw close, as a network failure would. */
  dropStreams(): void {
    for (const session of [...this.#sessions.values()]) session.close(null, '');
  }

  get openStreams(): number {
    return this.#sessions.size;
  }

  /** Stops time and ends every stream connection. */
  close(): void {
    this.#pump.stop();
    this.dropStreams();
  }

  #newSession(connection: ConnectionId): StreamSession {
    return new StreamSession({
      receive: (text) => this.#receive(connection, text),
      ended: () => {
        this.#sessions.delete(connection);
        this.run(() => this.core.disconnect(connection));
      },
    });
  }

  /** An internal error on a frame costs the client the connection, without a close frame, as the specification says. */
  #receive(connection: ConnectionId, text: string): void {
    try {
      this.run((nowMs) => this.core.receive(connection, text, nowMs));
    } catch (error) {
      this.#failed('frame', error);
      this.#sessions.get(connection)?.close(null, '');
    }
  }

  /** Sends what the exchange said; what it says meanwhile (a client that went) follows in order. */
  #dispatch(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    try {
      for (let batch = this.core.drain(); batch.length > 0; batch = this.core.drain()) {
        for (const outgoing of batch) this.#deliver(outgoing);
      }
    } finally {
      this.#dispatching = false;
    }
  }

  #deliver(outgoing: Outgoing): void {
    const session = this.#sessions.get(outgoing.connection);
    if (outgoing.kind === 'frame') session?.send(outgoing.text);
    else session?.close(outgoing.code, outgoing.reason);
  }

  #failed(what: string, error: unknown): string {
    const token = `sim-${++this.#failures}`;
    this.#logger.error('the simulated exchange failed', { what, token, error });
    return token;
  }
}
