import type { Config } from '../config/load.ts';
import { readApiKey } from './api-key.ts';
import { connect, type ExchangeClient, type RequestPattern } from './connect.ts';
import { checkExchange } from './exchange-addresses.ts';

/**
 * A client for the account that the configuration and the environment name. Nothing is sent yet. Throws ConfigError when
 * addresses or key are missing, and when the key would travel unencrypted. With `requests`, no other request can leave.
 */
export function openExchange(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  requests?: readonly RequestPattern[],
): ExchangeClient {
  checkExchange(config);
  const { restUrl, streamUrl, requestTimeoutS } = config.exchange;
  return connect({
    baseUrl: restUrl,
    streamUrl,
    apiKey: readApiKey(config.exchange, environment),
    requestTimeoutMs: requestTimeoutS * 1000,
    ...(requests === undefined ? {} : { requests }),
  });
}
