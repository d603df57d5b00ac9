import type { SmallFile } from '../../ports/small-file.ts';

/** The content of the disk. It outlives the file objects, as a disk outlives processes. */
export interface MemoryFileStore {
  text: string | null;
}

export interface MemoryFileOptions {
  readonly store?: MemoryFileStore;
  /** Called before each act. An error thrown here counts as an error of the disk and leaves the file as it is. */
  readonly before?: (act: 'write' | 'remove') => void;
}

/** A small file in memory, for simulation and tests. */
export function memoryFile(options: MemoryFileOptions = {}): SmallFile {
  const store = options.store ?? { text: null };
  return {
    read: () => store.text,
    write: (text) => {
      options.before?.('write');
      store.text = text;
    },
    remove: () => {
      options.before?.('remove');
      store.text = null;
    },
  };
}
