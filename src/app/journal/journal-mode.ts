import { ConfigError, JournalError } from '../../domain/errors.ts';
import type { InstallationId } from '../../domain/installation.ts';
import { MODES } from '../../domain/mode.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import { firstOf, installationEntry, installationOf } from '../../storage/marked-journal.ts';
import type { Config } from '../config/load.ts';

/** Journal record of the mode, simulated or live, that the first run began the journal in. */
export const BEGUN_IN_MODE = 'begun_in_mode';

export interface ClaimedJournal {
  readonly installation: InstallationId;
  /** Why the journal cannot be read or written; null if it can. */
  readonly damage: JournalError | null;
}

/**
 * Checks the journal's mode, and records it in a new one. Simulated and real money never share a journal: orders and losses of
 * one would count for the other. An unreadable journal gets its name from its mark, or else a name that no order carries; a run
 * with it places nothing. Throws ConfigError if the journal is of the other mode.
 */
export function claimJournal(
  journal: Journal,
  config: Config,
  ids: Ids,
  markedInstallation: InstallationId | null = null,
): ClaimedJournal {
  try {
    mustBeOfMode(journal, config);
    if (modeOf(journal) === null)
      journal.append([{ kind: BEGUN_IN_MODE, uuid: null, data: { mode: config.mode } }]);
    return { installation: installationOf(journal) ?? named(journal, ids), damage: null };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { installation: markedInstallation ?? (ids.uuid() as InstallationId), damage: error };
  }
}

function named(journal: Journal, ids: Ids): InstallationId {
  const id = ids.uuid() as InstallationId;
  journal.append([installationEntry(id)]);
  return id;
}

/**
 * Throws ConfigError unless a run of this mode may have the journal, and JournalError if it cannot be read. A journal with
 * records but without a mode may be of real money.
 */
export function mustBeOfMode(
  journal: Journal,
  { mode, journal: { path } }: Pick<Config, 'mode' | 'journal'>,
): void {
  const begunIn = modeOf(journal);
  const mayBeUnnamed = MODES[mode].journal.mayBeUnnamed || journal.lastSeq() === 0;
  if (begunIn === mode || (begunIn === null && mayBeUnnamed)) return;
  const mismatch =
    begunIn === null ? 'does not say with which mode it was begun' : `was begun with mode = "${begunIn}"`;
  throw new ConfigError(
    `journal.path = "${path}": this journal ${mismatch}, and this run has "${mode}": name another one`,
  );
}

/** Null if no run has recorded it. */
function modeOf(journal: Journal): string | null {
  const found = firstOf(journal, BEGUN_IN_MODE);
  return found === null ? null : String((found.data as { readonly mode?: unknown }).mode);
}
