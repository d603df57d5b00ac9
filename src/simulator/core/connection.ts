import type { ConnectionId } from './api.ts';
import type { Account } from './model.ts';

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
