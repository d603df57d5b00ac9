import { ConfigError } from '../../domain/errors.ts';
import type { Channel } from '../../notify/channel.ts';
import { telegramChannel } from '../../notify/channels/telegram.ts';
import { webhookChannel } from '../../notify/channels/webhook.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpTransport } from '../../ports/transport.ts';
import { undiciTransport } from '../../venue/index.ts';
import type { Config } from '../config/load.ts';
import { readSecret } from '../config/secret.ts';
import { isLoopback } from '../exchange/open-exchange.ts';

type Settings = Config['notify'];
type Environment = Readonly<Record<string, string | undefined>>;

/** An address, as a transport to its host and the path of each request. */
export interface Receiver {
  readonly http: HttpTransport;
  readonly path: string;
}

/** An answer says no more than a status and how long to wait. */
const LONGEST_ANSWER_BYTES = 64 * 1024;

/** A receiver of its own. Its connections are never those to the exchange. */
export function receiverAt(url: string, clock: Clock): Receiver {
  const { origin, pathname, search } = new URL(url);
  const limits = { connections: 2, longestBodyBytes: LONGEST_ANSWER_BYTES };
  return { http: undiciTransport({ baseUrl: `${origin}/`, clock, ...limits }), path: pathname + search };
}

/**
 * The channels that the configuration names, each with its secret. Sends nothing yet. Throws ConfigError if a secret is missing or
 * cannot be read, or if an address would take a secret or a notice over the network unencrypted.
 */
export function openChannels(settings: Settings, environment: Environment, clock: Clock): readonly Channel[] {
  return [...webhook(settings, environment, clock), ...telegram(settings, environment, clock)];
}

function webhook(settings: Settings, environment: Environment, clock: Clock): readonly Channel[] {
  const { webhookUrl: url, webhookSecret: value, webhookSecretFile: file } = settings;
  if (url === '') return [];
  mustBeEncrypted('notify.webhookUrl', url);
  const places = { value, variable: 'TOUCHLINE_WEBHOOK_SECRET', file, fileKey: 'notify.webhookSecretFile' };
  const secret = readSecret({ ...places, credential: 'webhook_secret' }, environment);
  if (secret === null) throw missing('notify.webhookUrl', places);
  return [webhookChannel({ ...receiverAt(url, clock), secret, clock })];
}

function telegram(settings: Settings, environment: Environment, clock: Clock): readonly Channel[] {
  const { telegramChat: chatId, telegramUrl: url, telegramToken: value, telegramTokenFile: file } = settings;
  if (chatId === '') return [];
  if (url === '')
    throw new ConfigError('notify.telegramUrl: must not be empty', { key: 'notify.telegramUrl' });
  mustBeEncrypted('notify.telegramUrl', url);
  const places = { value, variable: 'TOUCHLINE_TELEGRAM_TOKEN', file, fileKey: 'notify.telegramTokenFile' };
  const token = readSecret({ ...places, credential: 'telegram_token' }, environment);
  if (token === null) throw missing('notify.telegramChat', places);
  const { http } = receiverAt(url, clock);
  return [telegramChannel({ http, token, chatId })];
}

const missing = (
  key: string,
  { variable, fileKey }: { readonly variable: string; readonly fileKey: string },
) =>
  new ConfigError(
    `${key} is set, and its secret is not: set the environment variable ${variable}, or ${fileKey}`,
    {
      key,
    },
  );

/** The message names the host alone, because the path may be a secret. */
function mustBeEncrypted(key: string, url: string): void {
  const { protocol, host } = new URL(url);
  if (protocol === 'https:' || isLoopback(url)) return;
  throw new ConfigError(`${key}: http://${host} is not encrypted: say https://`, { key });
}
