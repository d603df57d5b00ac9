import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';

/** Where a secret may stand, in order of precedence. */
export interface SecretPlaces {
  /** The value from the environment, as the configuration holds it; empty if there is none. */
  readonly value: string;
  /** The environment variable of the value. */
  readonly variable: string;
  /** The path of a file that holds the secret alone; empty if there is none. */
  readonly file: string;
  /** The setting that names the file. */
  readonly fileKey: string;
  /** The name of the service manager's credential. */
  readonly credential: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The secret, without surrounding white space; null if no place holds one. Throws ConfigError if the file cannot be read, or if the text
 * is more than one line of ASCII without blanks. The text itself is never part of a message.
 */
export function readSecret(places: SecretPlaces, environment: Environment): Secret | null {
  const { value, variable, file, fileKey, credential } = places;
  if (value !== '') return secretOf(value, variable);
  const folder = environment['CREDENTIALS_DIRECTORY'];
  const path = file || (folder === undefined ? '' : join(folder, credential));
  if (path === '') return null;
  const text = textOf(path, fileKey);
  // The service manager's folder may hold other credentials alone.
  if (text === null && file === '') return null;
  if (text === null)
    throw new ConfigError(
      `${fileKey} = "${path}": there is no such file: write nothing but the key into it, readable by its owner alone (chmod 600)`,
      { file: path },
    );
  return secretOf(text, `${fileKey} = "${path}"`);
}

function textOf(path: string, fileKey: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    if (code === 'ENOENT') return null;
    throw unreadable(path, fileKey, code);
  }
}

const unreadable = (path: string, fileKey: string, code: string): ConfigError =>
  new ConfigError(`${fileKey} = "${path}": cannot be read (${code})`, { file: path });

/** The characters that a header can carry, on one line. */
const PLAIN = /^[\x21-\x7e]+$/;

function secretOf(text: string, where: string): Secret {
  const secret = text.trim();
  if (!PLAIN.test(secret))
    throw new ConfigError(`${where}: must hold the key alone: one line of ASCII without blanks`);
  return new Secret(secret);
}
