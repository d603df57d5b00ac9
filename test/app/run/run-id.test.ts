import { expect, it } from 'vitest';
import { newRunId } from '../../../src/app/run/run-id.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';

const ids = { uuid: () => '0197a5c2-7b1d-7e3f-9a4b-5c6d7e8f9a0b' };

it('is the number of the run in the journal, and eight hexadecimal digits', () => {
  const journal = createMemoryJournal(new VirtualClock());
  expect(newRunId(journal, ids)).toBe('1-7e8f9a0b');
  for (const run of ['1', '2']) journal.append([entryOf({ kind: 'run_started', run })]);
  expect(newRunId(journal, ids)).toBe('3-7e8f9a0b');
});

it('counts the runs before a damage', () => {
  const journal = createMemoryJournal(new VirtualClock());
  journal.append([entryOf({ kind: 'run_started', run: '1' })]);
  const records = [...journal.read()];
  const damaged: Pick<Journal, 'last' | 'read'> = {
    last: () => null,
    *read() {
      yield* records;
      throw new JournalError('a record is damaged');
    },
  };
  expect(newRunId(damaged as Journal, ids)).toBe('2-7e8f9a0b');
});
