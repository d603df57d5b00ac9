import { statSync } from 'node:fs';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Metrics } from '../../ports/metrics.ts';

/** A commit is a sync of the disk: a fraction of a millisecond, or longer than a second on a disk that fails. */
const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** A journal that measures how long each commit takes, failed ones included. `clock` must not stand still during a turn. */
export function measuredJournal(
  journal: Journal,
  metrics: Metrics,
  clock: Pick<Clock, 'monotonicMs'>,
): Journal {
  const commits = metrics.histogram(
    'touchline_journal_commit_seconds',
    'Time to write records durably to the journal',
    SECONDS,
  );
  return {
    append(entries) {
      const startedMs = clock.monotonicMs();
      try {
        journal.append(entries);
      } finally {
        commits.observe((clock.monotonicMs() - startedMs) / 1000);
      }
    },
    forget: (forgetting) => journal.forget(forgetting),
    read: (afterSeq) => journal.read(afterSeq),
    ofKind: (kind) => journal.ofKind(kind),
    last: (kind) => journal.last(kind),
    lastSeq: () => journal.lastSeq(),
    rootSeq: () => journal.rootSeq(),
    close: () => journal.close(),
  };
}

/** SQLite's own files beside the journal. */
const PARTS = ['', '-wal', '-shm'];

/** Shows the size on disk of the journal at a path; 0 for one in memory. */
export function showJournalSize(metrics: Metrics, path: string): void {
  const bytes = metrics.gauge('touchline_journal_bytes', 'Size of the journal on disk with its log');
  metrics.beforeExposing(() => bytes.set(path === '' ? 0 : sizeOnDisk(path)));
}

/** Size of the journal at a path with its log, in bytes. */
export const sizeOnDisk = (path: string): number =>
  PARTS.reduce((sum, part) => sum + (statSync(path + part, { throwIfNoEntry: false })?.size ?? 0), 0);
