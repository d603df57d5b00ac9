import { ConfigError, JournalError } from '../domain/errors.ts';
import type { Journal, JournalRecord } from '../ports/journal.ts';
import type { Config } from './config/load.ts';

/** Whose money a journal tells of; written down by the first run that has it. */
export const JOURNAL_MODE = 'journal_mode';

/**
 * Holds simulated and real money apart: orders and losses of the one would count for the other, and what the one has open
 * is not there for the other. A journal in which no run said so becomes that of this one. Throws ConfigError when the
 * journal is of the other mode.
 */
export function claimJournal(journal: Journal, { mode, journal: { path } }: Config): void {
  try {
    const claimed = journal.last(JOURNAL_MODE);
    if (claimed === null) journal.append([{ kind: JOURNAL_MODE, uuid: null, data: { mode } }]);
    else mustBeOf(mode, modeIn(claimed), path);
  } catch (error) {
    // A journal that cannot be read or written trades nothing, and tells so itself.
    if (!(error instanceof JournalError)) throw error;
  }
}

function mustBeOf(mode: Config['mode'], claimed: unknown, path: string): void {
  if (claimed === mode) return;
  throw new ConfigError(
    `journal.path = "${path}": this journal was begun with mode = ${JSON.stringify(claimed)}, and this run has "${mode}": name another one`,
  );
}

const modeIn = ({ data }: JournalRecord): unknown => (data as { readonly mode?: unknown }).mode;
