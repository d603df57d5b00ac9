import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallFile } from '../../../src/app/adapters/small-file.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { claimJournal } from '../../../src/app/journal/journal-mode.ts';
import { openForCommand, openJournal, type OpenJournal } from '../../../src/app/journal/open-journal.ts';
import { SNAPSHOT } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { readMark } from '../../../src/storage/journal-mark.ts';
import { OTHER, OWN } from '../../support/claims.ts';
import { entry } from '../../support/journal-entry.ts';

const top = mkdtempSync(join(tmpdir(), 'touchline-marked-'));
afterAll(() => rmSync(top, { recursive: true }));

let path = '';
let clock = new VirtualClock();
let opened: OpenJournal[] = [];
beforeEach(() => {
  path = join(mkdtempSync(join(top, 'x-')), 'journal.sqlite');
  clock = new VirtualClock();
  opened = [];
});
afterEach(() => opened.forEach(({ release }) => release()));

const config = () =>
  loadConfig({ files: [], environment: {}, settings: { mode: 'simulated', 'journal.path': path } }).values;

function open(): OpenJournal {
  const held = openJournal(path, clock);
  opened.push(held);
  return held;
}

/** Begins a daemon’s journal with its own name. */
function begun(id: string = OWN): OpenJournal {
  const held = open();
  claimJournal(held.journal, config(), { uuid: () => id }, held.markedInstallation);
  return held;
}

const mark = (): unknown => {
  const reading = readMark(smallFile(`${path}.mark`));
  return reading.kind === 'read' ? reading.mark : reading.kind;
};
const snapshot = { kind: SNAPSHOT, uuid: null, data: { kill: null, states: [], results: [] } };

/** Dies: closes the journal, then restores the files as they were before. */
function dies(held: OpenJournal): void {
  const left = ['', '-wal', '.mark'].map((suffix) => [suffix, readFileSync(`${path}${suffix}`)] as const);
  held.release();
  for (const [suffix, content] of left) writeFileSync(`${path}${suffix}`, content);
}

describe('the mark beside a journal', () => {
  it('is written with the name of the journal, and follows it a second later at most', async () => {
    const { journal, watch } = begun();
    expect(mark()).toMatchObject({ installation: OWN, seq: 2 });
    watch(clock, silentLogger, fail);
    journal.append([entry(1)]);
    journal.append([entry(2)]);
    expect(mark()).toMatchObject({ seq: 2 });
    await clock.advance(1_000);
    expect(mark()).toMatchObject({ seq: 4 });
  });

  it.each([SNAPSHOT, 'checkpoint', 'run_started', 'latched', 'latch_released'])(
    'is written at once with a record %s',
    (kind) => {
      const { journal } = begun();
      journal.append([entry(1)]);
      journal.append([{ kind, uuid: null, data: {} }]);
      expect(mark()).toMatchObject({ seq: 4 });
    },
  );

  it('is written at once when old records go', () => {
    const { journal } = begun();
    journal.append([entry(1), entry(2)]);
    const all = { belowSeq: 4, writtenBeforeMs: Infinity, most: 9, keeps: () => true };
    expect([journal.forget(all), mark()]).toEqual([3, expect.objectContaining({ seq: 4 })]);
  });

  it('reaches the end of the journal when the journal is closed', () => {
    const { journal, release } = begun();
    journal.append([entry(1)]);
    release();
    expect(mark()).toMatchObject({ seq: 3 });
    expect(open()).toMatchObject({ damage: null, markedInstallation: OWN });
  });

  it('is written by commands too', () => {
    begun().release();
    const held = openForCommand(path, clock);
    held.journal.append([snapshot]);
    expect(mark()).toMatchObject({ seq: 3 });
    held.release();
  });

  it('is not written for a journal that no daemon has named', () => {
    const unnamed = openForCommand(path, clock);
    unnamed.journal.append([snapshot]);
    unnamed.release();
    expect(mark()).toBe('absent');
    expect(open().damage).toBeNull();
  });

  it.each(['absent', 'unreadable'])('is reported to be %s, and written anew', async (kind) => {
    begun().release();
    if (kind === 'absent') rmSync(`${path}.mark`);
    else writeFileSync(`${path}.mark`, 'torn');
    const { damage, watch } = open();
    expect(damage).toBeNull();
    const warnings: unknown[] = [];
    const warn = (message: string, fields: object = {}): void => void warnings.push({ message, ...fields });
    watch(clock, { ...silentLogger, warn }, fail);
    expect(warnings).toEqual([
      expect.objectContaining({
        message: 'the journal has no readable mark: lost records cannot be detected',
        kind,
      }),
    ]);
    await clock.advance(1_000);
    expect(mark()).toMatchObject({ seq: 2 });
  });

  it('is not required beside a new journal', () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    open().watch(clock, logger, fail);
    expect(warnings).toEqual([]);
  });
});

function fail(what?: unknown): never {
  throw new Error(`this must not happen: ${String(what)}`);
}

