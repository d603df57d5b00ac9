import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { exportJournal, releaseLatch, verifyJournal } from '../../../src/app/journal/journal-tools.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import { lockAccount } from '../../../src/storage/files/lock.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));
const clock = new VirtualClock();

function journalOf(name: string): string {
  const path = join(folder, name);
  const journal = openSqliteJournal(path, clock);
  journal.append([
    entryOf({ kind: 'run_started', run: '1' }),
    entryOf({ kind: 'latched', reason: 'odd order' }),
  ]);
  journal.append([entryOf({ kind: 'cursor', updatesToMs: 5 })]);
  journal.close();
  return path;
}

it('verifies a journal, and names the damage', () => {
  const path = journalOf('verify.sqlite');
  expect(verifyJournal(path, clock)).toEqual({
    records: 3,
    rootSeq: 0,
    runs: 1,
    standing: {},
    fills: 0,
    latched: 'odd order',
    killed: null,
    mark: null,
    notCovered: null,
    damage: null,
    index: null,
    markProblem: 'there is no mark: nothing tells how far the journal reached',
  });
  const db = new DatabaseSync(path);
  db.exec(`DROP TRIGGER journal_no_UPDATE; UPDATE journal SET data = '{"reason":"x"}' WHERE seq = 2`);
  db.close();
  expect(verifyJournal(path, clock)).toMatchObject({ records: 1, damage: { seq: 2 } });
});

it('shows whether the journal holds a kill', () => {
  const path = journalOf('killed.sqlite');
  const kill = { by: 'al', reason: 'drill', atMs: 1 };
  const journal = openSqliteJournal(path, clock);
  const memory = new RiskMemory(journal);
  const { killed: before } = verifyJournal(path, clock);
  memory.save({ ...EMPTY_SNAPSHOT, kill });
  const { killed, latched } = verifyJournal(path, clock);
  memory.save(EMPTY_SNAPSHOT);
  expect([before, killed, latched, verifyJournal(path, clock).killed]).toEqual([
    null,
    kill,
    'odd order',
    null,
  ]);
  journal.close();
});

it.each([0, 1, 7])('refuses another program’s database of version %d, and leaves it as it is', (version) => {
  const path = join(folder, `other-${version}.sqlite`);
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE people (name TEXT); PRAGMA user_version = ${version}`);
  db.close();
  const before = readFileSync(path);
  const complaint = `${path}: the file is another database, not a journal`;
  expect(() => verifyJournal(path, clock)).toThrow(complaint);
  expect(() => [...exportJournal(path, clock)]).toThrow(complaint);
  expect(() => releaseLatch(path, clock, 'looked at')).toThrow('the file is another database, not a journal');
  expect(readFileSync(path).equals(before)).toBe(true);
});

it('refuses an empty file, and does not turn it into a journal', () => {
  const alone = mkdtempSync(join(folder, 'empty-'));
  const path = join(alone, 'empty.sqlite');
  writeFileSync(path, '');
  const complaint = `${path}: the file holds no journal`;
  expect(() => verifyJournal(path, clock)).toThrow(complaint);
  expect(() => [...exportJournal(path, clock)]).toThrow(complaint);
  expect(() => releaseLatch(path, clock, 'looked at')).toThrow(complaint);
  expect([readFileSync(path).length, readdirSync(alone)]).toEqual([0, ['empty.sqlite']]);
});

it('exports one line a record', () => {
  const lines = [...exportJournal(journalOf('export.sqlite'), clock)];
  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
    'run_started',
    'latched',
    'cursor',
  ]);
});

it('releases a latch once, recording why, and not under a running daemon', () => {
  const path = journalOf('release.sqlite');
  const holder = { pid: 1, host: 'h', since: 's', bootId: null, as: 'daemon' } as const;
  const lock = lockAccount(`${path}.lock`, holder, () => false);
  expect(() => releaseLatch(path, clock, 'looked at')).toThrow(/in use|held|locked/i);
  lock.release();
  expect(releaseLatch(path, clock, 'looked at')).toBe('odd order');
  expect(releaseLatch(path, clock, 'looked at')).toBeNull();
  expect(verifyJournal(path, clock)).toMatchObject({ records: 4, latched: null });
});

it('says when there is no journal', () => {
  expect(() => verifyJournal(join(folder, 'none'), clock)).toThrow(ConfigError);
  expect(() => verifyJournal(folder, clock)).toThrow(/^\/.*touchline-tools-.*: cannot open the journal: /);
});
