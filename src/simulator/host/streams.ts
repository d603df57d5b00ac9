import type { ConnectionId, ExchangeCore, Outgoing } from '../core/api.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { StreamSession } from './stream-session.ts';
import type { Timers } from './exchange-time.ts';

/** Answer to a client that opens the stream. */
export type Opening =
  | { readonly kind: 'opened'; readonly session: StreamSession }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | { readonly kind: 'reset' | 'stalled' };

export interface StreamsOptions {
  readonly core: ExchangeCore;
  readonly plan: FaultPlan;
  readonly timers: Timers;
  /** Runs `work` on the core at the present instant, and then calls `dispatch`. */
  readonly run: (work: (nowMs: number) => void) => void;
  readonly now: () => number;
  readonly failed: (what: string, error: unknown) => void;
}

/** The stream connections of an exchange, between the core's outbox and the sessions. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #sessions = new Map<ConnectionId, StreamSession>();
  #dispatching = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  sessions(): readonly StreamSession[] {
    return [...this.#sessions.values()];
  }

  open(query: Readonly<Record<string, string>>, nowMs: number): Opening {
    const { core, plan } = this.#options;
    const upgrade = plan.planUpgrade(nowMs);
    if (upgrade.kind !== 'pass') return upgrade;
    const result = core.connect(query, nowMs);
    if (!result.ok) return { kind: 'refused', status: result.status, body: result.body };
    return { kind: 'opened', session: this.#newSession(result.connection) };
  }

  /** Ends every connection with a raw close. */
  drop(): void {
    for (const session of this.sessions()) session.close(null, '');
  }

  /** Sends the core's output. Output that arises meanwhile (as when a client disconnects) follows in order. */
  dispatch(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    try {
      const { core } = this.#options;
      for (let batch = core.drain(); batch.length > 0; batch = core.drain()) {
        for (const outgoing of batch) this.#deliver(outgoing);
      }
    } finally {
      this.#dispatching = false;
    }
  }

  #newSession(connection: ConnectionId): StreamSession {
    const session = new StreamSession(
      (text) => this.#receive(connection, text),
      () => this.#ended(connection),
    );
    this.#sessions.set(connection, session);
    return session;
  }

  #ended(connection: ConnectionId): void {
    const { core, plan, run } = this.#options;
    this.#sessions.delete(connection);
    plan.forget(connection);
    run(() => core.disconnect(connection));
  }

  /** An internal error on a frame ends the connection without a close frame (specification). */
  #receive(connection: ConnectionId, text: string): void {
    const { core, plan, run, failed } = this.#options;
    try {
      run((nowMs) => {
        const code = plan.planCommand(nowMs);
        if (code === null) core.receive(connection, text, nowMs);
        else core.refuse(connection, code, nowMs);
      });
    } catch (error) {
      failed('frame', error);
      this.#sessions.get(connection)?.close(null, '');
    }
  }

  #deliver(outgoing: Outgoing): void {
    const session = this.#sessions.get(outgoing.connection);
    if (session === undefined) return;
    if (outgoing.kind === 'close') session.close(outgoing.code, outgoing.reason);
    else this.#send(session, outgoing.connection, outgoing.text);
  }

  #send(session: StreamSession, connection: ConnectionId, text: string): void {
    const { plan, timers, now } = this.#options;
    const steps = plan.planFrame(connection, text, now());
    if (steps === null) return session.send(text);
    for (const step of steps) timers.after(step.afterMs, () => session.send(step.text));
  }
}
