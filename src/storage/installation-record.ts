import type { InstallationId } from '../domain/installation.ts';
import type { Journal, JournalEntry, JournalRecord, Json } from '../ports/journal.ts';

/** The random name of the journal, which the orders placed with it carry: written down by the first run that has it. */
export const INSTALLATION = 'installation';

export const installationEntry = (id: InstallationId): JournalEntry => ({
  ...{ kind: INSTALLATION, uuid: null },
  data: { id },
});

/** The name that is written down with these entries; null when none is. */
export function installationIn(entries: readonly JournalEntry[]): InstallationId | null {
  const found = entries.find(({ kind }) => kind === INSTALLATION);
  return found === undefined ? null : idIn(found.data);
}

/** Null when no run has written it down. Throws JournalError on damage. */
export function installationOf(journal: Journal): InstallationId | null {
  const found = firstOf(journal, INSTALLATION);
  return found === null ? null : idIn(found.data);
}

/**
 * The only record of a kind, or the first. `last` reads all that came after a record, which for the first of a journal is nearly
 * all: the index comes first. Throws JournalError on damage.
 */
export function firstOf(journal: Journal, kind: string): JournalRecord | null {
  const [found = journal.last(kind)] = journal.ofKind(kind);
  return found;
}

const idIn = (data: Json): InstallationId => String((data as { readonly id?: unknown }).id) as InstallationId;
