import { describe, expect, it } from 'vitest';
import { JournalError } from '../../src/domain/errors.ts';
import type { Journal, JournalEntry } from '../../src/ports/journal.ts';

/** What a suite needs to try an implementation of the journal. */
export interface JournalHarness {
  /** Opens the same journal again, as the next process would. */
  open(): Journal;
  /** Opens it so that the append after the next `survive` ones fails. */
  openFailing(survive: number): Journal;
}

export const entry = (n: number): JournalEntry => ({
  kind: 'test',
  uuid: n % 2 === 0 ? null : `uuid-${n}`,
  data: { n, text: `snø ${n}`, nested: [1, null, { deep: true }] },
});

const numbers = (journal: Journal, after?: number): unknown[] =>
  [...journal.read(after)].map((record) => (record.data as { n: number }).n);

/** Every implementation of the journal port keeps these promises. */
export function journalContract(name: string, harness: () => JournalHarness): void {
  describe(`${name} as a journal`, () => {
    it('numbers records from 1 without gaps, and gives back what was written', () => {
      const journal = harness().open();
      journal.append([entry(1), entry(2)]);
      journal.append([entry(3)]);
      const records = [...journal.read()];
      expect(records.map((record) => record.seq)).toEqual([1, 2, 3]);
      expect(records.map(({ kind, uuid, data }) => ({ kind, uuid, data }))).toEqual([1, 2, 3].map(entry));
      journal.close();
    });

    it('reads from any record on', () => {
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

    it('goes on where the last opening ended', () => {
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

    it('appends all or nothing, and trusts nothing after a failure', () => {
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

    it('keeps what it was given even when the giver changes it afterwards', () => {
      const journal = harness().open();
      const data = { n: 1 };
      journal.append([{ kind: 'test', uuid: null, data }]);
      data.n = 2;
      expect(numbers(journal)).toEqual([1]);
      journal.close();
    });
  });
}
