import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { lockAccount, lockHolder, type LockHolder } from '../../../src/storage/files/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

const holder: LockHolder = {
  pid: process.pid,
  host: 'here',
  since: '2026-01-01T00:00:00Z',
  bootId: 'boot-1',
  as: 'daemon',
};
const nobodyRuns = (): boolean => false;
const everybodyRuns = (): boolean => true;

it('refuses a second holder and names the first', () => {
  const path = join(folder, 'a.lock');
  const lock = lockAccount(path, holder, nobodyRuns);
  expect(() => lockAccount(path, { ...holder, pid: 1 }, nobodyRuns)).toThrow(
    `the account is in use by process ${process.pid} on here since 2026-01-01T00:00:00Z`,
  );
  lock.release();
  lockAccount(path, holder, nobodyRuns).release();
});

it('tells who holds it without taking it', () => {
  const path = join(folder, 'asked.lock');
  expect(lockHolder(path)).toBeNull();
  const lock = lockAccount(path, holder, nobodyRuns);
  const text = readFileSync(`${path}.holder`, 'utf8');
  expect(lockHolder(path)).toMatchObject(holder);
  expect(readFileSync(`${path}.holder`, 'utf8')).toBe(text);
  rmSync(`${path}.holder`);
  expect(lockHolder(path)).toEqual({ pid: null });
  // The question must not have released it.
  expect(() => lockAccount(path, holder, nobodyRuns)).toThrow('the account is in use by');
  lock.release();
  expect(lockHolder(path)).toBeNull();
  writeFileSync(path, 'no database, and long enough to be looked at: '.repeat(100));
  expect(lockHolder(path)).toBeNull();
});

it('blames no earlier holder for an unusable lock file', () => {
  const path = join(folder, 'damaged.lock');
  lockAccount(path, holder, nobodyRuns).release();
  writeFileSync(path, 'no database, and long enough to be looked at: '.repeat(100));
  expect(() => lockAccount(path, holder, nobodyRuns)).toThrow(
    expect.objectContaining({ code: 'journal', message: 'cannot take the lock', details: { path } }),
  );
});

it.runIf(process.platform === 'linux')('is released when there is no room to record its holder', () => {
  const path = join(folder, 'full.lock');
  symlinkSync('/dev/full', `${path}.holder`);
  expect(() => lockAccount(path, holder, nobodyRuns)).toThrow(
    expect.objectContaining({ code: 'journal', message: 'cannot take the lock', details: { path } }),
  );
  rmSync(`${path}.holder`);
  lockAccount(path, holder, nobodyRuns).release();
});

