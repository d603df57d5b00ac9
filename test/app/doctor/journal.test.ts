import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/app/adapters/this-machine.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { examineJournal } from '../../../src/app/doctor/doctor.ts';
import { claimJournal } from '../../../src/app/journal/journal-mode.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { latchOffline, resumeOffline } from '../../../src/app/operate/offline.ts';
import { KillLatch } from '../../../src/engine/kill/kill-latch.ts';
import { Permit } from '../../../src/engine/kill/permit.ts';
import { RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Scope } from '../../../src/risk/index.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const clock = new VirtualClock();
const WORD = { by: 'al', reason: 'drill', atMs: Date.parse('2026-03-01T12:00:00Z') };
const RESUME = 'touchline resume --reason TEXT';

let home = '';
let path = '';
let killFile = '';
let number = 0;
beforeEach(() => {
  home = join(folder.path, String(number++));
  mkdirSync(home);
  path = join(home, 'journal.sqlite');
  killFile = join(home, 'kill');
});

const configOf = (journal = path) => {
  const settings = { 'journal.path': journal, 'ops.killFile': killFile };
  return loadConfig({ files: [], environment: {}, settings }).values;
};

/** Leaves the files of a daemon: its journal, and the permit that the journal records. */
function begun(work: (held: ReturnType<typeof openJournal>) => void = () => undefined): void {
  const held = openJournal(path, clock);
  claimJournal(held.journal, configOf(), randomIds);
  const memory = new RiskMemory(held.journal);
  const files = { permit: new Permit(held.permit), killFile: null, logger: silentLogger };
  new KillLatch({ ...files, memory, wallMs: () => clock.wallMs() }).earlier();
  memory.notePermit();
  work(held);
  held.release();
}

describe('the latch that the doctor finds, without a daemon', () => {
  it('is empty beside a free journal, and the check creates no file', async () => {
    expect(await examineJournal(configOf(''), clock)).toMatchObject({ ok: true });
    expect(await examineJournal(configOf(), clock)).toMatchObject({ ok: true });
    expect(readdirSync(home)).toEqual([]);
    openJournal(path, clock).release();
    const before = readdirSync(home);
    expect(await examineJournal(configOf(), clock)).toMatchObject({ ok: true });
    expect(readdirSync(home).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before);
    begun();
    expect(await examineJournal(configOf(), clock)).toMatchObject({ ok: true, advice: null });
  });

  it('is a kill in the journal, until a person resumes', async () => {
    begun();
    latchOffline(configOf(), WORD, clock);
    expect(await examineJournal(configOf(), clock)).toMatchObject({
      check: 'journal',
      ok: false,
      advice: RESUME,
      found: `killed by al at 2026-03-01T12:00:00.000Z: drill; latched in journal ${path}`,
    });
    resumeOffline(configOf(), WORD, clock);
    expect(await examineJournal(configOf(), clock)).toMatchObject({ ok: true });
  });

  it('is a kill that the permit holds', async () => {
    begun(() => latchOffline(configOf(), WORD, clock));
    expect(await examineJournal(configOf(), clock)).toMatchObject({
      ok: false,
      advice: RESUME,
      found: `killed by al at 2026-03-01T12:00:00.000Z: drill; latched in permit ${path}.permit`,
    });
  });

  it('is a missing permit, missing since an unknown time', async () => {
    begun();
    rmSync(`${path}.permit`);
    expect(await examineJournal(configOf(), clock)).toMatchObject({
      ok: false,
      advice: RESUME,
      found: `killed by permit: no permit to trade: it was taken away; latched in permit ${path}.permit`,
    });
    expect(readdirSync(home)).not.toContain('journal.sqlite.permit');
  });

  it('is unknown where the journal is damaged', async () => {
    begun(({ journal }) => journal.append([entryOf({ kind: 'latched', reason: 'odd order' })]));
    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER journal_no_UPDATE; UPDATE journal SET data = '{}' WHERE kind = 'latched'`);
    db.close();
    expect(await examineJournal(configOf(), clock)).toMatchObject({
      ok: false,
      found: 'journal record is damaged',
      advice: expect.stringContaining('only close') as string,
    });
  });

  it.each([true, false])('is the kill file, also where the journal is in memory: %s', async (inMemory) => {
    writeFileSync(killFile, 'stop');
    expect(await examineJournal(configOf(inMemory ? '' : path), clock)).toMatchObject({
      ok: false,
      found: 'the kill file of ops.killFile is there',
      advice: `remove it, then ${RESUME}`,
    });
  });

  it.each([
    ['account', 'message throttle', true, { ok: false, advice: RESUME }],
    ['account', 'al', false, { ok: true }],
    ['selection', 'rejections', true, { ok: true }],
  ] as const)(
    'is a state that a limit latched for all quotes: %s by %s',
    async (kind, by, latched, found) => {
      const scope = (kind === 'account' ? { kind } : { kind, selectionId: 'fb|e|h' }) as Scope;
      const state = { scope, state: 'halted', by, why: '1000 in 1 s', atMs: 0, latched } as const;
      begun(({ journal }) => new RiskMemory(journal).save({ kill: null, states: [state], results: [] }));
      expect(await examineJournal(configOf(), clock)).toMatchObject(found);
    },
  );

  it('is the order manager’s latch, beside a kill', async () => {
    begun(({ journal }) => journal.append([entryOf({ kind: 'latched', reason: 'odd order' })]));
    const latch = "the order manager's latch: odd order";
    expect(await examineJournal(configOf(), clock)).toMatchObject({ found: latch, advice: RESUME });
    latchOffline(configOf(), WORD, clock);
    expect(await examineJournal(configOf(), clock)).toMatchObject({
      found: expect.stringMatching(new RegExp(`^killed by al at .*\n${latch}$`)) as string,
    });
  });
});
