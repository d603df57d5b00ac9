import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { smallFile } from '../../src/app/adapters/small-file.ts';
import type { SmallFile } from '../../src/ports/small-file.ts';
import { memoryFile } from '../../src/storage/memory-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-small-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const freshPath = (): string => join(folder, `${files++}`);

/** What every small file promises; `open` opens the same one again, as another process would. */
function smallFileContract(name: string, fresh: () => { open: () => SmallFile }): void {
  describe(name, () => {
    it('is absent until written, and outlives its opening', () => {
      const { open } = fresh();
      expect(open().read()).toBeNull();
      open().write('permitted');
      expect(open().read()).toBe('permitted');
    });

    it('is written over by longer and by shorter texts', () => {
      const { open } = fresh();
      for (const text of ['short', 'a much longer text: äöü €', 'x']) {
        open().write(text);
        expect(open().read()).toBe(text);
      }
    });

    it('is taken away, again and again, and comes back', () => {
      const { open } = fresh();
      open().remove();
      open().write('permitted');
      open().remove();
      open().remove();
      expect(open().read()).toBeNull();
      open().write('again');
      expect(open().read()).toBe('again');
    });
  });
}

smallFileContract('a small file in memory', () => {
  const store = { text: null };
  return { open: () => memoryFile({ store }) };
});

smallFileContract('a small file on the disk', () => {
  const path = freshPath();
  return { open: () => smallFile(path) };
});

describe('a small file on the disk', () => {
  it('keeps its size and its place, so that writing over it takes no room', () => {
    const path = freshPath();
    smallFile(path).write('permitted');
    const before = statSync(path);
    smallFile(path).write('€'.repeat(5_000));
    expect([statSync(path).size, statSync(path).ino]).toEqual([before.size, before.ino]);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('reads what a person wrote by hand', () => {
    const path = freshPath();
    writeFileSync(path, 'stop it\n');
    expect(smallFile(path).read()).toBe('stop it');
    smallFile(path).write('x');
    expect(readFileSync(path, 'utf8').trim()).toBe('x');
  });

  it('throws what the disk says where it can be neither read nor written nor removed', () => {
    const path = freshPath();
    mkdirSync(path);
    for (const act of [() => smallFile(path).read(), () => smallFile(path).write('x')])
      expect(act).toThrow(/EISDIR/);
    expect(() => smallFile(path).remove()).toThrow(/EISDIR|EPERM/);
    expect(() => smallFile(join(path, 'no', 'such')).write('x')).toThrow(/ENOENT/);
  });
});
