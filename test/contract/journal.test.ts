import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { JournalError } from '../../src/domain/errors.ts';
import type { Journal, JournalEntry, JournalRecord } from '../../src/ports/journal.ts';
import { createMemoryJournal, memoryStore } from '../../src/storage/memory-journal.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { entry } from '../support/journal-entry.ts';

/** Everything that the suite needs to test an implementation of the journal. */
interface JournalHarness {
  /** Opens the same journal again, as the next process would. */
  open(): Journal;
  /** Opens it so that the append after the next `survive` ones fails. */
  openFailing(survive: number): Journal;
  /** Spans all openings. */
  readonly clock: VirtualClock;
}

const numbers = (journal: Journal, after?: number): unknown[] =>
  [...journal.read(after)].map((record) => (record.data as { n: number }).n);

const steps = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      act: fc.constant('forget' as const),
      belowSeq: fc.integer({ min: 0, max: 40 }),
      most: fc.integer({ min: 1, max: 12 }),
      keepEvery: fc.integer({ min: 1, max: 6 }),
    }),
    fc.record({ act: fc.constant('reopen' as const) }),
  ),
  { maxLength: 25 },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

/** Compares with a plain list: records that were removed and not kept are gone, all others are there, in order. */
function followsTheModel(open: () => Journal, given: readonly Step[]): void {
  let journal = open();
  let expected = [...journal.read()].map(({ seq }) => seq);
  let root = journal.rootSeq();
  for (const step of given) {
    if (step.act === 'reopen') {
      journal.close();
      journal = open();
    } else if (step.act === 'append') {
      const last = journal.lastSeq();
      const seqs = Array.from({ length: step.count }, (_, at) => last + 1 + at);
      journal.append(seqs.map(entry));
      expected.push(...seqs);
    } else {
      const { belowSeq, most, keepEvery } = step;
      const keeps = ({ seq }: JournalRecord): boolean => seq % keepEvery === 0;
      const count = journal.forget({ belowSeq, most, keeps, writtenBeforeMs: Infinity });
      expect(count).toBe(Math.max(0, Math.min(most, Math.min(belowSeq - 1, journal.lastSeq()) - root)));
      const newRoot = root + count;
      expected = expected.filter((seq) => seq <= root || seq > newRoot || seq % keepEvery === 0);
      root = newRoot;
    }
    expect([...journal.read()].map(({ seq }) => seq)).toEqual(expected);
    expect(journal.rootSeq()).toBe(root);
  }
  journal.close();
}