describe('a mark that cannot be written', () => {
  /** Puts a folder in the mark’s place, which can be neither overwritten nor created. */
  const block = (): void => {
    rmSync(`${path}.mark`);
    mkdirSync(`${path}.mark`);
  };
  const unblock = (): void => rmSync(`${path}.mark`, { recursive: true });

  it('is tried again each second, and ends the journal after ten', async () => {
    const { journal, watch } = begun();
    const warnings: string[] = [];
    const failures: string[] = [];
    const tell = (message: string): void => void warnings.push(message);
    const logger = { ...silentLogger, warn: tell, info: tell };
    watch(clock, logger, ({ message }) => void failures.push(message));
    block();
    journal.append([snapshot]);
    await clock.advance(9_000);
    expect(warnings).toEqual([
      'the mark of the journal cannot be written: retried each second, the journal fails after 10 s',
    ]);
    unblock();
    await clock.advance(1_000);
    expect(warnings.slice(1)).toEqual(['the mark of the journal can be written again']);
    expect(mark()).toMatchObject({ seq: 3 });
    block();
    journal.append([entry(1)]);
    await clock.advance(10_500);
    expect(failures).toEqual([]);
    await clock.advance(1_000);
    expect(failures).toEqual(['the mark of the journal cannot be written']);
    expect(() => journal.append([entry(2)])).toThrow(/failed before/);
    await clock.advance(60_000);
    expect(failures).toHaveLength(1);
    unblock();
  });
});

describe('a start', () => {
  const damageOf = (): string | undefined => open().damage?.message;

  it('places nothing with a journal that ends before its mark, and reports that each time', () => {
    const held = begun();
    held.journal.append([entry(1)]);
    const early = ['', '-wal'].map((suffix) => readFileSync(`${path}${suffix}`));
    held.journal.append([snapshot]);
    held.release();
    for (const [at, suffix] of ['', '-wal'].entries()) writeFileSync(`${path}${suffix}`, early[at] as Buffer);
    for (let start = 0; start < 2; start++) {
      const { damage, journal, release } = open();
      expect(damage?.message).toBe(
        'journal records are missing at the end: it reached record 4, and ends with 3',
      );
      expect([...journal.read()]).toHaveLength(3);
      expect(() => journal.append([snapshot])).toThrow(/failed before/);
      expect(claimJournal(journal, config(), { uuid: fail }).installation).toBe(OWN);
      release();
    }
    expect(mark()).toMatchObject({ seq: 4 });
  });

  it('finds a byte of the log that has flipped', () => {
    const held = begun();
    for (let n = 0; n < 9; n++) held.journal.append([entry(n)]);
    held.journal.append([snapshot]);
    dies(held);
    const log = readFileSync(`${path}-wal`);
    for (const at of [40, 5_000, log.length - 2_000, log.length - 1]) {
      const flipped = Buffer.from(log);
      flipped[at] = (flipped[at] ?? 0) ^ 4;
      writeFileSync(`${path}-wal`, flipped);
      rmSync(`${path}-shm`, { force: true });
      const { damage, release } = open();
      expect(damage, `byte ${at}`).not.toBeNull();
      release();
    }
  });

  it.each([
    ['of another installation', OTHER, 'the journal is of another installation'],
    ['of an earlier history', OWN, 'journal records differ from the mark beside the journal'],
  ])('places nothing with a journal %s', (_, id, warnings) => {
    const held = begun(id);
    for (let n = 0; n < 9; n++) held.journal.append([entry(n)]);
    held.release();
    rmSync(`${path}.mark`);
    renameSync(path, `${path}.other`);
    clock.jumpWall(1_000);
    begun().release();
    renameSync(`${path}.other`, path);
    expect(damageOf()).toContain(warnings);
  });

  it('detects a file overwritten in place, which keeps size and inode', async () => {
    const held = begun();
    for (let n = 0; n < 200; n++) held.journal.append([entry(n)]);
    held.release();
    const older = readFileSync(path);
    const again = open();
    const failures: unknown[] = [];
    again.watch(clock, silentLogger, (error) => void failures.push(error));
    // A program that restores a copy of another history in place does this.
    const text = older.toString('latin1').replaceAll('"n":57,', '"n":58,');
    const changed = Buffer.from(text, 'latin1');
    const { ino } = statSync(path);
    writeFileSync(path, changed, { flag: 'r+' });
    for (let n = 0; n < 20; n++) again.journal.append([entry(n)]);
    await clock.advance(3_000);
    expect([statSync(path).ino, failures]).toEqual([ino, []]);
    again.release();
    const { journal } = open();
    expect(() => [...journal.read()]).toThrow(/damaged|missing/);
  });

  it('begins no new journal in place of a missing one, and keeps its name', () => {
    begun().release();
    rmSync(path);
    const { damage, journal, markedInstallation, release } = open();
    expect(damage?.message).toBe(
      `there is no journal at ${path}, and ${basename(path)}.mark beside it tells that there was one: ` +
        'put it back, or restore a backup; to begin anew, move away what lies there under its name',
    );
    expect(() => journal.append([snapshot])).toThrow(damage?.message);
    expect(claimJournal(journal, config(), { uuid: fail }, markedInstallation).installation).toBe(OWN);
    release();
    expect(existsSync(path)).toBe(false);
    expect(mark()).toMatchObject({ seq: 2 });
  });

  it('begins no journal in an empty file, and leaves the log beside it', () => {
    const held = begun();
    dies(held);
    truncateSync(path);
    rmSync(`${path}.mark`);
    const log = readFileSync(`${path}-wal`);
    expect(damageOf()).toContain(`the journal ${path} is empty, and ${basename(path)}-wal beside it`);
    expect([statSync(path).size, readFileSync(`${path}-wal`)]).toEqual([0, log]);
  });

  it('begins a new journal where nothing remains of an earlier one', () => {
    begun().release();
    for (const file of readdirSync(join(path, '..'))) rmSync(join(path, '..', file));
    expect(damageOf()).toBeUndefined();
  });

  it('gives an unreadable journal the name of its mark, and without one a name that no order carries', () => {
    begun().release();
    rmSync(path);
    const held = open();
    expect(held.markedInstallation).toBe(OWN);
    held.release();
    writeFileSync(`${path}.mark`, 'torn');
    const { journal, markedInstallation } = open();
    expect(markedInstallation).toBeNull();
    const claimed = claimJournal(journal, config(), { uuid: () => 'random' }, markedInstallation);
    expect(claimed.installation).toBe('random');
  });
});

