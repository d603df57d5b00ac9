import { RecordingWriter, type SessionStart, type WriterOptions } from '../../recording/writer.ts';
import { diskFolder } from './disk-folder.ts';
import { lockFolder } from './folder-lock.ts';

/** A writer that has its folder alone until it is closed. */
export type LockedWriter = Pick<RecordingWriter, 'append' | 'begin' | 'close'>;

/** Begins a session in a folder on disk. Rejects with RecordingError, also if another process records there. */
export async function openWriter(
  path: string,
  session: SessionStart,
  options: WriterOptions,
): Promise<LockedWriter> {
  const folder = diskFolder(path);
  const release = lockFolder(folder.path);
  try {
    const writer = await RecordingWriter.open(folder, session, options);
    return {
      append: (records) => writer.append(records),
      begin: (next) => writer.begin(next),
      close: () => writer.close().finally(release),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The address without user, password, query and fragment, which may hold secrets. */
export function plainAddress(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
