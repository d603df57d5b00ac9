import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { JournalDamage, JournalError } from '../../src/domain/errors.ts';
import type { Json } from '../../src/ports/journal.ts';
import { KeptRecords } from '../../src/storage/kept-records.ts';
import { migrate, SCHEMA_VERSION } from '../../src/storage/migrations.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { breakFile } from '../support/fd-faults.ts';
import { entry } from '../support/journal-entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

let path = '';
let count = 0;
beforeEach(() => (path = join(folder, `${count++}.sqlite`)));

const open = () => openSqliteJournal(path, new VirtualClock());

/** Changes the file as none of our programs would. */
function tamper(sql: string): void {
  const db = new DatabaseSync(path);
  const names = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all();
  for (const { name } of names) db.exec(`DROP TRIGGER ${String(name)}`);
  db.exec(sql);
  db.close();
}

function filled(records: number): void {
  const journal = open();
  for (let n = 1; n <= records; n++) journal.append([entry(n)]);
  journal.close();
}

function forgetThrough(seq: number): void {
  const journal = open();
  const even = (record: { readonly seq: number }): boolean => record.seq % 2 === 0;
  journal.forget({ belowSeq: seq + 1, writtenBeforeMs: Infinity, most: seq, keeps: even });
  journal.close();
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('waits for another process that holds the file alone for a moment', async () => {
  filled(1);
  const hold = `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[1]);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE held (a); COMMIT');
    process.stdout.write('held');
    setTimeout(() => db.close(), 50);`;
  const child = spawn(process.execPath, ['-e', hold, path]);
  await once(child.stdout, 'data');
  const journal = open();
  expect(journal.lastSeq()).toBe(1);
  journal.close();
  await once(child, 'close');
});

describe('the SQLite journal', () => {
  it.each([
    ['an altered record', `UPDATE journal SET data = replace(data, '3', '4') WHERE seq = 3`, 3],
    ['an altered time', 'UPDATE journal SET at_ms = at_ms + 1 WHERE seq = 2', 2],
    ['a missing record', 'DELETE FROM journal WHERE seq = 3', 3],
    ['two swapped records', `UPDATE journal SET seq = -seq; UPDATE journal SET seq = 6 + seq`, 1],
  ])('finds %s and names it', (_, sql, seq) => {
    filled(5);
    tamper(sql);
    const journal = open();
    const read = () => [...journal.read()];
    expect(read).toThrow(JournalError);
    try {
      read();
    } catch (error) {
      expect((error as JournalError).details['seq']).toBe(seq);
    }
    journal.close();
  });

  it('names a record that is nested more deeply than a journal is read', () => {
    filled(2);
    const journal = open();
    const data = JSON.parse(`${'['.repeat(1_001)}${']'.repeat(1_001)}`) as Json;
    journal.append([{ kind: 'x', uuid: null, data }]);
    const error = thrownBy(() => [...journal.read()]);
    expect(error).toBeInstanceOf(JournalDamage);
    expect((error as JournalDamage).message).toContain('nested more than 1,000 deep');
    expect((error as JournalDamage).details['seq']).toBe(3);
    journal.close();
  });

  it('lets no writer change or delete a record', () => {
    filled(6);
    forgetThrough(3);
    const db = new DatabaseSync(path);
    for (const table of ['journal', 'kept']) {
      expect(() => db.exec(`UPDATE ${table} SET kind = 'x'`)).toThrow(/append-only/);
      expect(() => db.exec(`DELETE FROM ${table}`)).toThrow(/append-only/);
    }
    expect(() => db.exec('DELETE FROM root')).toThrow(/append-only/);
    expect(() => db.exec('UPDATE root SET seq = 2')).toThrow(/only moves on/);
    db.close();
  });

  it.each([
    ['an altered retained record', `UPDATE kept SET data = replace(data, '2', '4') WHERE seq = 2`, 2],
    ['a missing retained record', 'DELETE FROM kept WHERE seq = 4', 2],
    ['an altered record after the root', `UPDATE journal SET kind = 'x' WHERE seq = 6`, 6],
    ['a missing record after the root', 'DELETE FROM journal WHERE seq = 6', 6],
    ['another root', 'UPDATE root SET checksum = checksum + 1', 6],
    ['a root further on', 'UPDATE root SET seq = 6', 7],
  ])('finds %s after retention, and names it', (_, sql, seq) => {
    filled(8);
    forgetThrough(5);
    tamper(sql);
    const journal = open();
    const error = thrownBy(() => [...journal.read()]);
    expect(error).toBeInstanceOf(JournalDamage);
    expect((error as JournalDamage).details['seq']).toBe(seq);
    journal.close();
  });

  it('reads retained records a little at a time, and reports damage when it reaches it', () => {
    filled(9);
    forgetThrough(8);
    tamper(`UPDATE kept SET kind = 'x' WHERE seq = 6`);
    const journal = open();
    const found: number[] = [];
    const read = (afterSeq: number) => () => {
      for (const { seq } of journal.read(afterSeq)) found.push(seq);
    };
    expect(thrownBy(read(0))).toMatchObject({ details: { seq: 6 } });
    expect(found.splice(0)).toEqual([2, 4]);
    expect(thrownBy(read(5))).toMatchObject({ details: { seq: 6 } });
    expect(read(6)).not.toThrow();
    expect(found.splice(0)).toEqual([8, 9]);
    journal.close();
  });

  it.each([0, 2, 3, 4, 5])('misses a retained record that is gone, read from %d on', (afterSeq) => {
    filled(9);
    forgetThrough(8);
    tamper('DELETE FROM kept WHERE seq = 6');
    const journal = open();
    expect(thrownBy(() => [...journal.read(afterSeq)])).toBeInstanceOf(JournalDamage);
    journal.close();
  });

  it('removes nothing while what it would remove is damaged, and still accepts records', () => {
    filled(5);
    tamper(`UPDATE journal SET kind = 'x' WHERE seq = 2`);
    const journal = open();
    const all = { belowSeq: 5, writtenBeforeMs: Infinity, most: 9, keeps: () => false };
    expect(() => journal.forget(all)).toThrow(JournalDamage);
    expect(journal.rootSeq()).toBe(0);
    journal.append([entry(6)]);
    expect(journal.lastSeq()).toBe(6);
    journal.close();
  });

  it('upgrades a file of the first version, with all its records', () => {
    filled(4);
    const db = new DatabaseSync(path);
    db.exec(`DROP TABLE root; DROP TABLE kept; DROP INDEX journal_by_kind; DROP TRIGGER journal_no_DELETE;
      CREATE TRIGGER journal_no_DELETE BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
      PRAGMA user_version = 1`);
    db.close();
    const journal = open();
    expect([...journal.read()].map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    journal.append([entry(5)]);
    expect([...journal.ofKind('test')]).toHaveLength(5);
    journal.close();
  });

  it('tolerates another process that upgrades the same file at the same moment', () => {
    class Overtaken extends DatabaseSync {
      #times = 0;

      override exec(sql: string): void {
        if (this.#times++ === 0) filled(3);
        super.exec(sql);
      }
    }
    const db = new Overtaken(path);
    migrate(db);
    db.close();
    expect([...open().read()]).toHaveLength(3);
  });

  it('is read as one state by another process while records are removed', () => {
    filled(9);
    const journal = open();
    const other = open();
    const reading = other.read()[Symbol.iterator]();
    const seqs = [reading.next(), reading.next()].map(({ value }) => (value as { seq: number }).seq);
    journal.forget({ belowSeq: 8, writtenBeforeMs: Infinity, most: 9, keeps: () => false });
    for (let next = reading.next(); next.done !== true; next = reading.next()) seqs.push(next.value.seq);
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([...other.read()].map(({ seq }) => seq)).toEqual([8, 9]);
    other.close();
    journal.close();
  });

  it('is synced to the disk at each append', () => {
    const journal = open();
    journal.append([entry(1)]);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 1 });
    db.close();
    journal.close();
  });

  it('gives the space of removed records back to the disk', () => {
    const journal = open();
    const large = { kind: 'large', uuid: null, data: 'x'.repeat(4000) };
    for (let n = 0; n < 2_000; n++) journal.append([large]);
    journal.close();
    const before = statSync(path).size;
    const later = open();
    for (let n = 0; n < 20; n++)
      later.forget({ belowSeq: 1_901, writtenBeforeMs: Infinity, most: 100, keeps: () => false });
    later.append([large]);
    later.close();
    expect(statSync(path).size).toBeLessThan(before / 2);
    const last = open();
    expect([...last.read()]).toHaveLength(101);
    last.close();
  });

  it('refuses a file of a newer version', () => {
    filled(1);
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    expect(open).toThrow(/newer version/);
  });

  it('refuses a file that is no database, and a folder that is not there', () => {
    expect(() => openSqliteJournal(join(folder, 'missing', 'journal.sqlite'), new VirtualClock())).toThrow(
      JournalError,
    );
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  it.runIf(process.platform === 'linux').each(['full', 'unsyncable'] as const)(
    'trusts nothing once its log is on a disk that is %s',
    (fault) => {
      filled(3);
      const journal = open();
      journal.append([entry(4)]);
      expect(breakFile(`${path}-wal`, fault)).toBeGreaterThan(0);
      expect(() => journal.append([entry(5)])).toThrow(JournalError);
      expect(() => journal.append([entry(6)])).toThrow(/failed before/);
      expect(() =>
        journal.forget({ belowSeq: 3, writtenBeforeMs: Infinity, most: 9, keeps: () => false }),
      ).toThrow(/failed before/);
      journal.close();
      const again = open();
      expect([...again.read()].map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
      again.append([entry(5)]);
      again.close();
    },
  );

  it.runIf(process.platform === 'linux')('detects that the file itself cannot be synced', () => {
    filled(3);
    const journal = open();
    journal.append([entry(4)]);
    expect(breakFile(path, 'unsyncable')).toBeGreaterThan(0);
    // A record is only as durable as the log until the log is moved into the file.
    const appendMany = (): void => {
      for (let n = 5; n < 2_000; n++) journal.append([entry(n)]);
    };
    expect(appendMany).toThrow(JournalError);
    const promised = journal.lastSeq();
    expect(promised).toBeGreaterThan(4);
    journal.close();
    const again = open();
    expect([...again.read()].map(({ seq }) => seq).at(-1)).toBe(promised);
    again.close();
  });

  it('stops appending when the disk is full, and keeps its records', () => {
    const journal = open();
    journal.append([entry(1)]);
    journal.close();
    const limited = new DatabaseSync(path);
    limited.exec('PRAGMA journal_mode = WAL');
    limited.close();
    const big = { kind: 'test', uuid: null, data: { n: 2, text: 'x'.repeat(100_000) } };
    const small = openSqliteJournal(path, new VirtualClock(), { maxPages: 12 });
    expect(() => small.append([big])).toThrow(JournalError);
    small.close();
    const again = open();
    expect([...again.read()]).toHaveLength(1);
    again.close();
  });
});

describe('a read-only journal', () => {
  const reading = () => openSqliteJournal(path, new VirtualClock(), { readOnly: true });
  const contents = () => [path, `${path}-wal`].map((file) => (existsSync(file) ? readFileSync(file) : null));

  it('shows what its writer has written so far', () => {
    const journal = open();
    journal.append([entry(1)]);
    const other = reading();
    const records = other.read()[Symbol.iterator]();
    expect(records.next().value).toMatchObject({ seq: 1 });
    journal.append([entry(2)]);
    expect(records.next().done).toBe(true);
    expect([...other.read()].map(({ seq }) => seq)).toEqual([1, 2]);
    other.close();
    journal.append([entry(3)]);
    journal.close();
  });

  it('lists the records of a kind as of the query, though old records are removed meanwhile', () => {
    filled(8);
    const other = reading();
    const { kind } = entry(1);
    const kept = vi.spyOn(KeptRecords.prototype, 'ofKind').mockImplementationOnce(function (
      this: KeptRecords,
    ) {
      forgetThrough(4);
      return this.ofKind(kind);
    });
    expect(Array.from(other.ofKind(kind), ({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    kept.mockRestore();
    expect(Array.from(other.ofKind(kind), ({ seq }) => seq)).toEqual([2, 4, 5, 6, 7, 8]);
    other.close();
  });

  it('stays as a dead process has left it, the log included', () => {
    const journal = open();
    journal.append([entry(1)]);
    journal.append([entry(2)]);
    const left = contents();
    journal.close();
    [path, `${path}-wal`].forEach((file, at) => writeFileSync(file, left[at] ?? ''));
    const other = reading();
    expect([...other.read()]).toHaveLength(2);
    expect(() => other.append([entry(3)])).toThrow(JournalError);
    other.close();
    expect(contents()).toEqual(left);
    expect(left[1]?.length).toBeGreaterThan(0);
  });

  it.each([
    [1, 'of an earlier version: start the daemon'],
    [SCHEMA_VERSION + 1, 'newer version'],
  ])('is refused in version %d, and not upgraded', (version, why) => {
    filled(1);
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    expect(reading).toThrow(why);
    const after = new DatabaseSync(path, { readOnly: true });
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: version });
    after.close();
  });

  it('is not created', () => {
    expect(reading).toThrow('cannot open the journal');
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, '');
    expect(reading).toThrow('the file holds no journal');
    expect(readFileSync(path)).toHaveLength(0);
  });
});
