import { resolve } from 'node:path';
import { holderInWords, lockHolder } from '../../storage/files/lock.ts';
import type { Config } from '../config/load.ts';
import { lockPath, realName } from '../journal/account-paths.ts';
import { checkAccountLock } from '../journal/open-journal.ts';
import { isDaemonThere } from '../operate/operate.ts';

/** A daemon that trades the account while the doctor examines it. */
export interface RunningDaemon {
  readonly who: string;
}

/**
 * The daemon that holds the account's journal; with a journal in memory, the one that answers at the admin interface. Null if there is none,
 * or if it cannot be found out.
 */
export async function runningDaemon(config: Config): Promise<RunningDaemon | null> {
  if (config.journal.path === '') {
    const isThere = await isDaemonThere({ config: () => config, url: null }).catch(() => false);
    return isThere ? { who: 'the daemon that answers at the admin interface' } : null;
  }
  const holder = lockHolder(lockPath(realName(resolve(config.journal.path))));
  // A holder that does not name itself may be anything.
  const isDaemon = holder !== null && 'as' in holder && holder.as === 'daemon';
  return isDaemon ? { who: `the daemon, ${holderInWords(holder)}` } : null;
}

/** Describes the account's lock. Throws what a start would throw, unless a daemon has the lock. */
export function whatLock({ journal: { path } }: Config, daemon: RunningDaemon | null): string {
  if (daemon !== null) return `held by ${daemon.who}: a second start would be refused`;
  if (path === '') return 'none: the journal is in memory';
  checkAccountLock(resolve(path));
  return 'free';
}