it('ends with its process, even when that is killed', async () => {
  const path = join(folder, 'b.lock');
  const module = new URL('../../../src/storage/files/lock.ts', import.meta.url).href;
  const script = `
    const { lockAccount } = await import(${JSON.stringify(module)});
    lockAccount(${JSON.stringify(path)}, { pid: process.pid, host: 'there', since: 'now', bootId: null, as: 'daemon' }, () => false);
    // A lock that is held for its own sake holds, too.
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 0));
    process.stdout.write('locked');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(() => lockAccount(path, holder, nobodyRuns)).toThrow(`process ${child.pid} on there`);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  lockAccount(path, holder, nobodyRuns).release();
});

describe('the lock’s evidence about the earlier process', () => {
  let count = 0;
  const fresh = (): string => join(folder, `owner-${count++}.lock`);
  const ownerOf = (path: string, next: Partial<LockHolder> = {}, isRunning = nobodyRuns, trades = true) => {
    const lock = lockAccount(path, { ...holder, ...next }, isRunning);
    if (trades) lock.trades();
    lock.release();
    return lock.earlierOwner;
  };
  const waits = (path: string) => ownerOf(path, {}, nobodyRuns, false);

  it('is empty at first', () => {
    expect(ownerOf(fresh(), {}, everybodyRuns)).toBe('unknown');
  });

  it('is that it died, when it held this very lock on this boot of this machine', () => {
    const path = fresh();
    ownerOf(path);
    // Another process may have the dead process’s number by now.
    expect(ownerOf(path, { pid: 1 }, everybodyRuns)).toBe('dead');
  });

  it('is passed on by a daemon that placed no order: it may have waited for another installation', () => {
    const path = fresh();
    expect([waits(path), waits(path), ownerOf(path)]).toEqual(['unknown', 'unknown', 'unknown']);
    expect([waits(path), waits(path), ownerOf(path)]).toEqual(['dead', 'dead', 'dead']);
  });

  it.each<[string, Partial<LockHolder>]>([
    ['another boot', { bootId: 'boot-2' }],
    ['another machine', { host: 'there' }],
    ['a system that does not name its boots', { bootId: null }],
  ])('is empty after %s', (_, next) => {
    const path = fresh();
    ownerOf(path, next);
    expect(ownerOf(path)).toBe('unknown');
    ownerOf(path);
    expect(ownerOf(path, next)).toBe('unknown');
  });

  it('is empty when its text cannot be read', () => {
    const path = fresh();
    ownerOf(path);
    for (const text of ['', 'null', '[]', '{"pid":1', '{}']) {
      writeFileSync(`${path}.holder`, text);
      expect(ownerOf(path, {}, everybodyRuns)).toBe('unknown');
    }
  });

  it.each([
    ['runs', everybodyRuns, 'alive'],
    ['does not run', nobodyRuns, 'unknown'],
  ])('is, by the copy of a text whose process %s: %s', (_, isRunning, owner) => {
    const [path, copy] = [fresh(), fresh()];
    ownerOf(path);
    for (const file of ['', '.holder']) copyFileSync(`${path}${file}`, `${copy}${file}`);
    expect(ownerOf(copy, {}, isRunning)).toBe(owner);
  });

  it('is that it lives, when its lock file was removed while it ran', () => {
    const path = fresh();
    const first = lockAccount(path, holder, everybodyRuns);
    rmSync(path);
    expect(ownerOf(path, {}, everybodyRuns)).toBe('alive');
    first.release();
  });

  it('is not changed by a command that holds the account for a moment', () => {
    const path = fresh();
    expect(ownerOf(path, { as: 'command' }, nobodyRuns, false)).toBe('unknown');
    expect(ownerOf(path)).toBe('unknown');
    expect(ownerOf(path, { as: 'command' }, nobodyRuns, false)).toBe('dead');
    const written = readFileSync(`${path}.holder`, 'utf8');
    expect(JSON.parse(written)).toMatchObject({ as: 'daemon' });
    expect(ownerOf(path)).toBe('dead');
  });

  it('is empty after a command that died with the lock', () => {
    const path = fresh();
    ownerOf(path);
    const command = lockAccount(path, { ...holder, as: 'command' }, nobodyRuns);
    const left = readFileSync(`${path}.holder`, 'utf8');
    command.release();
    writeFileSync(`${path}.holder`, left);
    expect(ownerOf(path)).toBe('unknown');
  });
});

describe.runIf(process.platform !== 'win32')('the files of the lock', () => {
  const before = process.umask();
  afterEach(() => void process.umask(before));
  const modesOf = (path: string) => [path, `${path}.holder`].map((file) => statSync(file).mode & 0o777);

  it.each([0o000, 0o077, 0o777])('are readable only by their owner, whatever the umask (%o)', (umask) => {
    const path = join(folder, `private-${umask}.lock`);
    process.umask(umask);
    lockAccount(path, holder, nobodyRuns).release();
    expect(modesOf(path)).toEqual([0o600, 0o600]);
  });

  it('lose the access for others that a restored copy grants', () => {
    const path = join(folder, 'open.lock');
    lockAccount(path, holder, nobodyRuns).release();
    for (const file of [path, `${path}.holder`]) chmodSync(file, 0o644);
    lockAccount(path, holder, nobodyRuns).release();
    expect(modesOf(path)).toEqual([0o600, 0o600]);
  });

  it('leave a link’s target alone', () => {
    const [path, other] = [join(folder, 'linked.lock'), join(folder, 'elsewhere')];
    writeFileSync(other, '');
    chmodSync(other, 0o644);
    symlinkSync(other, `${path}.holder`);
    lockAccount(path, holder, nobodyRuns).release();
    expect(statSync(other).mode & 0o777).toBe(0o644);
  });
});
