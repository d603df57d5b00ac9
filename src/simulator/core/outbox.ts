/** Frames of the stream: connections, entries, and the pending output. */
import type { ConnectionId, Outgoing } from './api.ts';
import type { Account } from './model.ts';
import type { Scheduler } from './scheduler.ts';
import { moment } from './wire.ts';

/** A client on the stream. */
export interface Connection {
  readonly id: ConnectionId;
  readonly account: Account;
  readonly sessionId: string;
  /** The registered sport and event id by event key. */
  readonly registrations: Map<string, readonly [string, string]>;
  /** JSON entries for the next frame. */
  pending: string[];
}

/** An entry of a frame. */
export const entry = (tag: string, payload: unknown): string => `["${tag}",${JSON.stringify(payload)}]`;

/** An entry of a frame with a payload that is already JSON. */
export const rawEntry = (tag: string, payloadText: string): string => `["${tag}",${payloadText}]`;

/** The largest number of entries in a frame; longer lists are split. */
const ENTRIES_PER_FRAME = 500;

/** Pending output, in sending order. Entries of a connection share frames; a broadcast has one text for all connections. */
export class Outbox {
  readonly #scheduler: Scheduler;
  readonly #unixTimestamps: boolean;
  readonly #waiting = new Set<Connection>();
  #outgoing: Outgoing[] = [];

  constructor(scheduler: Scheduler, unixTimestamps: boolean) {
    this.#scheduler = scheduler;
    this.#unixTimestamps = unixTimestamps;
  }

  /** Adds an entry to the connection's next frame. */
  add(connection: Connection, entryText: string): void {
    connection.pending.push(entryText);
    this.#waiting.add(connection);
  }

  /** Sends entries as a frame of their own, with the same text to each connection. */
  broadcast(connections: Iterable<Connection>, entryTexts: readonly string[]): void {
    const text = this.#frame(entryTexts);
    for (const connection of connections) {
      this.#flush(connection);
      this.#outgoing.push({ kind: 'frame', connection: connection.id, text });
    }
  }

  /** Drops the pending output of a connection that ended. */
  drop(connection: Connection): void {
    connection.pending = [];
    this.#waiting.delete(connection);
    this.#outgoing = this.#outgoing.filter((outgoing) => outgoing.connection !== connection.id);
  }

  drain(): readonly Outgoing[] {
    for (const connection of this.#waiting) this.#flush(connection);
    this.#waiting.clear();
    const outgoing = this.#outgoing;
    this.#outgoing = [];
    return outgoing;
  }

  #flush(connection: Connection): void {
    const { pending } = connection;
    if (pending.length === 0) return;
    connection.pending = [];
    for (let at = 0; at < pending.length; at += ENTRIES_PER_FRAME) {
      const text = this.#frame(pending.slice(at, at + ENTRIES_PER_FRAME));
      this.#outgoing.push({ kind: 'frame', connection: connection.id, text });
    }
  }

  #frame(entryTexts: readonly string[]): string {
    const ts = JSON.stringify(moment(this.#scheduler.nowMs, this.#unixTimestamps));
    return `{"ts":${ts},"data":[${entryTexts.join(',')}]}`;
  }
}
