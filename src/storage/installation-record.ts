import type { InstallationId } from '../domain/installation.ts';
import type { Journal, JournalEntry, JournalRecord, Json } from '../ports/journal.ts';

/** The kind of the record with the journal's random name, which its orders carry. The first run writes it. */
export const INSTALLATION = 'installation';

export const installationEntry = (id: InstallationId): JournalEntry => ({
  kind: INSTALLATION,
  uuid: null,
  data: { id },
});

/** The name in one of these entries; null when none has it. */
export function installationIn(entries: readonly JournalEntry[]): InstallationId | null {
  const found = entries.find(({ kind }) => kind === INSTALLATION);
  return found === undefined ? null : idIn(found.data);
}

/** The name of a journal; null when no run has recorded it. Throws JournalError on damage. */
export function installationOf(journal: Journal): InstallationId | null {
  const found = firstOf(journal, INSTALLATION);
  return found === null ? null : idIn(found.data);
}

/**
 * The only record of a kind, or the first. The index is asked first: `last` reads every record after its result, which is
 * nearly all for an early record. Throws JournalError on damage.
 */
export function firstOf(journal: Journal, kind: string): JournalRecord | null {
  const [found = journal.last(kind)] = journal.ofKind(kind);
  return found;
}

const idIn = (data: Json): InstallationId => String((data as { readonly id?: unknown }).id) as InstallationId;
