import type { JournalError } from '../domain/errors.ts';
import type { ChainedJournal } from './chained-journal.ts';

/** Replaces a journal that cannot be opened: every read and write throws the error. */
export function lostJournal(error: JournalError): ChainedJournal {
  const fail = (): never => {
    throw error;
  };
  return {
    append: fail,
    read: fail,
    ofKind: fail,
    last: fail,
    forget: fail,
    checksumAt: fail,
    lastSeq: () => 0,
    rootSeq: () => 0,
    distrust: () => undefined,
    close: () => undefined,
  };
}
