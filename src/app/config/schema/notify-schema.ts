import { integer, number, url } from './formats.ts';

/** The table `notify` of a configuration. */
export const notifySchema = {
  webhookUrl: {
    doc: 'address that gets a signed POST for each notification; http:// only on this machine; empty: none',
    format: url('http:', 'https:'),
    default: '' as string,
    env: 'TOUCHLINE_WEBHOOK_URL',
  },
  webhookSecret: {
    doc: 'secret of the signatures; only from the environment, never from a file of settings',
    format: String,
    default: '' as string,
    sensitive: true,
    env: 'TOUCHLINE_WEBHOOK_SECRET',
  },
  webhookSecretFile: {
    doc: 'file that holds only the secret; a service manager credential named webhook_secret is found without this',
    format: String,
    default: '' as string,
    env: 'TOUCHLINE_WEBHOOK_SECRET_FILE',
  },
  telegramChat: {
    doc: 'chat that the bot writes to: its number, or @name of a channel; empty: none',
    format: String,
    default: '' as string,
    env: 'TOUCHLINE_TELEGRAM_CHAT',
  },
  telegramToken: {
    doc: 'token of the bot; only from the environment, never from a file of settings',
    format: String,
    default: '' as string,
    sensitive: true,
    env: 'TOUCHLINE_TELEGRAM_TOKEN',
  },
  telegramTokenFile: {
    doc: 'file that holds only the token; a service manager credential named telegram_token is found without this',
    format: String,
    default: '' as string,
    env: 'TOUCHLINE_TELEGRAM_TOKEN_FILE',
  },
  telegramUrl: {
    doc: 'address of the Bot API; http:// only on this machine',
    format: url('http:', 'https:'),
    default: 'https://api.telegram.org' as string,
  },
  perHour: {
    doc: 'most notifications in an hour that page nobody; more are counted and held back',
    format: integer(1, 1000),
    default: 30,
  },
  perHourOfKind: {
    doc: 'most notifications of one kind in an hour; more are counted and held back',
    format: integer(1, 1000),
    default: 6,
  },
  dailySummary: { doc: 'send a summary at the end of each day', format: Boolean, default: true },
  pingUrl: {
    doc: 'address that gets a GET at each interval while the daemon works, for a service that calls you when the GET fails to come; empty: none',
    format: url('http:', 'https:'),
    default: '' as string,
    env: 'TOUCHLINE_PING_URL',
  },
  pingIntervalS: { doc: 'time between two pings', format: number(1, 3600), default: 60 },
};
