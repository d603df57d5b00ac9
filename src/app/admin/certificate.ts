import { readFileSync } from 'node:fs';
import { ConfigError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Certificate } from '../../ops/listener.ts';
import type { Config } from '../config/load.ts';

/** The certificate of the admin interface; null if it has none. Throws ConfigError if a file cannot be read. */
export function certificateOf({ admin: { certFile, keyFile } }: Pick<Config, 'admin'>): Certificate | null {
  if (certFile === '') return null;
  return { cert: textOf('admin.certFile', certFile), key: textOf('admin.keyFile', keyFile) };
}

function textOf(key: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${key} = ${JSON.stringify(path)}: cannot be read: ${reasonOf(error)}`, { key });
  }
}
