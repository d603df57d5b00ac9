import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { InstallationId } from '../../src/domain/installation.ts';
import { memoryFile } from '../../src/storage/files/memory-file.ts';
import { damageByMark, type JournalMark, markText, readMark } from '../../src/storage/journal-mark.ts';
import { createMemoryJournal } from '../../src/storage/memory-journal.ts';
import { OTHER, OWN } from '../support/claims.ts';
import { entry } from '../support/journal-entry.ts';

const MARK: JournalMark = { installation: OWN, seq: 12, checksum: 3_456_789_012, atMs: 1_700_000_000_123 };
const readingOf = (text: string | null) => readMark(memoryFile({ store: { text } }));

describe('the mark of a journal', () => {
  it('is read as it was written, with any padding', () => {
    for (const padding of ['', ' '.repeat(100), ' \n', ' \0\0x}'])
      expect(readingOf(markText(MARK) + padding)).toEqual({ kind: 'read', mark: MARK });
  });

  it('is absent or unreadable, and never a different mark', () => {
    expect(readingOf(null)).toEqual({ kind: 'absent' });
    for (const text of ['', '{}', 'null', '[]', '"}', '{"form":1}', 'trading is permitted'])
      expect(readingOf(text)).toMatchObject({ kind: 'unreadable' });
    const whole = markText(MARK);
    for (let length = 0; length < whole.length; length++)
      expect(readingOf(whole.slice(0, length))).toMatchObject({ kind: 'unreadable' });
    expect(readingOf(whole.replace('"form":1', '"form":2'))).toMatchObject({ kind: 'unreadable' });
    const unreadable = { ...memoryFile(), read: () => fail('EIO') };
    expect(readMark(unreadable)).toEqual({ kind: 'unreadable', why: 'EIO' });
  });

  it('is rejected when any byte of it has changed', () => {
    const whole = Buffer.from(markText(MARK));
    const changed = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(changed, ([at, flip]) => {
        const text = Buffer.from(whole);
        text[at] = (text[at] ?? 0) ^ flip;
        expect(readingOf(text.toString())).toMatchObject({ kind: 'unreadable' });
      }),
      { numRuns: 500 },
    );
  });
});

function fail(why: string): never {
  throw new Error(why);
}

describe('a journal and its mark', () => {
  const journalOf = (records: number) => {
    const journal = createMemoryJournal(new VirtualClock());
    journal.append(Array.from({ length: records }, (_, at) => entry(at + 1)));
    return journal;
  };
  const markOf = (journal: ReturnType<typeof journalOf>, seq: number): JournalMark => ({
    ...MARK,
    seq,
    checksum: journal.checksumAt(seq) ?? 0,
  });

  it('agree while the mark lies at the end or behind', () => {
    const journal = journalOf(5);
    for (let seq = 0; seq <= 5; seq++) expect(damageByMark(markOf(journal, seq), journal, OWN)).toBeNull();
  });

  it('disagree when the journal ends before its mark', () => {
    const mark = markOf(journalOf(5), 5);
    const damage = damageByMark(mark, journalOf(3), OWN);
    expect([damage?.message, damage?.details['seq']]).toEqual([
      'journal records are missing at the end: it reached record 5, and ends with 3',
      4,
    ]);
  });

  it('disagree when the record of the mark differs, however long the journal is', () => {
    const mark = markOf(journalOf(5), 5);
    const other = createMemoryJournal(new VirtualClock());
    for (let n = 2; n < 9; n++) other.append([entry(n)]);
    expect(damageByMark(mark, other, OWN)?.details['seq']).toBe(5);
  });

  it.each<[string, InstallationId | null]>([
    ['of another installation', OTHER],
    ['that names no installation', null],
  ])('disagree about a journal %s', (_, installation) => {
    const journal = journalOf(5);
    expect(damageByMark(markOf(journal, 5), journal, installation)?.message).toContain(OWN);
  });

  it('agree on a record that was removed after the mark was written', () => {
    const journal = journalOf(6);
    const marks = [2, 4].map((seq) => markOf(journal, seq));
    journal.forget({ belowSeq: 5, writtenBeforeMs: Infinity, most: 9, keeps: () => false });
    for (const mark of marks) expect(damageByMark(mark, journal, OWN)).toBeNull();
    expect(damageByMark({ ...MARK, seq: 4, checksum: 1 }, journal, OWN)).not.toBeNull();
  });
});
