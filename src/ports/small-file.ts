/**
 * A small file that outlives the process, independent of the journal. Synchronous, so that nothing can run between the
 * write and the act that it permits or forbids. Failures are the disk's own errors.
 */
export interface SmallFile {
  /** The text; null while there is no file. Throws when the file exists and cannot be read. */
  read(): string | null;
  /** Writes the text. Replacing an earlier text needs no more room on the disk. Durable on return. Throws on failure. */
  write(text: string): void;
  /** Removes the file, which needs no room on the disk. No file is fine. Durable on return. Throws on failure. */
  remove(): void;
}
