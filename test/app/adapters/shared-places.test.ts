import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { refuseSharedFile, refuseSharedFolder } from '../../../src/app/adapters/shared-places.ts';
import { checkOwnPlaces } from '../../../src/app/run/own-places.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

let count = 0;

/** A new folder, and `inner` folders below it. */
function newFolder(...inner: readonly string[]): string {
  const path = join(temporary.path, `place-${count++}`, ...inner);
  mkdirSync(path, { recursive: true, mode: 0o755 });
  return path;
}

const folderIsRefused = (path: string) => () => refuseSharedFolder(path, 'the folder of the tokens');

describe.runIf(process.platform !== 'win32')('a folder', () => {
  it.each([0o700, 0o750, 0o755])('of mode %o is taken', (mode) => {
    const folder = newFolder();
    chmodSync(folder, mode);
    expect(folderIsRefused(folder)).not.toThrow();
  });

  it.each([0o770, 0o775, 0o702, 0o777, 0o1777])('of mode %o is refused', (mode) => {
    const folder = newFolder();
    chmodSync(folder, mode);
    expect(folderIsRefused(folder)).toThrow(/other users can write the folder of the tokens: run chmod go-w/);
  });

  it('is refused below a folder in which others can replace it, unless only owners can', () => {
    const folder = newFolder('shared', 'between', 'tokens');
    const shared = join(folder, '../..');
    chmodSync(shared, 0o777);
    expect(folderIsRefused(folder)).toThrow(new RegExp(`can replace the folder .* chmod o-w on ${shared}$`));
    chmodSync(shared, 0o1777);
    expect(folderIsRefused(folder)).not.toThrow();
  });

  it.each([
    [0o770, false],
    [0o775, false],
    [0o702, true],
    [0o757, true],
  ])('below a folder of mode %o is refused: %s', (mode, isRefused) => {
    const folder = newFolder('above', 'tokens');
    chmodSync(join(folder, '..'), mode);
    const check = expect(folderIsRefused(folder));
    if (isRefused) check.toThrow('can replace');
    else check.not.toThrow();
  });

  it('is judged where a link leads, and where the link is', () => {
    const [target, shared] = [newFolder(), newFolder()];
    symlinkSync(target, join(shared, 'link'));
    expect(folderIsRefused(join(shared, 'link'))).not.toThrow();
    chmodSync(shared, 0o777);
    expect(folderIsRefused(join(shared, 'link'))).toThrow('can replace');
    chmodSync(shared, 0o755);
    chmodSync(target, 0o777);
    expect(folderIsRefused(join(shared, 'link'))).toThrow('can write');
  });

  it('is judged by all that is above the place where a link leads', () => {
    const target = newFolder('above', 'between', 'target');
    const link = join(newFolder(), 'link');
    symlinkSync(target, link);
    expect(folderIsRefused(link)).not.toThrow();
    for (const above of ['..', '../..']) {
      chmodSync(join(target, above), 0o777);
      expect(folderIsRefused(link)).toThrow(new RegExp(`can replace .* on ${join(target, above)}$`));
      chmodSync(join(target, above), 0o755);
    }
  });

  it('that does not exist is left to its maker', () => {
    expect(folderIsRefused(join(temporary.path, 'none'))).not.toThrow();
  });
});

describe.runIf(process.platform !== 'win32')('a file', () => {
  it.each([
    [0o600, false],
    [0o400, false],
    [0o640, true],
    [0o604, true],
    [0o620, true],
    [0o602, true],
  ])('of mode %o is refused: %s', (mode, isRefused) => {
    const path = temporary.file(`file-${count++}`, '');
    chmodSync(path, mode);
    const check = () => refuseSharedFile(path, 'this token');
    if (isRefused)
      expect(check).toThrow(`${path}: other users have access to this token: run chmod 600 on it`);
    else expect(check).not.toThrow();
  });
});

describe.runIf(process.platform !== 'win32')('the places of a run', () => {
  /** The settings of a run with its journal in the folder and its tokens in another. */
  const settings = (journal: string, tokens = '') =>
    ({ journal: { path: journal }, admin: { tokens } }) as Parameters<typeof checkOwnPlaces>[0];

  it('are its own, or none', () => {
    expect(() => checkOwnPlaces(settings(''))).not.toThrow();
    expect(() => checkOwnPlaces(settings(join(newFolder(), 'j'), newFolder()))).not.toThrow();
  });

  it('include the folder of the journal, also behind a link', () => {
    const [folder, other] = [newFolder(), newFolder()];
    temporary.file(`${folder.slice(temporary.path.length)}/j`, '');
    symlinkSync(join(folder, 'j'), join(other, 'link'));
    chmodSync(folder, 0o777);
    expect(() => checkOwnPlaces(settings(join(folder, 'j')))).toThrow('write the folder of the journal');
    expect(() => checkOwnPlaces(settings(join(other, 'link')))).toThrow('write the folder of the journal');
  });

  it.each([
    ['j.overrides.toml', 'the parameters'],
    ['j.tokens/sessions.json', 'the sessions of browsers'],
  ])('include the file %s', (name, what) => {
    const folder = newFolder();
    mkdirSync(join(folder, 'j.tokens'), { mode: 0o700 });
    const path = temporary.file(join(folder.slice(temporary.path.length), name), '{}');
    chmodSync(path, 0o666);
    expect(() => checkOwnPlaces(settings(join(folder, 'j')))).toThrow(`have access to ${what}`);
    chmodSync(path, 0o600);
    expect(() => checkOwnPlaces(settings(join(folder, 'j')))).not.toThrow();
  });

  it('include a configured folder of tokens', () => {
    const tokens = newFolder();
    chmodSync(tokens, 0o770);
    expect(() => checkOwnPlaces(settings('', tokens))).toThrow('write the folder of the tokens');
  });
});
