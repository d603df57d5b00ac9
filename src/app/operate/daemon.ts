import { userInfo } from 'node:os';
import process from 'node:process';
import { adminUrl } from '../../ops/admin-controls.ts';
import { type AdminClient, adminClient } from '../adapters/admin-client.ts';
import type { Config } from '../config/load.ts';

/** Options with which a command reaches a daemon. This file loads fast, because a kill must not wait. */
export interface Operation {
  /**
   * Reads the configuration; throws ConfigError. Not called if the daemon's address is known: a mistake in a file that is being
   * edited must not prevent a kill.
   */
  readonly config: () => Config | Promise<Config>;
  /** Address of the daemon's admin interface; null: the configured one. */
  readonly url: string | null;
}

const ANSWER_WITHIN_MS = 3_000;

/** A client of the daemon. Rejects with ConfigError if the address is not known and the configuration is invalid. */
export async function clientOf({ config, url }: Operation): Promise<AdminClient> {
  return adminClient(url ?? adminUrlOf(await config()), ANSWER_WITHIN_MS);
}

const adminUrlOf = ({ ops: { host, port } }: Config): string => adminUrl(host, port);

const LONGEST_NAME = 100;

/** The person at the keyboard, for the record. */
export const operator = (): string => `${userName()} (pid ${process.pid})`.slice(0, LONGEST_NAME);

/** The user of a container may have no name, and asking for it then throws. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
