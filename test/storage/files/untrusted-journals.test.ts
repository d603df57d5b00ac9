import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { entry } from '../../support/journal-entry.ts';

const top = mkdtempSync(join(tmpdir(), 'touchline-left-'));
afterAll(() => rmSync(top, { recursive: true }));

let path = '';
beforeEach(() => (path = join(mkdtempSync(join(top, 'x-')), 'journal.sqlite')));

const clock = new VirtualClock();
const open = () => openSqliteJournal(path, clock);

function written(records: number) {
  const journal = open();
  for (let n = 1; n <= records; n++) journal.append([entry(n)]);
  return journal;
}

const files = () => [path, `${path}-wal`];
const contents = () => files().map((file) => readFileSync(file, 'hex'));

/** Leaves the files of a process that died. */
function died(records: number): void {
  const journal = written(records);
  const left = files().map((file) => readFileSync(file));
  journal.close();
  files().forEach((file, at) => writeFileSync(file, left[at] as Buffer));
}

const seqs = (): readonly number[] => {
  const journal = open();
  const found = Array.from(journal.read(), ({ seq }) => seq);
  journal.close();
  return found;
};

describe('a journal that is no longer trusted', () => {
  it('accepts no record, and can be read', () => {
    const journal = written(3);
    journal.distrust(new JournalError('it was moved'));
    expect(() => journal.append([entry(4)])).toThrow(/failed before/);
    expect([...journal.read()]).toHaveLength(3);
    journal.close();
    expect(seqs()).toEqual([1, 2, 3]);
  });

  it('leaves file and log unchanged when it is closed', () => {
    const journal = written(3);
    journal.distrust(new JournalError('it was moved'));
    const before = contents();
    journal.close();
    expect(contents()).toEqual(before);
  });

  it.each([0, 1])('leaves a foreign file in the place of file %d alone', (at) => {
    const journal = written(3);
    const file = files()[at] as string;
    renameSync(file, `${file}.moved`);
    writeFileSync(file, "another's");
    journal.distrust(new JournalError('it was moved'));
    const before = [...contents(), readFileSync(`${file}.moved`, 'hex')];
    journal.close();
    expect([...contents(), readFileSync(`${file}.moved`, 'hex')]).toEqual(before);
  });

  it('creates no deleted file anew', () => {
    const journal = written(3);
    files().forEach((file) => rmSync(file));
    journal.distrust(new JournalError('it was moved'));
    journal.close();
    expect(files().filter(existsSync)).toEqual([]);
  });

  it('leaves its files unchanged after a failed write, too', () => {
    const journal = openSqliteJournal(path, clock, { maxPages: 12 });
    journal.append([entry(1)]);
    const big = { kind: 'test', uuid: null, data: 'x'.repeat(100_000) };
    expect(() => journal.append([big])).toThrow(JournalError);
    const before = contents();
    journal.close();
    expect(contents()).toEqual(before);
    expect(seqs()).toEqual([1]);
  });
});

describe('a journal that is closed in order', () => {
  it('leaves one file, without a log', () => {
    written(3).close();
    expect(readdirSync(join(path, '..'))).toEqual(['journal.sqlite']);
    expect(seqs()).toEqual([1, 2, 3]);
  });
});

describe('a file that is no journal', () => {
  it('keeps its log when it cannot be opened', () => {
    died(3);
    const log = readFileSync(`${path}-wal`);
    writeFileSync(path, 'no database, and long enough to be looked at: '.repeat(200));
    // The log holds all pages of the file, which is no database without it.
    writeFileSync(`${path}-wal`, log.subarray(0, 32));
    expect(open).toThrow(JournalError);
    expect(readFileSync(`${path}-wal`)).toEqual(log.subarray(0, 32));
  });
});

describe('the log of a process that died', () => {
  it('loses the records after a flipped byte, and the chain before it stays whole', () => {
    died(9);
    const whole = readFileSync(`${path}-wal`);
    expect(seqs()).toHaveLength(9);
    const flipped = Buffer.from(whole);
    const at = Math.floor(whole.length * 0.8);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    died(9);
    writeFileSync(`${path}-wal`, flipped);
    const left = seqs();
    expect(left.length).toBeLessThan(9);
    expect(left).toEqual(Array.from(left, (_, index) => index + 1));
  });
});

describe.runIf(process.platform !== 'win32')('the files of a journal', () => {
  const before = process.umask();
  afterEach(() => void process.umask(before));

  it.each([0o000, 0o022])('are readable only by their owner, whatever the umask (%o)', (umask) => {
    process.umask(umask);
    const journal = written(1);
    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(`${path}${suffix}`).mode & 0o777);
    journal.close();
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });
});

it('never drops the lock that SQLite has on its files', () => {
  const journal = written(1);
  const other = `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[1]);
    try { db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT'); process.stdout.write('taken'); }
    catch (error) { process.stdout.write(String(error.errcode)); }`;
  const attempt = (): string => spawnSync(process.execPath, ['-e', other, path]).stdout.toString();
  journal.append([entry(2)]);
  expect(journal.checksumAt(2)).not.toBeNull();
  expect(attempt()).toBe('5');
  journal.close();
  expect(attempt()).toBe('taken');
});

describe('the checksum of a record', () => {
  it('is the same in the next opening, and differs after another history', () => {
    written(3).close();
    const journal = open();
    const sums = [1, 2, 3].map((seq) => journal.checksumAt(seq));
    expect(new Set(sums).size).toBe(3);
    expect([journal.checksumAt(0), journal.checksumAt(4)]).toEqual([0, null]);
    journal.append([entry(4)]);
    expect(journal.checksumAt(4)).not.toBeNull();
    journal.close();
    const again = open();
    expect([1, 2, 3].map((seq) => again.checksumAt(seq))).toEqual(sums);
    again.close();
    copyFileSync(path, `${path}.copy`);
    const other = openSqliteJournal(`${path}.other`, clock);
    other.append([entry(2)]);
    expect(other.checksumAt(1)).not.toBe(sums[0]);
    other.close();
  });

  it('is known for the root, and for nothing before it', () => {
    const journal = written(6);
    const sums = [1, 2, 3, 4].map((seq) => journal.checksumAt(seq));
    const all = { belowSeq: 5, writtenBeforeMs: Infinity, most: 3, keeps: () => true };
    expect(journal.forget(all)).toBe(3);
    expect([2, 3, 4].map((seq) => journal.checksumAt(seq))).toEqual([null, sums[2], sums[3]]);
    journal.close();
  });
});
