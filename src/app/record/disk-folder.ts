import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { RecordingError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { GrowingFile, RecordingFolder } from '../../ports/recording-folder.ts';

/** Orders and fills are nobody else's business. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The folder of a recording on disk; made when the first file is. All work happens off the main thread. */
export function diskFolder(given: string): RecordingFolder {
  const path = resolve(given);
  const at = (name: string): string => join(path, name);
  return {
    path,
    names: () => trying(path, 'cannot list', async () => (await unlessAbsent(readdir(path))) ?? []),
    size: (name) =>
      trying(at(name), 'cannot examine', async () => (await unlessAbsent(stat(at(name))))?.size ?? null),
    read: (name, offset, length) => trying(at(name), 'cannot read', () => readPart(at(name), offset, length)),
    create: (name) =>
      trying(at(name), 'cannot create', async () => {
        await mkdir(path, { recursive: true, mode: FOLDER_MODE });
        return growing(at(name), await open(at(name), 'ax', FILE_MODE));
      }),
    replace: (name, text) =>
      trying(at(name), 'cannot write', async () => {
        await mkdir(path, { recursive: true, mode: FOLDER_MODE });
        const draft = at(`.${name}.new`);
        await writeFile(draft, text, { mode: FILE_MODE, flush: true });
        await chmod(draft, FILE_MODE);
        await rename(draft, at(name));
      }),
    remove: (name) => trying(at(name), 'cannot delete', () => rm(at(name), { force: true })),
  };
}

type Handle = Awaited<ReturnType<typeof open>>;

const growing = (path: string, file: Handle): GrowingFile => ({
  append: (bytes) =>
    trying(path, 'cannot write', async () => {
      let written = 0;
      while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
    }),
  close: () => trying(path, 'cannot close', () => file.close()),
});

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await unlessAbsent(open(path, 'r'));
  if (file === null) return new Uint8Array();
  try {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function trying<T>(file: string, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new RecordingError(`${what} ${file}: ${reasonOf(error)}`, { file }, error);
  }
}
