import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lockAccount } from '../../src/storage/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

const holder = { pid: process.pid, host: 'here', since: '2026-01-01T00:00:00Z' };

it('refuses a second holder and says who is the first', () => {
  const path = join(folder, 'a.lock');
  const lock = lockAccount(path, holder);
  expect(() => lockAccount(path, { ...holder, pid: 1 })).toThrow(
    `the account is in use by process ${process.pid} on here since 2026-01-01T00:00:00Z`,
  );
  lock.release();
  lockAccount(path, holder).release();
});

it('blames no earlier holder for a lock file that cannot be used', () => {
  const path = join(folder, 'damaged.lock');
  lockAccount(path, holder).release();
  writeFileSync(path, 'no database, and long enough to be looked at: '.repeat(100));
  expect(() => lockAccount(path, holder)).toThrow(
    expect.objectContaining({ code: 'journal', message: 'cannot take the lock', details: { path } }),
  );
});

it.runIf(process.platform === 'linux')('is let go of when there is no room to say who holds it', () => {
  const path = join(folder, 'full.lock');
  symlinkSync('/dev/full', `${path}.holder`);
  expect(() => lockAccount(path, holder)).toThrow(
    expect.objectContaining({ code: 'journal', message: 'cannot take the lock', details: { path } }),
  );
  rmSync(`${path}.holder`);
  lockAccount(path, holder).release();
});

it('ends with the process that holds it, even when that is killed', async () => {
  const path = join(folder, 'b.lock');
  const module = new URL('../../src/storage/lock.ts', import.meta.url).href;
  const script = `
    const { lockAccount } = await import(${JSON.stringify(module)});
    lockAccount(${JSON.stringify(path)}, { pid: process.pid, host: 'there', since: 'now' });
    process.stdout.write('locked');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(() => lockAccount(path, holder)).toThrow(`process ${child.pid} on there`);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  lockAccount(path, holder).release();
});