/** Every implementation of the journal port keeps these promises. */
function journalContract(name: string, harness: () => JournalHarness): void {
  describe(`${name} as a journal`, () => {
    it('numbers records from 1 without gaps, and returns what was written', () => {
      const journal = harness().open();
      journal.append([entry(1), entry(2)]);
      journal.append([entry(3)]);
      const records = [...journal.read()];
      expect(records.map((record) => record.seq)).toEqual([1, 2, 3]);
      expect(records.map(({ kind, uuid, data }) => ({ kind, uuid, data }))).toEqual([1, 2, 3].map(entry));
      journal.close();
    });

    it('reads from any record onwards', () => {
      const journal = harness().open();
      journal.append([1, 2, 3, 4].map(entry));
      expect(numbers(journal, 2)).toEqual([3, 4]);
      expect(numbers(journal, 4)).toEqual([]);
      journal.close();
    });

    it('finds the last record of a kind', () => {
      const journal = harness().open();
      const other: JournalEntry = { kind: 'other', uuid: null, data: { n: 9 } };
      journal.append([entry(1), other, entry(2), entry(3)]);
      expect(journal.last('test')?.seq).toBe(4);
      expect(journal.last('other')).toMatchObject({ seq: 2, data: { n: 9 } });
      expect(journal.last('none')).toBeNull();
      journal.close();
    });

    it('is empty at first', () => {
      const journal = harness().open();
      expect(journal.lastSeq()).toBe(0);
      expect([...journal.read()]).toEqual([]);
      journal.close();
    });

    it('continues where the last opening ended', () => {
      const { open } = harness();
      const first = open();
      first.append([entry(1)]);
      first.close();
      const second = open();
      expect(second.lastSeq()).toBe(1);
      second.append([entry(2)]);
      expect(numbers(second)).toEqual([1, 2]);
      second.close();
    });

    it('appends all or nothing, and accepts nothing after a failure', () => {
      const { open, openFailing } = harness();
      const journal = openFailing(1);
      journal.append([entry(1)]);
      expect(() => journal.append([entry(2), entry(3)])).toThrow(JournalError);
      expect(() => journal.append([entry(4)])).toThrow(JournalError);
      journal.close();
      const again = open();
      expect(numbers(again)).toEqual([1]);
      again.append([entry(5)]);
      expect(again.lastSeq()).toBe(2);
      again.close();
    });

    it('returns the records of one kind', () => {
      const journal = harness().open();
      const other: JournalEntry = { kind: 'other', uuid: null, data: { n: 9 } };
      journal.append([entry(1), other, entry(2)]);
      journal.append([other]);
      expect([...journal.ofKind('other')].map(({ seq }) => seq)).toEqual([2, 4]);
      expect([...journal.ofKind('none')]).toEqual([]);
      journal.close();
    });

    it('removes the oldest records, except those to be kept', () => {
      const { open } = harness();
      const journal = open();
      for (let n = 1; n <= 6; n++) journal.append([entry(n)]);
      const odd = (record: JournalRecord): boolean => record.seq % 2 === 1;
      const all = { belowSeq: 6, writtenBeforeMs: Infinity, keeps: odd };
      expect(journal.forget({ ...all, most: 2 })).toBe(2);
      expect(numbers(journal)).toEqual([1, 3, 4, 5, 6]);
      expect(journal.forget({ ...all, most: 100 })).toBe(3);
      expect(journal.forget({ ...all, most: 100 })).toBe(0);
      journal.append([entry(7)]);
      journal.close();
      const again = open();
      expect(again.rootSeq()).toBe(5);
      expect([...again.read()].map(({ seq }) => seq)).toEqual([1, 3, 5, 6, 7]);
      expect(numbers(again, 3)).toEqual([5, 6, 7]);
      expect(numbers(again, 5)).toEqual([6, 7]);
      expect([...again.ofKind('test')].map(({ seq }) => seq)).toEqual([1, 3, 5, 6, 7]);
      expect(again.lastSeq()).toBe(7);
      again.close();
    });

    it('finds the last record of a kind among the kept ones', () => {
      const journal = harness().open();
      journal.append([{ kind: 'other', uuid: null, data: 1 }, entry(2), entry(3)]);
      journal.forget({
        belowSeq: 3,
        writtenBeforeMs: Infinity,
        most: 9,
        keeps: ({ kind }) => kind === 'other',
      });
      expect(journal.last('other')?.seq).toBe(1);
      expect(journal.last('test')?.seq).toBe(3);
      journal.close();
    });

    it('removes nothing from the first young record onwards', () => {
      const { open, clock } = harness();
      const journal = open();
      for (let n = 1; n <= 3; n++) {
        journal.append([entry(n)]);
        clock.jumpWall(1_000);
      }
      const limit = { belowSeq: 9, writtenBeforeMs: clock.wallMs() - 2_000, most: 9, keeps: () => false };
      expect(journal.forget(limit)).toBe(1);
      // As after a clock was set back: records behind a young record stay, whatever time they show.
      clock.jumpWall(-1_000_000);
      journal.append([entry(4)]);
      expect(journal.forget(limit)).toBe(0);
      expect(numbers(journal)).toEqual([2, 3, 4]);
      journal.close();
    });

    it('is the same journal through any sequence of appends, removals and openings', () => {
      fc.assert(
        fc.property(steps, (given) => followsTheModel(harness().open, given)),
        { numRuns: 40 },
      );
    });

    it('keeps an entry as it was given, even when the caller changes it afterwards', () => {
      const journal = harness().open();
      const data = { n: 1 };
      journal.append([{ kind: 'test', uuid: null, data }]);
      data.n = 2;
      expect(numbers(journal)).toEqual([1]);
      journal.close();
    });
  });
}

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
