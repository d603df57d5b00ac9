import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { examineJournal } from '../../../src/app/doctor/doctor.ts';
import { backUpJournal, exportJournal, verifyJournal } from '../../../src/app/journal/journal-tools.ts';
import { claimJournal } from '../../../src/app/journal/journal-mode.ts';
import { openJournal, type OpenJournal } from '../../../src/app/journal/open-journal.ts';
import { resumeOffline } from '../../../src/app/operate/offline.ts';
import { JournalDamage } from '../../../src/domain/errors.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { OWN } from '../../support/claims.ts';
import { entry } from '../../support/journal-entry.ts';

const top = mkdtempSync(join(tmpdir(), 'touchline-verified-'));
afterAll(() => rmSync(top, { recursive: true }));

const clock = new VirtualClock();
let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(top, 'x-'));
  path = join(folder, 'journal.sqlite');
});

const configOf = (journal: string) =>
  loadConfig({ files: [], environment: {}, settings: { mode: 'simulated', 'journal.path': journal } }).values;

/** A daemon’s journal with three records and a permit. */
function begun(): OpenJournal {
  const held = openJournal(path, clock);
  claimJournal(held.journal, configOf(path), { uuid: () => OWN });
  new RiskMemory(held.journal).notePermit();
  held.permit.write('trading is permitted');
  return held;
}

const MARKED = { damage: null, index: null, markProblem: null };

describe('verify', () => {
  it('shows how far the mark covers a journal that is being written', () => {
    const { journal, release } = begun();
    expect(verifyJournal(path, clock)).toMatchObject({
      ...MARKED,
      records: 3,
      mark: { seq: 2 },
      notCovered: 1,
    });
    new RiskMemory(journal).save(EMPTY_SNAPSHOT);
    journal.append([entry(1)]);
    journal.append([entry(2)]);
    const at = new Date(clock.wallMs()).toISOString();
    expect(verifyJournal(path, clock)).toMatchObject({ ...MARKED, mark: { seq: 4, at }, notCovered: 2 });
    release();
    expect(verifyJournal(path, clock)).toMatchObject({ ...MARKED, mark: { seq: 6 }, notCovered: 0 });
  });

  it.each([
    ['missing', null, 'there is no mark'],
    ['torn', '{"form":1', 'the mark cannot be read'],
  ])('reports no damage for a mark that is %s', (_, text, problem) => {
    begun().release();
    if (text === null) rmSync(`${path}.mark`);
    else writeFileSync(`${path}.mark`, text);
    const { damage, mark, markProblem, notCovered } = verifyJournal(path, clock);
    expect([damage, mark, notCovered]).toEqual([null, null, null]);
    expect(markProblem).toContain(problem);
    expect(markProblem).toContain('nothing tells how far the journal reached');
  });

  it('reports damage when the journal ends before its mark', () => {
    const { journal, release } = begun();
    const early = ['', '-wal'].map((suffix) => readFileSync(`${path}${suffix}`));
    new RiskMemory(journal).save(EMPTY_SNAPSHOT);
    release();
    ['', '-wal'].forEach((suffix, at) => writeFileSync(`${path}${suffix}`, early[at] as Buffer));
    expect(verifyJournal(path, clock)).toMatchObject({
      records: 3,
      damage: {
        message: 'journal records are missing at the end: it reached record 4, and ends with 3',
        seq: 4,
      },
    });
  });

  it('reports that a missing journal once existed, as every other command does', async () => {
    begun().release();
    rmSync(path);
    const message = `there is no journal at ${path}, and journal.sqlite.mark beside it tells that there was one`;
    expect(() => verifyJournal(path, clock)).toThrow(JournalDamage);
    for (const command of [
      () => verifyJournal(path, clock),
      () => [...exportJournal(path, clock)],
      () => backUpJournal(path, join(folder, 'to'), clock),
      () => resumeOffline(configOf(path), { by: 'x', reason: 'x', atMs: 0 }, clock),
    ])
      expect(command).toThrow(message);
    expect(await examineJournal(configOf(path), clock)).toMatchObject({ ok: false });
    expect(readdirSync(folder)).not.toContain('journal.sqlite');
  });
});

describe('the doctor', () => {
  it('reports what a start would report of a journal that ends before its mark', async () => {
    const { journal, release } = begun();
    const early = ['', '-wal'].map((suffix) => readFileSync(`${path}${suffix}`));
    new RiskMemory(journal).save(EMPTY_SNAPSHOT);
    release();
    expect(await examineJournal(configOf(path), clock)).toMatchObject({ ok: true });
    ['', '-wal'].forEach((suffix, at) => writeFileSync(`${path}${suffix}`, early[at] as Buffer));
    const examined = await examineJournal(configOf(path), clock);
    expect([examined.ok, JSON.stringify(examined)]).toEqual([
      false,
      expect.stringContaining('journal records are missing at the end'),
    ]);
  });
});

