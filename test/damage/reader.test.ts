import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { entry } from '../support/journal-entry.ts';
import { contentsOf, type JournalFiles, verdictOn } from './reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-reader-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'journal.sqlite');
const filesNow = (): JournalFiles => ({
  journal: readFileSync(path),
  log: readFileSync(`${path}-wal`),
  mark: null,
});

/** Records in the file, removed and kept ones, and records in the log. Some are longer than a page. */
function specimen(): JournalFiles {
  const long = { kind: 'long', uuid: null, data: 'x'.repeat(9_000) };
  const first = openSqliteJournal(path, new VirtualClock());
  for (let n = 1; n <= 300; n++) first.append([n % 50 === 0 ? long : entry(n)]);
  first.forget({ belowSeq: 200, writtenBeforeMs: Infinity, most: 99, keeps: ({ seq }) => seq % 3 === 0 });
  first.close();
  const second = openSqliteJournal(path, new VirtualClock());
  for (let n = 301; n <= 400; n++) second.append([n % 50 === 0 ? long : entry(n)]);
  const files = filesNow();
  second.close();
  return files;
}

const SOUND = specimen();
const CONTENTS = contentsOf(SOUND);

describe('the independent reader', () => {
  it('finds what SQLite finds', () => {
    const db = new DatabaseSync(path, { readOnly: true });
    const rows = ['kept', 'journal'].flatMap((table) =>
      db.prepare(`SELECT seq, data FROM ${table} ORDER BY seq`).all(),
    );
    expect([...CONTENTS.records.keys()]).toEqual(rows.map(({ seq }) => seq));
    for (const { seq, data } of rows) {
      const text = Buffer.from(String(data), 'utf8').toString('latin1');
      expect(CONTENTS.records.get(Number(seq))).toContain(text);
    }
    expect(CONTENTS.isBroken).toBe(false);
    expect(CONTENTS.index.split('\n')).toHaveLength(301);
    db.close();
  });

  it('finds the records of the file alone where there is no log', () => {
    const { records } = contentsOf({ ...SOUND, log: null });
    expect(Math.max(...records.keys())).toBe(300);
  });

  it('finds a byte of a record that has changed', () => {
    const journal = Buffer.from(SOUND.journal as Buffer);
    const at = journal.indexOf('snø 230');
    journal[at] = 0x21;
    expect(verdictOn(CONTENTS, 400, { ...SOUND, journal }, true)).toBe('damaged');
    expect(verdictOn(CONTENTS, 400, SOUND, true)).toBe('whole');
  });

  it('treats the end of the log as lost only as far as the mark reaches', () => {
    const log = Buffer.from(SOUND.log as Buffer);
    log[log.length - 1] = (log.at(-1) ?? 0) ^ 1;
    expect(verdictOn(CONTENTS, 400, { ...SOUND, log }, true)).toBe('damaged');
    expect(verdictOn(CONTENTS, 399, { ...SOUND, log }, true)).toBe('whole');
    expect(verdictOn(CONTENTS, 400, { ...SOUND, log }, false)).toBe('whole');
    expect(verdictOn(CONTENTS, 400, { ...SOUND, log: null }, true)).toBe('damaged');
    expect(verdictOn(CONTENTS, 300, { ...SOUND, log: null }, true)).toBe('whole');
  });

  it('reports as damaged what is no longer a database', () => {
    for (const journal of [null, Buffer.alloc(0), Buffer.alloc(5_000)])
      expect(verdictOn(CONTENTS, 400, { ...SOUND, log: null, journal }, true)).toBe('damaged');
  });

  it('distinguishes the index over kinds from the records', () => {
    const log = null;
    const sound = contentsOf({ ...SOUND, log });
    const journal = Buffer.from(SOUND.journal as Buffer);
    for (let at = journal.indexOf('test'); at >= 0; at = journal.indexOf('test', at + 1)) {
      const changed = Buffer.from(journal);
      changed[at] = 'x'.charCodeAt(0);
      if (verdictOn(sound, 300, { ...SOUND, log, journal: changed }, true) === 'index') return;
    }
    throw new Error('no byte is of the index alone');
  });
});
