import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { compiledFolder, safeFolder } from '../../../src/app/adapters/compiled-modules.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { touchline } from '../../support/process.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

let count = 0;
const newPath = (): string => join(temporary.path, `caches-${count++}`);

function newFolder(mode: number): string {
  const path = newPath();
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

const onUnix = describe.runIf(process.platform !== 'win32');

onUnix('the folder of compiled modules', () => {
  it.each([
    [{ HOME: '/home/anna' }, 'linux', '/home/anna/.cache/touchline/compiled'],
    [{ HOME: '/home/anna' }, 'darwin', '/home/anna/Library/Caches/touchline/compiled'],
    [{ HOME: '/home/anna', XDG_CACHE_HOME: '/fast' }, 'linux', '/fast/touchline/compiled'],
    [{ HOME: '/home/anna', XDG_CACHE_HOME: 'relative' }, 'linux', '/home/anna/.cache/touchline/compiled'],
    [{ HOME: '' }, 'linux', null],
    [{ HOME: 'relative' }, 'linux', null],
    [{}, 'linux', join(homedir(), '.cache/touchline/compiled')],
    [{}, 'win32', null],
  ] as const)('with %o on %s is %s', (environment, platform, folder) => {
    expect(compiledFolder(environment, platform)).toBe(folder);
  });

  it('is made for its owner alone', () => {
    const folder = join(newPath(), 'touchline', 'compiled');
    expect(safeFolder(folder)).toBe(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each([0o700, 0o755])('is used with mode %o', (mode) => {
    const folder = newFolder(mode);
    expect(safeFolder(folder)).toBe(folder);
  });

  it.each([0o770, 0o702, 0o777, 0o1777])('is not used with mode %o', (mode) => {
    expect(safeFolder(newFolder(mode))).toBeNull();
  });

  it('is not used below a folder in which everybody can replace it', () => {
    const shared = newFolder(0o777);
    expect(safeFolder(join(shared, 'touchline'))).toBeNull();
  });

  it('is not used if it is a link, a file, cannot be made, or is unknown', () => {
    const target = newFolder(0o700);
    const link = newPath();
    symlinkSync(target, link);
    const file = newPath();
    writeFileSync(file, '');
    expect([link, file, join(file, 'inner'), '/proc/none', null].map(safeFolder)).toEqual(
      Array(5).fill(null),
    );
  });

  it.runIf(process.getuid?.() === 0)('is not used if another user owns it', () => {
    const folder = newFolder(0o700);
    chownSync(folder, 12_345, 12_345);
    expect(safeFolder(folder)).toBeNull();
  });
});

onUnix('a command', () => {
  const run = (caches: string, environment: NodeJS.ProcessEnv = {}) =>
    touchline(['--version'], { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: undefined, ...environment }).exit;

  it('keeps its compiled modules', async () => {
    const caches = newPath();
    expect(await run(caches)).toMatchObject({ code: 0, stderr: '' });
    const [version = ''] = readdirSync(join(caches, 'touchline/compiled'));
    expect(readdirSync(join(caches, 'touchline/compiled', version)).length).toBeGreaterThan(10);
  });

  it('keeps none in a folder that others can write, and works', async () => {
    const caches = newFolder(0o777);
    expect(await run(caches)).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(join(caches, 'touchline/compiled'))).toEqual([]);
  });

  it('keeps none if it runs a daemon', async () => {
    const caches = newPath();
    const environment = { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: undefined };
    expect(await touchline(['run', '--help'], environment).exit).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(caches)).toBe(false);
  });

  it('keeps none where NODE_COMPILE_CACHE names a folder', async () => {
    const [caches, named] = [newPath(), newFolder(0o700)];
    expect(await run(caches, { NODE_COMPILE_CACHE: named })).toMatchObject({ code: 0, stderr: '' });
    expect([existsSync(caches), readdirSync(named).length]).toEqual([false, 1]);
  });
});
