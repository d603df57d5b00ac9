import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { smallFile } from '../../../src/app/adapters/small-file.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { LIMITS } from '../../../src/app/journal/limits-memory.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { latchOffline, resumeOffline } from '../../../src/app/operate/offline.ts';
import { latchOf } from '../../../src/app/operate/kill-report.ts';
import { type Hang, hangText } from '../../../src/app/watchdog/hang-file.ts';
import { ConfigError, JournalDamage } from '../../../src/domain/errors.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import type { RiskSnapshot } from '../../../src/risk/index.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';

const top = mkdtempSync(join(tmpdir(), 'touchline-outside-'));
afterAll(() => rmSync(top, { recursive: true }));

const clock = new VirtualClock();
const WORD = { by: 'a person', reason: 'drill', atMs: 1 };

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(top, 'x-'));
  path = join(folder, 'journal.sqlite');
});

const configOf = (journal: string, killFile = '') => {
  const settings = { 'journal.path': journal, 'ops.killFile': killFile };
  return loadConfig({ files: [], environment: {}, settings }).values;
};

/** Leaves the files of a daemon that has begun. */
function begun(): void {
  const { journal, release } = openJournal(path, clock);
  new RiskMemory(journal).notePermit();
  release();
}

describe('a kill without a daemon', () => {
  it('names the full path of the journal that latches it', () => {
    begun();
    const config = configOf(relative(process.cwd(), path));
    expect(latchOffline(config, WORD, clock)).toEqual({
      latchedIn: `journal ${path}`,
      noJournalAt: null,
    });
    const { journal, release } = openJournal(path, clock);
    expect(new RiskMemory(journal).load().snapshot?.kill).toEqual(WORD);
    release();
  });

  it('withdraws the permit, whether the journal accepts the kill or not', () => {
    begun();
    const permit = smallFile(`${path}.permit`);
    permit.write('trading is permitted');
    expect(latchOffline(configOf(path), WORD, clock).latchedIn).toBe(`journal ${path}`);
    expect(permit.read()).toBe(JSON.stringify(WORD));
    expect(resumeOffline(configOf(path), WORD, clock).trading).toBe(true);
    expect(permit.read()).toBe('trading is permitted');
  });

  it('withdraws a permit that remains after its journal is gone', () => {
    begun();
    smallFile(`${path}.permit`).write('trading is permitted');
    rmSync(path);
    expect(latchOffline(configOf(path), WORD, clock)).toEqual({
      latchedIn: `permit ${path}.permit`,
      noJournalAt: path,
    });
    expect(existsSync(path)).toBe(false);
  });

  it('creates no journal and no permit where none exists, and reports that', () => {
    const latch = latchOffline(configOf(relative(process.cwd(), path)), WORD, clock);
    expect(latch).toEqual({ latchedIn: null, noJournalAt: path });
    expect(latchOf(latch)).toContain(
      `NOT LATCHED: a daemon that starts will trade; there is no journal at ${path}`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('creates the kill file in any case', () => {
    const killFile = join(folder, 'kill');
    const latch = latchOffline(configOf(path, killFile), WORD, clock);
    expect(latch).toEqual({ latchedIn: `kill file ${killFile}`, noJournalAt: path });
    expect(existsSync(killFile)).toBe(true);
  });

  it('withdraws the permit of a journal that another process holds', () => {
    begun();
    const held = openJournal(path, clock);
    const latch = latchOffline(configOf(path), WORD, clock);
    expect(latch).toEqual({ latchedIn: `permit ${path}.permit`, noJournalAt: null });
    held.release();
  });
});

describe.runIf(process.platform === 'linux')('a permit that can be removed but not overwritten', () => {
  const latchWhileHeld = () => {
    const held = openJournal(path, clock);
    symlinkSync('/dev/full', `${path}.permit`);
    try {
      return latchOffline(configOf(path), WORD, clock).latchedIn;
    } finally {
      held.release();
    }
  };

  it('latches beside a journal that has recorded the permit', () => {
    begun();
    expect(latchWhileHeld()).toBe(`permit ${path}.permit`);
  });

  it('latches nothing beside a journal that has not recorded it: the next daemon would grant a first permit', () => {
    expect(latchWhileHeld()).toBeNull();
  });
});

describe('a resume without a daemon', () => {
  it('begins no new journal', () => {
    const resume = () => resumeOffline(configOf(relative(process.cwd(), path)), WORD, clock);
    expect(resume).toThrow(ConfigError);
    expect(resume).toThrow(`there is no journal at ${path}`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('begins no journal in an empty file', () => {
    writeFileSync(path, '');
    const resume = () => resumeOffline(configOf(path), WORD, clock);
    expect(resume).toThrow(`${path}: the file holds no journal`);
    expect([statSync(path).size, readdirSync(folder)]).toEqual([0, ['journal.sqlite']]);
  });

  it('releases a strategy that hung, before and after the next start has latched it', () => {
    begun();
    const event = { sport: 'fb', eventId: 'x' } as Hang['event'];
    const text = hangText({ strategy: 'mine', event, hangMs: 2_000, atMs: 0 });
    smallFile(`${path}.hang`).write(text);
    expect(resumeOffline(configOf(path), WORD, clock)).toMatchObject({
      released: expect.arrayContaining([
        expect.stringMatching(/^strategy mine halted by watchdog: it did not return for 2 s on fb\/x/),
      ]) as unknown,
      remaining: [],
    });
    expect(existsSync(`${path}.hang`)).toBe(false);
    expect(resumeOffline(configOf(path), WORD, clock).released).toEqual([]);
  });

  it('releases nothing while the kill file is there, and says so', () => {
    begun();
    const config = configOf(path, join(folder, 'kill'));
    latchOffline(config, WORD, clock);
    writeFileSync(join(folder, 'kill'), '');
    expect(resumeOffline(config, WORD, clock)).toMatchObject({
      released: [],
      trading: false,
      remaining: expect.arrayContaining([killFile]) as unknown,
    });
    const { journal, release } = openJournal(path, clock);
    expect(new RiskMemory(journal).load().snapshot?.kill).toEqual(WORD);
    release();
    rmSync(join(folder, 'kill'));
    expect(resumeOffline(config, WORD, clock)).toMatchObject({ trading: true, remaining: [] });
  });

  const killFile = expect.objectContaining({
    what: expect.stringContaining('kill file') as string,
  }) as unknown;

  it('lets known losses no longer count, and keeps what was seen and set on purpose', () => {
    begun();
    const result = { of: { kind: 'account' }, day: 20_000, dayMicros: -5e6, fromPeakMicros: -7e6 } as const;
    const states = ['reducing', 'halted'].map((state) => ({
      scope: { kind: 'strategy', strategy: state },
      state,
      latched: state === 'halted',
      by: 'a',
      why: 'b',
      atMs: 1,
    })) as unknown as RiskSnapshot['states'];
    const held = openJournal(path, clock);
    const before = { ...EMPTY_SNAPSHOT, kill: WORD, states, results: [{ ...result, totalMicros: -9e6 }] };
    new RiskMemory(held.journal).save(before);
    held.release();
    expect(resumeOffline(configOf(path), WORD, clock)).toMatchObject({ trading: true });
    const { journal, release } = openJournal(path, clock);
    expect(new RiskMemory(journal).load().snapshot).toMatchObject({
      kill: null,
      states: [states[0]],
      results: [{ of: result.of, day: result.day, dayMicros: 0, fromPeakMicros: 0, totalMicros: -9e6 }],
    });
    release();
  });

  it.runIf(process.getuid?.() === 0)('restores a permit that the owner of the journal can read', () => {
    begun();
    const [uid, gid] = [4_321, 5_432];
    chownSync(path, uid, gid);
    expect(existsSync(`${path}.permit`)).toBe(false);
    expect(resumeOffline(configOf(path), WORD, clock).trading).toBe(true);
    expect(statSync(`${path}.permit`)).toMatchObject({ uid, gid });
  });

  it.runIf(process.getuid?.() === 0)(
    'leaves a lock beside a copy that the owner of the journal can acquire',
    () => {
      begun();
      const [uid, gid] = [4_321, 5_432];
      chownSync(path, uid, gid);
      const files = [`${path}.lock`, `${path}.lock.holder`];
      files.forEach((file) => rmSync(file));
      expect(resumeOffline(configOf(path), WORD, clock).trading).toBe(true);
      for (const file of files) expect(statSync(file)).toMatchObject({ uid, gid });
    },
  );

  it('is refused while the limits that the next daemon reads are damaged', () => {
    begun();
    const { journal, release } = openJournal(path, clock);
    journal.append([{ kind: LIMITS, uuid: null, data: {} }]);
    journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(foldJournal(journal)) }]);
    release();
    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER journal_no_UPDATE; UPDATE journal SET at_ms = 1 WHERE kind = '${LIMITS}'`);
    db.close();
    expect(() => resumeOffline(configOf(path), WORD, clock)).toThrow(JournalDamage);
    const again = openJournal(path, clock);
    expect(again.journal.last(CHECKPOINT)?.seq).toBe(again.journal.lastSeq());
    again.release();
  });
});
