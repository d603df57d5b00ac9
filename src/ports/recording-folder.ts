/** A file that only grows. */
export interface GrowingFile {
  /** Adds bytes at the end. After a failure a part of them may be there. */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The folder of a recording. Names are plain file names. Every method rejects with RecordingError and nothing else. */
export interface RecordingFolder {
  /** For messages: where the folder is. */
  readonly path: string;
  /** The names of all files; empty if there is no folder. */
  names(): Promise<readonly string[]>;
  /** The present length in bytes; null if there is no such file. */
  size(name: string): Promise<number | null>;
  /** At most `length` bytes from `offset`: fewer at the end of the file, none if there is no such file. */
  read(name: string, offset: number, length: number): Promise<Uint8Array>;
  /** Makes a new, empty file. Rejects if the name is taken. */
  create(name: string): Promise<GrowingFile>;
  /** Writes a whole file, such that a reader sees either the old or the new text. */
  replace(name: string, text: string): Promise<void>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
}
