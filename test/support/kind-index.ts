import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A page of a closed journal's index over kinds, where it lies in the file. */
export interface IndexPage {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** The pages of the index, its root first. */
export function indexPages(path: string): readonly IndexPage[] {
  const db = new DatabaseSync(path);
  const root = Number(
    db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'journal_by_kind'").get()?.['rootpage'],
  );
  const size = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
  db.close();
  const file = readFileSync(path);
  const page = (number: number): IndexPage => {
    const offset = (number - 1) * size;
    return { offset, bytes: file.subarray(offset, offset + size) };
  };
  return [page(root), ...childrenOf(page(root).bytes).map(page)];
}

/** Pages below one of the file format's kind 2, an index's interior. */
function childrenOf(bytes: Buffer): readonly number[] {
  if (bytes[0] !== 2) return [];
  const cells = Array.from({ length: bytes.readUInt16BE(3) }, (_, at) => bytes.readUInt16BE(12 + 2 * at));
  return [...cells.map((cell) => bytes.readUInt32BE(cell)), bytes.readUInt32BE(8)];
}

/** The offset in the file at which the index points to a record of a kind. Entries fill a page from its end. */
export function entryAt(path: string, kind: string, which: 'first' | 'last'): number {
  for (const { offset, bytes } of indexPages(path)) {
    const at = which === 'last' ? bytes.indexOf(kind) : bytes.lastIndexOf(kind);
    if (at >= 0) return offset + at;
  }
  throw new Error(`the index tells of no ${kind}`);
}

/** Flips one bit of a file, as a bad block of the disk would. A second flip restores it. */
export function flipBit(path: string, offset: number, bit = 0): void {
  const file = openSync(path, 'r+');
  const byte = readFileSync(path)[offset] as number;
  writeSync(file, Buffer.of(byte ^ (1 << bit)), 0, 1, offset);
  closeSync(file);
}
