import type { HttpAnswer } from '../ports/transport.ts';
import type { Message } from './notice.ts';

/** What became of an attempt: delivered, refused for good, or worth another attempt, perhaps not before a while. */
export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string; readonly retryAfterMs: number };

/** A way to people. */
export interface Channel {
  readonly name: string;
  /** Makes one attempt. Never rejects. */
  deliver(message: Message): Promise<Delivery>;
  /** Ends attempts in flight. */
  close(): Promise<void>;
}

const LONGEST_WAIT_S = 3_600;

/** The answers that may change without a change of the request: timeout, too early, too many requests, faults of the server. */
const isWorthRetrying = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

/** The meaning of a receiver's answer. Its body is never quoted, because it may repeat a secret. */
export function deliveryOf({ status, headers }: HttpAnswer, retryAfterS?: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const why = `the receiver answered ${status}`;
  if (!isWorthRetrying(status)) return { kind: 'refused', why };
  const asked = retryAfterS ?? Number(headers['retry-after']);
  const waitS = Number.isFinite(asked) && asked > 0 ? Math.min(asked, LONGEST_WAIT_S) : 0;
  return { kind: 'failed', why, retryAfterMs: waitS * 1000 };
}
