import { RecordingError } from '../../src/domain/errors.ts';
import type { RecordingFolder } from '../../src/ports/recording-folder.ts';

/** A folder in memory whose bytes a test may change. */
export interface MemoryFolder extends RecordingFolder {
  readonly files: Map<string, Uint8Array>;
  /** The bytes that still fit. */
  room: number;
}

export function memoryFolder(): MemoryFolder {
  const files = new Map<string, Uint8Array>();
  const folder: MemoryFolder = {
    path: '/recording',
    files,
    room: Infinity,
    names: () => Promise.resolve([...files.keys()]),
    size: (name) => Promise.resolve(files.get(name)?.length ?? null),
    read: (name, offset, length) =>
      Promise.resolve((files.get(name) ?? new Uint8Array()).slice(offset, offset + length)),
    create(name) {
      if (files.has(name)) return Promise.reject(new RecordingError(`${name} exists`));
      files.set(name, new Uint8Array());
      return Promise.resolve({
        append(bytes) {
          const fits = bytes.subarray(0, folder.room);
          folder.room -= fits.length;
          files.set(name, Buffer.concat([files.get(name) ?? new Uint8Array(), fits]));
          return fits.length === bytes.length
            ? Promise.resolve()
            : Promise.reject(new RecordingError(`cannot write ${name}: no space left on device`));
        },
        close: () => Promise.resolve(),
      });
    },
    replace: (name, text) => Promise.resolve(void files.set(name, Buffer.from(text))),
    remove: (name) => Promise.resolve(void files.delete(name)),
  };
  return folder;
}