describe('a running daemon', () => {
  const watched = async () => {
    const held = begun();
    const failures: string[] = [];
    held.watch(clock, silentLogger, ({ message }) => void failures.push(message));
    held.journal.append([entry(1)]);
    await clock.advance(5_000);
    expect(failures).toEqual([]);
    return { ...held, failures };
  };

  /** SQLite keeps a journal for the lock while it is held. */
  const files = () => readdirSync(join(path, '..')).filter((name) => !name.endsWith('.lock-journal'));

  it.each(['', '-wal', '.lock'])(
    'finds within two seconds that a file was deleted (journal%s)',
    async (suffix) => {
      const { journal, failures, release } = await watched();
      const before = files().filter((name) => name !== basename(`${path}${suffix}`));
      rmSync(`${path}${suffix}`);
      await clock.advance(2_000);
      expect(failures).toEqual([`the journal is lost: ${path}${suffix} is gone`]);
      expect(() => journal.append([snapshot])).toThrow(/failed before/);
      release();
      expect(files()).toEqual(before);
      expect(mark()).toMatchObject({ seq: 3 });
    },
  );

  it.each(['', '-wal', '.lock'])(
    'finds that a file was replaced (journal%s), and leaves it alone',
    async (suffix) => {
      const { failures, release } = await watched();
      copyFileSync(`${path}${suffix}`, `${path}.copy`);
      renameSync(`${path}.copy`, `${path}${suffix}`);
      const put = readFileSync(`${path}${suffix}`);
      await clock.advance(2_000);
      expect(failures).toEqual([`the journal is lost: ${path}${suffix} was replaced`]);
      release();
      expect(readFileSync(`${path}${suffix}`)).toEqual(put);
    },
  );

  it.each(['', '-wal'])('finds that a file was cut (journal%s)', async (suffix) => {
    const { failures } = await watched();
    truncateSync(`${path}${suffix}`, 1_000);
    await clock.advance(2_000);
    expect(failures).toEqual([`the journal is lost: ${path}${suffix} was truncated`]);
  });

  it('loses nothing when the log is moved into the file', async () => {
    const { journal, failures } = await watched();
    for (let n = 0; n < 520; n++) journal.append([entry(n)]);
    await clock.advance(2_000);
    expect([failures, mark()]).toEqual([[], expect.objectContaining({ seq: 523 })]);
  });
});

describe.runIf(process.platform !== 'win32')('the files beside a journal', () => {
  const before = process.umask();
  afterEach(() => void process.umask(before));
  const files = ['', '-wal', '-shm', '.lock', '.lock.holder', '.permit', '.mark'];
  const modes = () =>
    files.map((suffix) => [suffix, (statSync(`${path}${suffix}`).mode & 0o777).toString(8)]);

  it('are readable only by their owner, whatever the umask', () => {
    process.umask(0);
    const { permit } = begun();
    permit.write('x');
    expect(modes()).toEqual(files.map((suffix) => [suffix, '600']));
  });

  it('lose the access for others that a restored copy grants', () => {
    const held = begun();
    held.permit.write('x');
    dies(held);
    writeFileSync(`${path}-shm`, '');
    for (const suffix of files) chmodSync(`${path}${suffix}`, 0o644);
    open();
    expect(modes()).toEqual(files.map((suffix) => [suffix, '600']));
  });
});
