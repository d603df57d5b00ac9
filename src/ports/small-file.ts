/**
 * One small file by itself: a word that has to outlive the process, independent of the journal. Synchronous, so that
 * nothing slips between the word and the act. Failures are the disk's own errors.
 */
export interface SmallFile {
  /** The text, null while there is no file. Throws when it is there and cannot be read. */
  read(): string | null;
  /** Puts the text in place, over an earlier one without asking for more room. Durable on return. Throws. */
  write(text: string): void;
  /** Takes the file away, which needs no room on the disk; no file is fine. Durable on return. Throws. */
  remove(): void;
}
