import { type FileHandle, open, stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import {
  defer,
  exhaustMap,
  finalize,
  from,
  mergeMap,
  type Observable,
  type SchedulerLike,
  timer,
} from 'rxjs';

const LOOK_EVERY_MS = 200;
const CHUNK_BYTES = 64 * 1024;
/** Read at one look, so that a large file does not hold up the daemon; the next look reads on. */
const MOST_CHUNKS = 16;
const LONGEST_LINE = 64 * 1024;

/**
 * The lines that are added to a file from now on. The file may be missing, replaced or emptied at any time; it is then read from
 * its beginning. Lines of more than 64 KiB are left out. Fails if the file cannot be read for another reason than its absence.
 */
export function addedLines(path: string, scheduler: SchedulerLike): Observable<string> {
  return defer(() => {
    const tail = new Tail(path);
    return timer(0, LOOK_EVERY_MS, scheduler).pipe(
      exhaustMap(() => from(tail.look())),
      mergeMap((lines) => lines),
      finalize(() => void tail.close()),
    );
  });
}

/** Reads what is added to a file, one look after the other. */
export class Tail {
  readonly #path: string;
  #file: FileHandle | null = null;
  #inode = 0;
  #offset = 0;
  /** The beginning of a line whose end was not written yet; null while the rest of a line is left out. */
  #rest: string | null = '';
  #decoder = new StringDecoder('utf8');
  #isFirstLook = true;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines that were completed since the last look; the first look finds none. Call it once at a time. */
  async look(): Promise<readonly string[]> {
    const lines: string[] = [];
    const found = await stat(this.#path).catch(unlessAbsent);
    // The rest of a replaced file comes first.
    if (this.#file !== null && found?.ino !== this.#inode) await this.#leave(lines);
    if (this.#file === null && found !== null) await this.#enter(this.#isFirstLook);
    this.#isFirstLook = false;
    if (this.#file !== null) await this.#read(this.#file, lines);
    if (this.#isClosed) await this.close();
    return lines;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #leave(lines: string[]): Promise<void> {
    const file = this.#file as FileHandle;
    await this.#read(file, lines);
    this.#file = null;
    await file.close();
  }

  /** What stands in the file before the first look is of unknown age. */
  async #enter(skipsContent: boolean): Promise<void> {
    const file = await open(this.#path, 'r').catch(unlessAbsent);
    if (file === null) return;
    const { ino, size } = await file.stat();
    [this.#file, this.#inode] = [file, ino];
    this.#begin();
    if (!skipsContent || size === 0) return;
    this.#offset = size;
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, this.#offset - 1);
    if (buffer[0] !== NEWLINE) this.#rest = null;
  }

  #begin(): void {
    this.#offset = 0;
    this.#rest = '';
    this.#decoder = new StringDecoder('utf8');
  }

  async #read(file: FileHandle, lines: string[]): Promise<void> {
    const { size } = await file.stat();
    if (size < this.#offset) this.#begin();
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let count = 0; count < MOST_CHUNKS; count++) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      this.#take(this.#decoder.write(chunk.subarray(0, bytesRead)), lines);
    }
  }

  #take(text: string, lines: string[]): void {
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      if (this.#rest !== null)
        this.#rest = this.#rest.length + part.length > LONGEST_LINE ? null : this.#rest + part;
      if (index === parts.length - 1) return;
      if (this.#rest !== null && this.#rest.trim() !== '') lines.push(this.#rest.replace(/\r$/, ''));
      this.#rest = '';
    }
  }
}

const NEWLINE = 10;

function unlessAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
