import { createHmac } from 'node:crypto';
import { TransportError } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import { faultCode } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpTransport } from '../../ports/transport.ts';
import { type Channel, type Delivery, deliveryOf } from '../channel.ts';
import { type Message, plainTextOf } from '../notice.ts';

export interface WebhookOptions {
  readonly http: HttpTransport;
  /** Path and query of the receiver. */
  readonly path: string;
  readonly secret: Secret;
  readonly clock: Pick<Clock, 'wallMs'>;
}

export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Posts each message as JSON, signed with the secret. The signature holds the instant of the attempt, so each attempt is signed anew. */
export function webhookChannel({ http, path, secret, clock }: WebhookOptions): Channel {
  return {
    name: 'webhook',
    async deliver(message) {
      const body = webhookBody(message);
      const timestamp = String(Math.floor(clock.wallMs() / 1000));
      const headers = {
        'content-type': 'application/json',
        'touchline-id': message.id,
        'touchline-timestamp': timestamp,
        'touchline-signature': signatureOf(secret, timestamp, body),
      };
      const request = { method: 'POST', path, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS } as const;
      return http.send(request).then(deliveryOf, failedAttempt);
    },
    close: () => http.close(),
  };
}

/** The signature of a text at an instant: `v1=` and the HMAC-SHA256 of `<timestamp>.<body>` in hexadecimal digits. */
export function signatureOf(secret: Secret, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret.reveal()).update(`${timestamp}.${body}`).digest('hex')}`;
}

function webhookBody(message: Message): string {
  const { id, kind, severity, phase, title, text, atMs, run, suppressed } = message;
  const at = new Date(atMs).toISOString();
  return JSON.stringify({
    id,
    kind,
    severity,
    phase,
    at,
    title,
    text,
    run,
    suppressed,
    plainText: plainTextOf(message),
  });
}

/** An attempt without an answer. The error's message may hold the path, and with it a secret, so only its cause is named. */
export function failedAttempt(error: unknown): Delivery {
  const cause = error instanceof TransportError ? error.details['why'] : undefined;
  const why = typeof cause === 'string' ? cause : faultCode(error);
  return { kind: 'failed', why, retryAfterMs: 0 };
}
