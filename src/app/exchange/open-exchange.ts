import { ConfigError } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Config } from '../config/load.ts';
import { readSecret } from '../config/secret.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { connectOver, type ConnectOptions, type ExchangeClient, type RequestPattern } from './connect.ts';
import { wiresTo } from './wires.ts';

/**
 * The key of the account, without surrounding white space: from the environment, from the configured file, or from the service
 * manager's credential `api_key`. Throws ConfigError if there is none, if the file cannot be read, or if a header cannot carry
 * the text.
 */
export function readApiKey(
  exchange: Config['exchange'],
  environment: Readonly<Record<string, string | undefined>>,
): Secret {
  const places = {
    value: exchange.apiKey,
    variable: 'TOUCHLINE_API_KEY',
    credential: 'api_key',
    file: exchange.apiKeyFile,
    fileKey: 'exchange.apiKeyFile',
  };
  const key = readSecret(places, environment);
  if (key !== null) return key;
  throw new ConfigError(
    'no API key: set the environment variable TOUCHLINE_API_KEY, or exchange.apiKeyFile to a file that holds it',
  );
}

/** Throws ConfigError unless both addresses are set and the key cannot be read on its way to them. */
export function checkExchange({ exchange }: Config): void {
  const missing = addressesThat(exchange, (url) => url === '');
  if (missing.length > 0) {
    const keys = missing.map((key) => `exchange.${key}`).join(' and ');
    throw new ConfigError(
      `${keys} not set: name the exchange's addresses, or use "touchline start" for the embedded one`,
    );
  }
  const open = addressesThat(exchange, (url) => !isEncrypted(url) && !isLoopback(url));
  if (open.length === 0) return;
  throw new ConfigError(
    `${named(exchange, open)}: not encrypted, so that anybody on the way could read the key: say https:// and wss://`,
  );
}

/**
 * Throws ConfigError for any address that is not on this machine. The embedded exchange always is; an address elsewhere may
 * belong to a real account.
 */
export function checkSimulated({ exchange }: Config): void {
  const elsewhere = addressesThat(exchange, (url) => url !== '' && !isLoopback(url));
  if (elsewhere.length === 0) return;
  throw new ConfigError(
    `${named(exchange, elsewhere)}: not on this machine, so it may take real money; that needs mode = "live" and --live`,
  );
}

type Address = 'restUrl' | 'streamUrl';
type Addresses = Readonly<Record<Address, string>>;

const addressesThat = (exchange: Addresses, are: (url: string) => boolean): Address[] =>
  (['restUrl', 'streamUrl'] as const).filter((key) => are(exchange[key]));

const named = (exchange: Addresses, keys: readonly Address[]): string =>
  keys.map((key) => `exchange.${key} = "${exchange[key]}"`).join(' and ');

const isEncrypted = (url: string): boolean => /^(https|wss):$/.test(new URL(url).protocol);

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * A client for the account that the configuration and the environment name. Sends nothing yet. Throws ConfigError if addresses or
 * key are missing, or if the key would travel unencrypted. With `requests`, no other request can be sent. `onWire`
 * receives the wire as it is. Under a paper configuration only what reads and watches the market can be sent.
 */
export function openExchange(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  requests?: readonly RequestPattern[],
  onWire?: ConnectOptions['onWire'],
): ExchangeClient {
  checkExchange(config);
  const apiKey = readApiKey(config.exchange, environment);
  return connectOver(wiresTo(config, apiKey, systemClock), {
    apiKey,
    requestTimeoutMs: config.exchange.requestTimeoutS * 1000,
    ...(requests === undefined ? {} : { requests }),
    ...(onWire === undefined ? {} : { onWire }),
  });
}
