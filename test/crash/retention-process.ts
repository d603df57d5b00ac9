/**
 * A process that appends to the journal at `argv[2]` and removes its oldest records, in turns, until it is killed. Run
 * it with `--import kill-points.ts`.
 */
import process from 'node:process';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';

const journal = openSqliteJournal(process.argv[2] as string, systemClock);
for (;;) {
  const last = journal.lastSeq();
  journal.append([1, 2, 3].map((n) => ({ kind: n === 2 ? 'stays' : 'goes', uuid: null, data: last + n })));
  const belowSeq = journal.lastSeq() - 10;
  journal.forget({ belowSeq, writtenBeforeMs: Infinity, most: 5, keeps: ({ kind }) => kind === 'stays' });
}
