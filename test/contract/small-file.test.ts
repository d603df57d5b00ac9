import fs, {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { smallFile } from '../../src/app/adapters/small-file.ts';
import type { SmallFile } from '../../src/ports/small-file.ts';
import { memoryFile } from '../../src/storage/files/memory-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-small-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const freshPath = (): string => join(folder, `${files++}`);

/** The contract of every small file. `open` opens the same file again, as another process would. */
function smallFileContract(name: string, fresh: () => { open: () => SmallFile }): void {
  describe(name, () => {
    it('is absent until written, and keeps its text for later openings', () => {
      const { open } = fresh();
      expect(open().read()).toBeNull();
      open().write('permitted');
      expect(open().read()).toBe('permitted');
    });

    it('is overwritten by longer and by shorter texts', () => {
      const { open } = fresh();
      for (const text of ['short', 'a much longer text: äöü €', 'x']) {
        open().write(text);
        expect(open().read()).toBe(text);
      }
    });

    it('can be removed, also when it is absent, and written again', () => {
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
  it('keeps its size and its place, so that overwriting it takes no room', () => {
    const path = freshPath();
    smallFile(path).write('permitted');
    const before = statSync(path);
    smallFile(path).write('€'.repeat(5_000));
    expect([statSync(path).size, statSync(path).ino]).toEqual([before.size, before.ino]);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('reads text that a person wrote', () => {
    const path = freshPath();
    writeFileSync(path, 'stop it\n');
    expect(smallFile(path).read()).toBe('stop it');
    smallFile(path).write('x');
    expect(readFileSync(path, 'utf8').trim()).toBe('x');
  });

  it.runIf(process.platform === 'linux')('reads one block of a file that has no end', () => {
    const path = freshPath();
    symlinkSync('/dev/zero', path);
    expect(smallFile(path).read()).toHaveLength(4_096);
  });

  it.runIf(process.platform !== 'win32')('is readable only by its owner, whatever the umask', () => {
    const before = process.umask(0o777);
    try {
      for (const umask of [0o777, 0o000]) {
        process.umask(umask);
        const path = freshPath();
        smallFile(path).write('permitted');
        expect(statSync(path).mode & 0o777).toBe(0o600);
      }
    } finally {
      process.umask(before);
    }
  });

  it('throws the error of the disk where it can be neither read nor written nor removed', () => {
    const path = freshPath();
    mkdirSync(path);
    for (const act of [() => smallFile(path).read(), () => smallFile(path).write('x')])
      expect(act).toThrow(/EISDIR/);
    expect(() => smallFile(path).remove()).toThrow(/EISDIR|EPERM/);
    expect(() => smallFile(join(path, 'no', 'such')).write('x')).toThrow(/ENOENT/);
  });
});

/** No user on this machine has this id. Only root can give files away. */
const [UID, GID] = [4_321, 5_432];

describe.runIf(process.getuid?.() === 0)('a small file that root creates', () => {
  const ownerOf = (path: string): readonly number[] => [statSync(path).uid, statSync(path).gid];
  const given = (path: string): string => {
    chownSync(path, UID, GID);
    return path;
  };

  it('belongs to the owner of its folder: a daemon without rights can read it', () => {
    const path = join(given(mkdtempSync(join(folder, 'x-'))), 'word');
    smallFile(path).write('permitted');
    expect(ownerOf(path)).toEqual([UID, GID]);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('belongs to the owner of another file, where that is named and exists', () => {
    const like = freshPath();
    const [early, late] = [freshPath(), freshPath()];
    smallFile(early, like).write('permitted');
    writeFileSync(like, '');
    given(like);
    smallFile(late, like).write('permitted');
    expect([ownerOf(early), ownerOf(late)]).toEqual([
      [0, 0],
      [UID, GID],
    ]);
  });

  it('keeps its owner when it exists already', () => {
    const path = freshPath();
    smallFile(path).write('permitted');
    given(path);
    smallFile(path).write('stop it');
    expect(ownerOf(path)).toEqual([UID, GID]);
  });
});

describe.runIf(process.platform !== 'win32')('a file on disk', () => {
  it('makes each text durable, and its name at the first write and the removal, whoever made the file', () => {
    const path = freshPath();
    const synced: string[] = [];
    const real = fs.fsyncSync;
    const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      synced.push(fs.fstatSync(file).isDirectory() ? 'folder' : 'file');
      real(file);
    });
    // Named imports of the module follow only then.
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    const during = (work: () => void): readonly string[] => {
      synced.length = 0;
      work();
      return [...synced];
    };
    const [file, another] = [smallFile(path), smallFile(path)];
    expect(during(() => file.write('a'))).toEqual(['file', 'folder']);
    expect(during(() => file.write('b'))).toEqual(['file']);
    // The process that made the name may have died before it was durable.
    expect(during(() => another.write('c'))).toEqual(['file', 'folder']);
    expect(during(() => another.write('d'))).toEqual(['file']);
    expect(during(() => file.remove())).toEqual(['folder']);
    expect(during(() => another.write('e'))).toEqual(['file', 'folder']);
  });
});
