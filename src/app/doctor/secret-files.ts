/** Finds files of secrets that other users of the machine can read. */
import { reasonOf } from '../../lib/reason.ts';
import { refuseSharedFile } from '../adapters/shared-places.ts';
import type { Config } from '../config/load.ts';
import { settingsOf, valueAt } from '../config/settings.ts';

/** Settings that name the file of a secret: `exchange.apiKeyFile` beside the secret `exchange.apiKey`, and the key of the certificate. */
const FILE_KEYS: readonly string[] = [
  ...settingsOf().flatMap(({ key, isSecret }) => (isSecret ? `${key}File` : [])),
  'admin.keyFile',
];

/** What is known of the files of secrets. */
export interface SecretFiles {
  /** The settings that name one. */
  readonly named: readonly string[];
  /** For each file that others can read, what to do. */
  readonly shared: readonly string[];
}

/** Reads the rights of each file, and none of its text. */
export function secretFiles(config: Config): SecretFiles {
  const files = FILE_KEYS.flatMap((key) => {
    const file = valueAt(config, key);
    return typeof file === 'string' && file !== '' ? [{ key, file }] : [];
  });
  const shared = files.flatMap(({ key, file }) => problemOf(key, file) ?? []);
  return { named: files.map(({ key }) => key), shared };
}

function problemOf(key: string, file: string): string | null {
  try {
    refuseSharedFile(file, key);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
