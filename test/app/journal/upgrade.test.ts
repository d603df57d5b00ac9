import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { archiveJournal } from '../../../src/app/journal/archive.ts';
import { backUpJournal, exportJournal, verifyJournal } from '../../../src/app/journal/journal-tools.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { claimJournal } from '../../../src/app/journal/journal-mode.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { restoreJournal } from '../../../src/app/journal/restore.ts';
import { SCHEMA_VERSION } from '../../../src/storage/migrations.ts';
import { OWN } from '../../support/claims.ts';
import { entry } from '../../support/journal-entry.ts';

const top = mkdtempSync(join(tmpdir(), 'touchline-upgrade-'));
afterAll(() => rmSync(top, { recursive: true }));

const clock = new VirtualClock();
let path = '';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(top, 'x-'));
  path = join(folder, 'journal.sqlite');
});

const CONFIG = loadConfig({ files: [], environment: {}, settings: { mode: 'simulated' } }).values;

/** A run that writes these records. The first one begins the journal, with two records before them. */
function write(...numbers: number[]): void {
  const held = openJournal(path, clock);
  claimJournal(held.journal, CONFIG, { uuid: () => OWN });
  held.journal.append(numbers.map((n) => entry(n)));
  held.permit.write('permitted');
  held.release();
}

/** Turns the file into one of the first version: its tables were those, without what the second one added. */
function asVersion1(): void {
  const db = new DatabaseSync(path);
  db.exec(`DROP TABLE root; DROP TABLE kept; DROP INDEX journal_by_kind; DROP TRIGGER journal_no_DELETE;
    CREATE TRIGGER journal_no_DELETE BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
    PRAGMA user_version = 1`);
  db.close();
}

const versionOf = (file: string): unknown => {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare('PRAGMA user_version').get()?.['user_version'];
  } finally {
    db.close();
  }
};

const backups = (): string[] => (existsSync(`${path}.backups`) ? readdirSync(`${path}.backups`) : []);

