/**
 * A block: the unit that is compressed, written and read. It stands alone, so a reader can begin at any block, and one that
 * is torn or damaged costs only its own records.
 *
 *     header   28 bytes: magic, length of the index, length of the payload, length of the payload before compression,
 *              CRC-32 of the index, CRC-32 of the payload, CRC-32 of the 24 bytes before
 *     index    JSON in UTF-8 (BlockIndex)
 *     payload  one zstd frame: the records, column by column
 *
 * All numbers are little-endian and unsigned. The checksum of the header comes before its lengths are believed: a flipped bit in a
 * length is damage, and never looks like a block that is still being written.
 */
import { constants, crc32, createZstdCompress, zstdDecompressSync } from 'node:zlib';
import { foreignJson } from '../lib/foreign-text.ts';
import { RecordingError } from '../domain/errors.ts';
import { reasonOf } from '../lib/reason.ts';
import { type BlockIndex, kindOf, RECORD_KINDS, type RecordingRecord } from './format.ts';

export const HEADER_BYTES = 28;

/** `TLRB` */
const BLOCK_MAGIC = 0x42524c54;
/** A block holds at least one record, whatever its size; frames of the exchange are far smaller. */
const MOST_RAW_BYTES = 1 << 28;

/** A compressed block mostly fits. Node's 16 KB would bring the compressor back to the main thread for each of them. */
const OUTPUT_BYTES = 1 << 18;

/**
 * Compresses one block after another, on another thread. One for all blocks: what a compressor of each block had taken would be free
 * only after a collection of the whole heap, and the memory of blocks would bring these about.
 */
export class Compressor {
  readonly #stream = createZstdCompress({ chunkSize: OUTPUT_BYTES });
  readonly #parts: Buffer[] = [];
  #failed: (error: Error) => void = () => undefined;

  constructor() {
    this.#stream.on('error', (error) => this.#failed(error));
    this.#stream.on('readable', () => this.#take());
  }

