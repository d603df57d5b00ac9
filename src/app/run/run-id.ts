import { JournalError } from '../../domain/errors.ts';
import { foldJournal } from '../../orders/journal/checkpoint.ts';
import { emptyState } from '../../orders/journal/fold.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Journal } from '../../ports/journal.ts';

/** The name of a run: its number in the journal, and eight hexadecimal digits, because a run that fails early is not counted. */
export type RunId = string;

/** Call it once, at the start of a run. A damaged journal counts the runs before the damage. */
export function newRunId(journal: Journal, ids: Ids): RunId {
  return `${runsOf(journal) + 1}-${ids.uuid().replaceAll('-', '').slice(-8)}`;
}

function runsOf(journal: Journal): number {
  const state = emptyState();
  try {
    foldJournal(journal, state);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  return state.runs;
}