describe('an upgrade', () => {
  it('copies a journal of an earlier version before it changes the tables', () => {
    write(1, 2);
    asVersion1();
    const held = openJournal(path, clock);
    const { backup = '', fromVersion } = held.upgrade ?? {};
    held.release();
    expect(fromVersion).toBe(1);
    expect([versionOf(backup), versionOf(path)]).toEqual([1, SCHEMA_VERSION]);
    expect(backups()).toEqual([expect.stringMatching(/^version-1-\d{4}-\d\d-\d\dT[\d-]+Z$/)]);
    expect(readFileSync(`${backup}.mark`)).toEqual(readFileSync(`${path}.mark`));
    expect([statSync(backup).mode & 0o777, statSync(`${path}.backups`).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('copies nothing when the journal is new or of this version', () => {
    for (const n of [1, 2]) {
      const held = openJournal(path, clock);
      expect(held.upgrade).toBeNull();
      held.journal.append([entry(n)]);
      held.release();
    }
    expect(backups()).toEqual([]);
  });

  it('is refused, with the journal unchanged, when the copy cannot be made', () => {
    write(1);
    asVersion1();
    writeFileSync(`${path}.backups`, 'a file where the folder should be');
    expect(() => openJournal(path, clock)).toThrow(
      /cannot copy the journal to .* before its upgrade: make room/,
    );
    expect(versionOf(path)).toBe(1);
  });
});

describe('a restore', () => {
  it('puts the backup in place and keeps what it replaces', () => {
    write(1, 2);
    const { backup } = backUpJournal(path, join(folder, 'backup'), clock);
    write(3);
    const late = [...exportJournal(path, clock)];
    const { replaced } = restoreJournal(join(folder, 'backup'), path, clock);
    expect([...exportJournal(path, clock)]).toEqual([...exportJournal(backup, clock)]);
    expect(verifyJournal(path, clock)).toMatchObject({ damage: null, markProblem: null, records: 4 });
    const files = ['journal.sqlite', 'journal.sqlite.mark', 'journal.sqlite.permit'];
    expect(readdirSync(replaced ?? '')).toEqual(expect.arrayContaining(files));
    expect([...exportJournal(join(replaced ?? '', 'journal.sqlite'), clock)]).toEqual(late);
    expect(existsSync(`${path}.permit`)).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('replaces a journal that a newer version wrote, which a start refuses', () => {
    write(1);
    backUpJournal(path, join(folder, 'backup'), clock);
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    expect(() => openJournal(path, clock)).toThrow(
      /newer version of Touchline .*touchline journal restore BACKUP FILE.*Upgrade and rollback/,
    );
    restoreJournal(join(folder, 'backup'), path, clock);
    const held = openJournal(path, clock);
    expect([held.damage, held.journal.lastSeq()]).toEqual([null, 3]);
    held.release();
  });

  it('changes nothing while another process has the account, or without a backup', () => {
    write(1);
    backUpJournal(path, join(folder, 'backup'), clock);
    const before = [...exportJournal(path, clock)];
    const held = openJournal(path, clock);
    expect(() => restoreJournal(join(folder, 'backup'), path, clock)).toThrow(
      expect.objectContaining({ code: 'locked' }),
    );
    held.release();
    expect(() => restoreJournal(join(folder, 'nothing'), path, clock)).toThrow(/there is no backup at/);
    expect(() => restoreJournal(path, path, clock)).toThrow(/is the journal itself/);
    writeFileSync(join(folder, 'text'), 'no journal');
    expect(() => restoreJournal(join(folder, 'text'), path, clock)).toThrow(/cannot copy the journal/);
    expect([...exportJournal(path, clock)]).toEqual(before);
  });

  it('leaves a journal that only closes orders if it is interrupted between two steps', () => {
    write(1, 2);
    const early = join(folder, 'backup');
    backUpJournal(path, early, clock);
    write(3);
    // The backup lies in place, and the mark is still that of the later journal.
    cpSync(join(early, 'journal.sqlite'), path);
    const held = openJournal(path, clock);
    expect(held.damage?.message).toMatch(/records are missing at the end/);
    held.release();
  });
});

describe('an archive', () => {
  const archive = (): string => join(folder, 'archive');
  const linesIn = (): string[] =>
    readdirSync(archive())
      .sort()
      .flatMap((name) =>
        gunzipSync(readFileSync(join(archive(), name)))
          .toString()
          .trim()
          .split('\n'),
      );

  function forget(belowSeq: number): void {
    const held = openJournal(path, clock);
    held.journal.forget({ belowSeq, writtenBeforeMs: Infinity, most: 100, keeps: () => false });
    held.release();
  }

  it('grows by the records that it lacks, and keeps those that retention deletes', async () => {
    write(1, 2);
    expect(await archiveJournal(path, archive(), clock)).toMatchObject({ records: 4, fromSeq: 1, toSeq: 4 });
    write(3, 4);
    forget(5);
    const whole = [...linesIn(), ...exportJournal(path, clock)];
    expect(await archiveJournal(path, archive(), clock)).toMatchObject({
      fromSeq: 5,
      toSeq: 6,
      missing: null,
    });
    expect(linesIn()).toEqual(whole);
    expect(await archiveJournal(path, archive(), clock)).toMatchObject({ file: null, records: 0 });
    expect(readdirSync(archive())).toHaveLength(2);
  });

  it('names the records that were deleted before it got them', async () => {
    write(1, 2, 3);
    forget(5);
    expect(await archiveJournal(path, archive(), clock)).toMatchObject({
      missing: { fromSeq: 1, toSeq: 4 },
      records: 1,
    });
  });

  it('does not take an interrupted file for a whole one', async () => {
    write(1, 2);
    writeFileSync(join(folder, 'occupied'), '');
    await expect(archiveJournal(path, join(folder, 'occupied'), clock)).rejects.toThrow();
    await archiveJournal(path, archive(), clock);
    const [name = ''] = readdirSync(archive());
    rmSync(join(archive(), name));
    writeFileSync(join(archive(), `${name}.partial`), 'half');
    expect(await archiveJournal(path, archive(), clock)).toMatchObject({ fromSeq: 1, records: 4 });
  });
});