describe('a backup', () => {
  const to = (): string => join(folder, 'backups', 'today');

  it('of a journal that is being written is whole, and its mark is not ahead', () => {
    const { journal, release } = begun();
    for (let n = 0; n < 30; n++) journal.append([entry(n)]);
    const report = backUpJournal(path, to(), clock);
    expect(report).toMatchObject({ ...MARKED, records: 33, mark: { seq: 2 }, notCovered: 31 });
    expect(report.backup).toBe(join(to(), 'journal.sqlite'));
    for (let n = 0; n < 3; n++) journal.append([entry(n)]);
    release();
    expect(readdirSync(to()).sort()).toEqual(['journal.sqlite', 'journal.sqlite.mark']);
    expect([...exportJournal(report.backup, clock)]).toEqual([...exportJournal(path, clock)].slice(0, 33));
  });

  it('keeps what retention has kept, and its chain', () => {
    const { journal, release } = begun();
    for (let n = 0; n < 30; n++) journal.append([entry(n)]);
    journal.forget({ belowSeq: 20, writtenBeforeMs: Infinity, most: 99, keeps: ({ seq }) => seq % 2 === 0 });
    release();
    const { backup, rootSeq } = backUpJournal(path, to(), clock);
    expect([rootSeq, [...exportJournal(backup, clock)]]).toEqual([19, [...exportJournal(path, clock)]]);
  });

  it('starts killed, and trades after a resume', () => {
    begun().release();
    const { backup } = backUpJournal(path, to(), clock);
    const config = configOf(backup);
    const resumed = resumeOffline(config, { by: 'al', reason: 'restored', atMs: 1 }, clock);
    expect(resumed).toMatchObject({
      released: ['killed by permit: no permit to trade: it was taken away'],
      trading: true,
    });
    const { damage, earlierOwner, release } = openJournal(backup, clock);
    expect([damage, earlierOwner]).toEqual([null, 'unknown']);
    release();
  });

  it('of a killed journal stays killed by the journal itself', () => {
    const held = begun();
    const kill = { by: 'al', reason: 'drill', atMs: 1 };
    new RiskMemory(held.journal).save({ ...EMPTY_SNAPSHOT, kill });
    held.release();
    expect(backUpJournal(path, to(), clock).killed).toEqual(kill);
  });

  it('is not written over another one, and leaves nothing half done', () => {
    begun().release();
    backUpJournal(path, to(), clock);
    expect(() => backUpJournal(path, to(), clock)).toThrow(/there is something at .*: name another folder/);
    expect(() => backUpJournal(path, folder, clock)).toThrow(/there is something at/);
    rmSync(to(), { recursive: true });
    spoilPages();
    expect(() => backUpJournal(path, to(), clock)).toThrow(JournalDamageOrError);
    expect(readdirSync(to())).toEqual([]);
  });

  it('of a damaged journal says so', () => {
    const { journal, release } = begun();
    for (let n = 0; n < 5; n++) journal.append([entry(n)]);
    release();
    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER journal_no_UPDATE; UPDATE journal SET kind = 'x' WHERE seq = 5`);
    db.close();
    expect(backUpJournal(path, to(), clock).damage).toMatchObject({ seq: 5 });
  });

  it('includes no mark where none exists', () => {
    begun().release();
    rmSync(`${path}.mark`);
    expect(backUpJournal(path, to(), clock)).toMatchObject({ damage: null, mark: null });
    expect(readdirSync(to())).toEqual(['journal.sqlite']);
  });

  it.runIf(process.platform !== 'win32')('is readable only by its owner', () => {
    const before = process.umask(0);
    begun().release();
    backUpJournal(path, to(), clock);
    process.umask(before);
    const modes = readdirSync(to()).map((name) => statSync(join(to(), name)).mode & 0o777);
    expect([modes, statSync(to()).mode & 0o777]).toEqual([[0o600, 0o600], 0o700]);
  });

  const JournalDamageOrError = /cannot (copy|open|read) the journal/;

  /** Makes the pages with records unreadable. */
  function spoilPages(): void {
    const file = readFileSync(path);
    for (let at = 4096; at < file.length; at += 4096) file[at] = 99;
    writeFileSync(path, file);
  }
});
