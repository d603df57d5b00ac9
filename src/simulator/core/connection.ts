import type { ConnectionId } from './api.ts';
import type { Account } from './model.ts';

/** One client on the stream. */
export interface Connection {
  readonly id: ConnectionId;
  readonly account: Account;
  readonly sessionId: string;
  /** By event key: the sport and event id as registered. */
  readonly registrations: Map<string, readonly [string, string]>;
  /** Entries that wait for the next frame, as JSON. */
  pending: string[];
}

/** One entry of a frame. */
export const entry = (tag: string, payload: unknown): string => `["${tag}",${JSON.stringify(payload)}]`;

/** One entry whose payload is JSON already. */
export const rawEntry = (tag: string, payloadText: string): string => `["${tag}",${payloadText}]`;