  /** The bytes as one zstd frame. Equal bytes give an equal one. One call at a time. */
  async compress(raw: Uint8Array): Promise<Buffer> {
    const whole = Promise.withResolvers<void>();
    this.#failed = whole.reject;
    this.#stream.write(raw, (error) => error && whole.reject(error));
    this.#stream.flush(constants.ZSTD_e_end, whole.resolve);
    await whole.promise;
    this.#take();
    return Buffer.concat(this.#parts.splice(0));
  }

  close(): void {
    this.#stream.destroy();
  }

  #take(): void {
    for (let part = this.#part(); part !== null; part = this.#part()) this.#parts.push(part);
  }

  readonly #part = (): Buffer | null => this.#stream.read() as Buffer | null;
}

/** The lengths and checksums of a block. */
export interface BlockHeader {
  readonly indexBytes: number;
  readonly payloadBytes: number;
  readonly rawBytes: number;
  readonly indexSum: number;
  readonly payloadSum: number;
}

/** Encodes records, at least one, as a block. Equal arguments give equal bytes. */
export async function encodeBlock(
  index: BlockIndex,
  records: readonly RecordingRecord[],
  compressor: Pick<Compressor, 'compress'>,
): Promise<Uint8Array> {
  const raw = columnsOf(index, records);
  const payload = await compressor.compress(raw);
  const indexText = Buffer.from(JSON.stringify(index), 'utf8');
  const header = Buffer.alloc(HEADER_BYTES);
  [BLOCK_MAGIC, indexText.length, payload.length, raw.length, crc32(indexText), crc32(payload)].forEach(
    (word, at) => header.writeUInt32LE(word, 4 * at),
  );
  header.writeUInt32LE(crc32(header.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  return Buffer.concat([header, indexText, payload]);
}

/** The index of a block that will hold these records, at least one. */
export function indexOf(
  records: readonly RecordingRecord[],
  { block, session }: Pick<BlockIndex, 'block' | 'session'>,
): BlockIndex {
  const kinds: Partial<Record<string, number>> = {};
  const events = new Set<string>();
  const [wall, monotonic] = [new Span(), new Span()];
  let [general, dropped] = [0, 0];
  for (const record of records) {
    kinds[record.kind] = (kinds[record.kind] ?? 0) + 1;
    if (record.events.length === 0) general += 1;
    if (record.kind === 'gap') dropped += droppedIn(record);
    for (const event of record.events) events.add(event);
    wall.add(record.wallMs);
    monotonic.add(record.monotonicMs);
  }
  return {
    block,
    session,
    records: records.length,
    kinds,
    general,
    dropped,
    firstWallMs: wall.least,
    lastWallMs: wall.greatest,
    firstMonotonicMs: monotonic.least,
    lastMonotonicMs: monotonic.greatest,
    events: [...events],
  };
}

class Span {
  least = Infinity;
  greatest = -Infinity;

  add(value: number): void {
    if (value < this.least) this.least = value;
    if (value > this.greatest) this.greatest = value;
  }
}

/** The number that a gap record counts; 0 if its payload is not one of ours. */
function droppedIn({ payload }: RecordingRecord): number {
  try {
    const { dropped } = foreignJson(Buffer.from(payload).toString('utf8')) as { readonly dropped?: unknown };
    return typeof dropped === 'number' && dropped > 0 ? dropped : 0;
  } catch {
    return 0;
  }
}

/** Reads the header in the first bytes. Null if they are not the header of a block, or if it is damaged. */
export function headerIn(bytes: Uint8Array): BlockHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const word = (at: number): number => view.getUint32(4 * at, true);
  if (word(0) !== BLOCK_MAGIC || word(6) !== crc32(bytes.subarray(0, HEADER_BYTES - 4))) return null;
  return {
    indexBytes: word(1),
    payloadBytes: word(2),
    rawBytes: word(3),
    indexSum: word(4),
    payloadSum: word(5),
  };
}

/** Throws RecordingError if the bytes are damaged. */
export function indexIn(bytes: Uint8Array, header: BlockHeader): BlockIndex {
  if (crc32(bytes) !== header.indexSum)
    throw new RecordingError('the index of a block is damaged: wrong checksum');
  try {
    return foreignJson(Buffer.from(bytes).toString('utf8')) as BlockIndex;
  } catch (error) {
    throw new RecordingError(`the index of a block cannot be read: ${reasonOf(error)}`, {}, error);
  }
}

/** The records of a block. */
export interface BlockRecords {
  readonly records: readonly RecordingRecord[];
  /** Records of kinds that this program does not know, which were left out. */
  readonly unknown: number;
}

/** Decodes the compressed payload of a block. Throws RecordingError if it is damaged. */
export function recordsIn(payload: Uint8Array, header: BlockHeader, index: BlockIndex): BlockRecords {
  if (crc32(payload) !== header.payloadSum)
    throw new RecordingError('the records of a block are damaged: wrong checksum');
  return rowsIn(decompressed(payload, header.rawBytes), index);
}

function decompressed(payload: Uint8Array, rawBytes: number): Buffer {
  let raw: Buffer;
  try {
    raw = zstdDecompressSync(payload, { maxOutputLength: Math.min(MOST_RAW_BYTES, Math.max(1, rawBytes)) });
  } catch (error) {
    throw new RecordingError(`the records of a block cannot be decompressed: ${reasonOf(error)}`, {}, error);
  }
  if (raw.length !== rawBytes)
    throw new RecordingError('the records of a block have another length than stated');
  return raw;
}

/** Bytes of a record in the columns, without its events and payload. */
const ROW_BYTES = 8 + 8 + 4 + 4 + 4 + 1;

/**
 * The columns: number of records, number of references, then monotonic times, wall times, channels, lengths of payloads, numbers
 * of references, references (positions in the index's list of events), kinds, payloads.
 */
function columnsOf(index: BlockIndex, records: readonly RecordingRecord[]): Buffer {
  const places = new Map(index.events.map((event, at) => [event, at]));
  const count = records.length;
  const references = records.reduce((sum, { events }) => sum + events.length, 0);
  const payloads = records.reduce((sum, { payload }) => sum + payload.length, 0);
  const raw = Buffer.allocUnsafeSlow(8 + count * ROW_BYTES + references * 4 + payloads);
  raw.writeUInt32LE(count, 0);
  raw.writeUInt32LE(references, 4);
  const at = columnsAt(count, references);
  let [reference, place] = [at.references, at.payloads];
  records.forEach((record, row) => {
    raw.writeDoubleLE(record.monotonicMs, at.monotonic + 8 * row);
    raw.writeDoubleLE(record.wallMs, at.wall + 8 * row);
    raw.writeUInt32LE(record.channel, at.channels + 4 * row);
    raw.writeUInt32LE(record.payload.length, at.lengths + 4 * row);
    raw.writeUInt32LE(record.events.length, at.counts + 4 * row);
    for (const event of record.events) reference = raw.writeUInt32LE(places.get(event) ?? 0, reference);
    raw.writeUInt8(RECORD_KINDS[record.kind], at.kinds + row);
    raw.set(record.payload, place);
    place += record.payload.length;
  });
  return raw;
}

/** The offset of each column. */
function columnsAt(count: number, referenceCount: number) {
  const monotonic = 8;
  const wall = monotonic + 8 * count;
  const channels = wall + 8 * count;
  const lengths = channels + 4 * count;
  const counts = lengths + 4 * count;
  const references = counts + 4 * count;
  const kinds = references + 4 * referenceCount;
  return { monotonic, wall, channels, lengths, counts, references, kinds, payloads: kinds + count };
}

function rowsIn(raw: Buffer, { events }: BlockIndex): BlockRecords {
  if (raw.length < 8) throw malformed();
  const [count, referenceCount] = [raw.readUInt32LE(0), raw.readUInt32LE(4)];
  const at = columnsAt(count, referenceCount);
  if (raw.length < at.payloads) throw malformed();
  const records: RecordingRecord[] = [];
  let [reference, place, unknown] = [at.references, at.payloads, 0];
  for (let row = 0; row < count; row++) {
    const length = raw.readUInt32LE(at.lengths + 4 * row);
    const named = raw.readUInt32LE(at.counts + 4 * row);
    if (place + length > raw.length || reference + 4 * named > at.kinds) throw malformed();
    const ids = Array.from({ length: named }, (_, i) => events[raw.readUInt32LE(reference + 4 * i)]);
    if (ids.includes(undefined)) throw malformed();
    const kind = kindOf(raw.readUInt8(at.kinds + row));
    if (kind === null) unknown += 1;
    else
      records.push({
        kind,
        wallMs: raw.readDoubleLE(at.wall + 8 * row),
        monotonicMs: raw.readDoubleLE(at.monotonic + 8 * row),
        channel: raw.readUInt32LE(at.channels + 4 * row),
        events: ids as string[],
        payload: raw.subarray(place, place + length),
      });
    place += length;
    reference += 4 * named;
  }
  if (place !== raw.length) throw malformed();
  return { records, unknown };
}

const malformed = (): RecordingError =>
  new RecordingError('the records of a block do not have the form that docs/recording.md describes');
