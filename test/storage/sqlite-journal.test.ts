import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { JournalError } from '../../src/domain/errors.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { SCHEMA_VERSION } from '../../src/storage/migrations.ts';
import { entry } from '../contract/journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

let path = '';
let count = 0;
beforeEach(() => (path = join(folder, `${count++}.sqlite`)));

const open = () => openSqliteJournal(path, new VirtualClock());

/** Changes the file as no program of ours would. */
function tamper(sql: string): void {
  const db = new DatabaseSync(path);
  db.exec('DROP TRIGGER journal_no_UPDATE; DROP TRIGGER journal_no_DELETE');
  db.exec(sql);
  db.close();
}

function filled(records: number): void {
  const journal = open();
  for (let n = 1; n <= records; n++) journal.append([entry(n)]);
  journal.close();
}

describe('the SQLite journal', () => {
  it.each([
    ['an altered record', `UPDATE journal SET data = replace(data, '3', '4') WHERE seq = 3`, 3],
    ['an altered time', 'UPDATE journal SET at_ms = at_ms + 1 WHERE seq = 2', 2],
    ['a missing record', 'DELETE FROM journal WHERE seq = 3', 3],
    ['two records changed about', `UPDATE journal SET seq = -seq; UPDATE journal SET seq = 6 + seq`, 1],
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

  it('lets nobody change or delete a record', () => {
    filled(2);
    const db = new DatabaseSync(path);
    expect(() => db.exec(`UPDATE journal SET kind = 'x'`)).toThrow(/append-only/);
    expect(() => db.exec('DELETE FROM journal')).toThrow(/append-only/);
    db.close();
  });

  it('is written through to the disk at each append', () => {
    const journal = open();
    journal.append([entry(1)]);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 1 });
    db.close();
    journal.close();
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

  it('stops appending when the disk is full, keeping what was there', () => {
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
