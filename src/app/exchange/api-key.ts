import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { Config } from '../config/load.ts';

/**
 * The key of the account: from the environment, from the file that the configuration names, or from the service
 * manager's credential `api_key`; without white space around it. Throws ConfigError when there is none, the file cannot
 * be read, or what is there could not be sent.
 */
export function readApiKey(
  exchange: Config['exchange'],
  environment: Readonly<Record<string, string | undefined>>,
): Secret {
  if (exchange.apiKey !== '') return keyOf(exchange.apiKey, 'TOUCHLINE_API_KEY');
  const credentials = environment['CREDENTIALS_DIRECTORY'];
  const file = exchange.apiKeyFile || (credentials === undefined ? '' : join(credentials, 'api_key'));
  if (file === '') {
    throw new ConfigError(
      'no API key: set the environment variable TOUCHLINE_API_KEY, or exchange.apiKeyFile to a file that holds it',
    );
  }
  return keyOf(textOf(file), `exchange.apiKeyFile = "${file}"`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`exchange.apiKeyFile = "${file}": cannot be read (${code})`, { file });
  }
}

/** What a header can carry, on one line. */
const KEY = /^[\x21-\x7e]+$/;

/** `where` the text is from. It is never part of the message. */
function keyOf(text: string, where: string): Secret {
  const key = text.trim();
  if (!KEY.test(key))
    throw new ConfigError(`${where}: must hold the key alone: one line of ASCII without blanks`);
  return new Secret(key);
}
