/**
 * The pages of an SQLite database as a process sees them that opens it after a crash: the file, overlaid with the
 * committed frames of its write-ahead log. Written from SQLite's description of its file formats. Shares no code with
 * `src/storage`.
 */

/** A part of the file has an invalid form. */
export class Unsound extends Error {}

/** Nothing of the file can be read. */
export class Unreadable extends Unsound {}

export interface Pages {
  readonly size: number;
  readonly count: number;
  /** Pages are numbered from 1. Pages in neither file nor log are zeros. Throws Unsound for an invalid number. */
  page(number: number): Buffer;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
const LOG_VERSION = 3_007_000;

interface Log {
  readonly pageSize: number;
  readonly pages: ReadonlyMap<number, Buffer>;
  /** Pages of the database after the last commit. */
  readonly pageCount: number;
}

export function pagesOf(file: Buffer, wal: Buffer | null): Pages {
  const log = wal === null ? null : readLog(wal);
  const first = log?.pages.get(1) ?? file;
  const size = pageSizeIn(first);
  if (log !== null && log.pageSize !== size)
    throw new Unreadable('file and log have pages of different sizes');
  const count = log?.pageCount ?? countIn(file, size);
  const page = (number: number): Buffer => {
    if (number < 1 || number > count) throw new Unsound(`there is no page ${number}`);
    const found = log?.pages.get(number) ?? file.subarray((number - 1) * size, number * size);
    return found.length === size ? found : Buffer.concat([found, Buffer.alloc(size - found.length)]);
  };
  return { size, count, page };
}

/** The content that SQLite requires at the beginning of the first page. */
function pageSizeIn(first: Buffer): number {
  if (first.length < 100 || first.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new Unreadable('the file is no database');
  const stated = first.readUInt16BE(16);
  const size = stated === 1 ? 65_536 : stated;
  if (size < 512 || (size & (size - 1)) !== 0) throw new Unreadable('the size of its pages is none');
  const [read, reserved, ...fractions] = first.subarray(19, 24);
  if ((read ?? 0) > 2 || fractions.join() !== '64,32,32') throw new Unreadable('the header is damaged');
  const encoding = first.readUInt32BE(56) & 3;
  if (reserved !== 0 || first.readUInt32BE(44) > 4 || encoding > 1)
    throw new Unsound('a part of each page is reserved, or the schema is written in another way');
  return size;
}

function countIn(file: Buffer, size: number): number {
  const inFile = Math.ceil(file.length / size);
  const isStated = file.readUInt32BE(24) === file.readUInt32BE(92) && file.readUInt32BE(28) > 0;
  if (!isStated) return inFile;
  const stated = file.readUInt32BE(28);
  if (stated > inFile) throw new Unreadable('the file is shorter than it says');
  return stated;
}

/** Null for a log without a commit: then only the file counts. */
function readLog(wal: Buffer): Log | null {
  const header = headerOf(wal);
  if (header === null) return null;
  const frames: (readonly [number, Buffer])[] = [];
  let [committed, pageCount] = [0, 0];
  let sum: Sum = header.sum;
  const frameBytes = FRAME_HEADER_BYTES + header.pageSize;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    const [head, data] = [
      wal.subarray(at, at + FRAME_HEADER_BYTES),
      wal.subarray(at + FRAME_HEADER_BYTES, at + frameBytes),
    ];
    if (!head.subarray(8, 16).equals(header.salt) || head.readUInt32BE(0) === 0) break;
    sum = add(add(sum, head.subarray(0, 8), header.isBigEndian), data, header.isBigEndian);
    if (head.readUInt32BE(16) !== sum[0] || head.readUInt32BE(20) !== sum[1]) break;
    frames.push([head.readUInt32BE(0), data]);
    if (head.readUInt32BE(4) > 0) [committed, pageCount] = [frames.length, head.readUInt32BE(4)];
  }
  if (committed === 0) return null;
  return { pageSize: header.pageSize, pages: new Map(frames.slice(0, committed)), pageCount };
}

interface LogHeader {
  readonly isBigEndian: boolean;
  readonly pageSize: number;
  readonly salt: Buffer;
  readonly sum: Sum;
}

function headerOf(wal: Buffer): LogHeader | null {
  if (wal.length < HEADER_BYTES) return null;
  const magic = wal.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC) return null;
  const isBigEndian = (magic & 1) === 1;
  const sum = add([0, 0], wal.subarray(0, 24), isBigEndian);
  if (wal.readUInt32BE(24) !== sum[0] || wal.readUInt32BE(28) !== sum[1]) return null;
  if (wal.readUInt32BE(4) !== LOG_VERSION) return null;
  return { isBigEndian, pageSize: wal.readUInt32BE(8), salt: wal.subarray(16, 24), sum };
}

type Sum = readonly [number, number];

/** The log's running checksum over pairs of 32-bit words. */
function add([first, second]: Sum, data: Buffer, isBigEndian: boolean): Sum {
  let [a, b] = [first, second];
  for (let at = 0; at < data.length; at += 8) {
    const x = isBigEndian ? data.readUInt32BE(at) : data.readUInt32LE(at);
    const y = isBigEndian ? data.readUInt32BE(at + 4) : data.readUInt32LE(at + 4);
    a = (a + x + b) >>> 0;
    b = (b + y + a) >>> 0;
  }
  return [a, b];
}
