import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { createMemoryJournal, memoryStore } from '../../src/storage/memory-journal.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { journalContract } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const clock = new VirtualClock();

journalContract('the memory journal', () => {
  const store = memoryStore();
  return {
    clock,
    open: () => createMemoryJournal(clock, { store }),
    openFailing: (survive) => {
      let left = survive;
      const beforeAppend = (): void => {
        if (left-- <= 0) throw new Error('disk full');
      };
      return createMemoryJournal(clock, { store, beforeAppend });
    },
  };
});

let files = 0;
journalContract('the SQLite journal', () => {
  const path = join(folder, `${files++}.sqlite`);
  return {
    clock,
    open: () => {
      setInsertTrap(path, null);
      return openSqliteJournal(path, clock);
    },
    openFailing: (survive) => {
      openSqliteJournal(path, clock).close();
      setInsertTrap(path, survive);
      return openSqliteJournal(path, clock);
    },
  };
});

/** Makes the database refuse records beyond a number, as a full disk would in the middle of a transaction. */
function setInsertTrap(path: string, survive: number | null): void {
  const db = new DatabaseSync(path);
  db.exec('DROP TRIGGER IF EXISTS trap');
  if (survive !== null) {
    db.exec(
      `CREATE TRIGGER trap BEFORE INSERT ON journal WHEN NEW.seq > ${survive + 1}
       BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
  }
  db.close();
}
