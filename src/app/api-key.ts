import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import type { Config } from './config/load.ts';

/**
 * The key of the account: from the environment, from the file that the configuration names, or from the service
 * manager's credential `api_key`. Throws ConfigError when there is none, or the file cannot be read or is empty.
 */
export function readApiKey(
  exchange: Config['exchange'],
  environment: Readonly<Record<string, string | undefined>>,
): Secret {
  if (exchange.apiKey !== '') return new Secret(exchange.apiKey);
  const credentials = environment['CREDENTIALS_DIRECTORY'];
  const file = exchange.apiKeyFile || (credentials === undefined ? '' : join(credentials, 'api_key'));
  if (file === '') {
    throw new ConfigError(
      'no API key: set the environment variable TOUCHLINE_API_KEY, or exchange.apiKeyFile to a file that holds it',
    );
  }
  return readKeyFile(file);
}

function readKeyFile(file: string): Secret {
  let key: string;
  try {
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`exchange.apiKeyFile = "${file}": cannot be read (${code})`, { file });
  }
  if (key === '' || /\s/.test(key)) {
    throw new ConfigError(`exchange.apiKeyFile = "${file}": must hold the key alone, on one line`, { file });
  }
  return new Secret(key);
}
