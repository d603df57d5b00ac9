import { ConfigError } from '../../domain/errors.ts';
import type { Config } from '../config/load.ts';

/** Throws ConfigError unless both addresses are set, and the key could be read by nobody on its way to them. */
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

/** The embedded exchange is always on this machine. Throws ConfigError: an address elsewhere can be that of a real account. */
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

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
