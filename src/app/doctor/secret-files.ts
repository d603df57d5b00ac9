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

/** For each file of a secret that others can read: what it is, and what to do. Reads the rights of a file, and none of its text. */
export const sharedSecrets = (config: Config): readonly string[] =>
  FILE_KEYS.flatMap((key) => {
    const file = valueAt(config, key);
    return typeof file === 'string' && file !== '' ? (problemOf(key, file) ?? []) : [];
  });

function problemOf(key: string, file: string): string | null {
  try {
    refuseSharedFile(file, key);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
