import type { Journal } from '../../ports/journal.ts';

/** A journal whose failed writes, whoever wrote, are told of before the writer hears of them. */
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
    // Letting go of old records can fail for damage, which stops nothing: its one caller tells the difference.
    forget: (forgetting) => journal.forget(forgetting),
    read: (afterSeq) => journal.read(afterSeq),
    ofKind: (kind) => journal.ofKind(kind),
    last: (kind) => journal.last(kind),
    lastSeq: () => journal.lastSeq(),
    rootSeq: () => journal.rootSeq(),
    close: () => journal.close(),
  };
}
