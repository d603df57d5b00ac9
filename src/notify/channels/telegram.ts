import type { Secret } from '../../domain/secret.ts';
import type { HttpAnswer, HttpTransport } from '../../ports/transport.ts';
import { type Channel, type Delivery, deliveryOf } from '../channel.ts';
import { plainTextOf } from '../notice.ts';
import { ATTEMPT_TIMEOUT_MS, failedAttempt } from './webhook.ts';

export interface TelegramOptions {
  readonly http: HttpTransport;
  /** Of the bot. It is part of the path of each request. */
  readonly token: Secret;
  /** Number of a chat, or `@name` of a channel. */
  readonly chatId: string;
}

/** Telegram refuses longer texts. */
const LONGEST_TEXT = 4_096;

/** Sends each message as plain text through a bot. A message that wakes nobody arrives without a sound. */
export function telegramChannel({ http, token, chatId }: TelegramOptions): Channel {
  return {
    name: 'telegram',
    deliver(message) {
      const body = JSON.stringify({
        chat_id: chatId,
        text: plainTextOf(message).slice(0, LONGEST_TEXT),
        disable_notification: message.severity !== 'page',
        link_preview_options: { is_disabled: true },
      });
      const path = `/bot${token.reveal()}/sendMessage`;
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', path, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS } as const;
      return http.send(request).then(telegramDelivery, failedAttempt);
    },
    close: () => http.close(),
  };
}

/** Telegram says in the body how long to wait. */
function telegramDelivery(answer: HttpAnswer): Delivery {
  return deliveryOf(answer, retryAfterOf(answer.body));
}

function retryAfterOf(body: string): number | undefined {
  try {
    const { parameters } = JSON.parse(body) as { readonly parameters?: { readonly retry_after?: unknown } };
    return typeof parameters?.retry_after === 'number' ? parameters.retry_after : undefined;
  } catch {
    return undefined;
  }
}
