import type { Config } from './config/load.ts';
import { readApiKey } from './api-key.ts';
import { connect, type ExchangeClient } from './connect.ts';
import { checkExchange } from './exchange-addresses.ts';

/**
 * A client for the account that the configuration and the environment name. Nothing is sent yet. Throws ConfigError when
 * addresses or key are missing, and when the key would travel unencrypted.
 */
export function openExchange(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): ExchangeClient {
  checkExchange(config);
  const { restUrl, streamUrl, requestTimeoutS } = config.exchange;
  return connect({
    baseUrl: restUrl,
    streamUrl,
    apiKey: readApiKey(config.exchange, environment),
    requestTimeoutMs: requestTimeoutS * 1000,
  });
}
