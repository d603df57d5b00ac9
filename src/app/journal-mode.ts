import { ConfigError, JournalError } from '../domain/errors.ts';
import type { Journal } from '../ports/journal.ts';
import type { Config } from './config/load.ts';

/** Whose money a journal tells of: written down by the first run that has it. */
export const BEGUN_IN_MODE = 'begun_in_mode';

/**
 * Holds simulated and real money apart: orders and losses of the one would count for the other, and what the one has open
 * is not there for the other. Answers why a journal cannot be read or written, null when it can: then its mode is that of
 * this run from now on. Throws ConfigError when it is of the other mode.
 */
export function claimJournal(journal: Journal, config: Config): JournalError | null {
  try {
    mustBeOfMode(journal, config);
    if (modeOf(journal) !== null) return null;
    journal.append([{ kind: BEGUN_IN_MODE, uuid: null, data: { mode: config.mode } }]);
    return null;
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
}

/**
 * Throws ConfigError unless a run of this mode may have the journal, and JournalError when it cannot be read. One that holds
 * something and does not say of which mode it is may be of real money: only a live run takes it.
 */
export function mustBeOfMode(journal: Journal, { mode, journal: { path } }: Config): void {
  const begunIn = modeOf(journal);
  if (begunIn === mode || (begunIn === null && (mode === 'live' || journal.lastSeq() === 0))) return;
  const told =
    begunIn === null ? 'does not say with which mode it was begun' : `was begun with mode = "${begunIn}"`;
  throw new ConfigError(
    `journal.path = "${path}": this journal ${told}, and this run has "${mode}": name another one`,
  );
}

/** Null when no run has written it down. */
function modeOf(journal: Journal): string | null {
  // The last of a kind is looked for by reading all that came after it: for the first record of a journal, nearly all.
  const [found = journal.last(BEGUN_IN_MODE)] = journal.ofKind(BEGUN_IN_MODE);
  return found === null ? null : String((found.data as { readonly mode?: unknown }).mode);
}
