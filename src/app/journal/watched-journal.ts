import type { Journal } from '../../ports/journal.ts';

/** A journal that reports each failed write before its writer gets the error. */
export function watchedJournal(journal: Journal, onFailure: (error: unknown) => void): Journal {
  return {
    append: (entries) => {
      try {
        journal.append(entries);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
    // Deleting old records can fail on damage, which stops nothing. Its only caller handles the difference.
    forget: (forgetting) => journal.forget(forgetting),
    read: (afterSeq) => journal.read(afterSeq),
    ofKind: (kind) => journal.ofKind(kind),
    last: (kind) => journal.last(kind),
    lastSeq: () => journal.lastSeq(),
    rootSeq: () => journal.rootSeq(),
    close: () => journal.close(),
  };
}
