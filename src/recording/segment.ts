import { RecordingError } from '../domain/errors.ts';
import type { RecordingFolder } from '../ports/recording-folder.ts';
import { type BlockHeader, type BlockRecords, HEADER_BYTES, headerIn, indexIn, recordsIn } from './block.ts';
import { type BlockIndex, FORMAT_VERSION, SEGMENT_MAGIC } from './format.ts';

/** A whole block of a segment; its records are read and decompressed only when they are asked for. */
export interface StoredBlock {
  readonly file: string;
  /** Where the block begins and ends in the file. */
  readonly offset: number;
  readonly end: number;
  readonly index: BlockIndex;
  /** Rejects with RecordingError if the records are damaged. */
  records(): Promise<BlockRecords>;
}

/** Bytes that cannot be read as a block. */
export interface Damage {
  readonly file: string;
  readonly offset: number;
  readonly what: string;
}

/** The unfinished block at the end of a segment that grows, or whose writer was killed. */
export interface TornBlock {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
}

export type SegmentPart =
  | { readonly kind: 'block'; readonly block: StoredBlock }
  | { readonly kind: 'torn'; readonly torn: TornBlock }
  | { readonly kind: 'damage'; readonly damage: Damage };

/** Bytes that are searched at a time for the next block behind a damaged header. */
const SEARCH_BYTES = 1 << 16;

/**
 * The blocks of a segment in order, up to `bytes` of the file; null: to its present end, where a torn block may follow. Behind
 * damage it goes on with the next whole block. Rejects with RecordingError if the file is not a segment of this version.
 */
export async function* segmentParts(
  folder: RecordingFolder,
  file: string,
  bytes: number | null,
): AsyncGenerator<SegmentPart, void, undefined> {
  const size = (await folder.size(file)) ?? 0;
  const end = Math.min(size, bytes ?? size);
  const isCut = bytes !== null && size < bytes;
  if (isCut)
    yield damageAt(file, size, `the file ends early: ${size} bytes, and the manifest states ${bytes}`);
  if (await beginsRight(folder, file, end))
    yield* blocksUpTo(folder, file, { end, isComplete: bytes !== null });
  else if (end > 0 && bytes === null) yield { kind: 'torn', torn: { file, offset: 0, bytes: end } };
}

async function* blocksUpTo(
  folder: RecordingFolder,
  file: string,
  { end, isComplete }: { readonly end: number; readonly isComplete: boolean },
): AsyncGenerator<SegmentPart, void, undefined> {
  let expected = 0;
  let offset = SEGMENT_MAGIC.length;
  while (offset < end) {
    const found = await blockAt(folder, file, offset, end);
    switch (found.kind) {
      case 'torn':
        return yield isComplete ? damageAt(file, offset, 'the last block is not whole') : found;
      case 'damage':
        yield found;
        expected += 1;
        offset = found.next ?? (await nextBlock(folder, file, offset + 1, end));
        break;
      case 'block': {
        const { index, end: next } = found.block;
        if (index.block !== expected)
          yield damageAt(file, offset, `block ${expected} is missing: block ${index.block} follows`);
        yield found;
        expected = index.block + 1;
        offset = next;
      }
    }
  }
}

const damageAt = (file: string, offset: number, what: string): SegmentPart => ({
  kind: 'damage',
  damage: { file, offset, what },
});

/** False if the file is too short to tell. */
async function beginsRight(folder: RecordingFolder, file: string, end: number): Promise<boolean> {
  const begin = await folder.read(file, 0, SEGMENT_MAGIC.length);
  const differs = begin.findIndex((byte, at) => byte !== SEGMENT_MAGIC[at]);
  if (differs === SEGMENT_MAGIC.length - 1)
    throw new RecordingError(
      `${folder.path}/${file} has version ${begin[differs]} of the format; this program reads version ${FORMAT_VERSION}`,
      { file, offset: differs },
    );
  if (differs !== -1)
    throw new RecordingError(
      `${folder.path}/${file} is not a segment of a recording, or its first bytes are damaged`,
      { file, offset: differs },
    );
  return end >= SEGMENT_MAGIC.length;
}

type FoundPart =
  | Exclude<SegmentPart, { readonly kind: 'damage' }>
  /** `next` is where the next block begins; null if the damage hides that. */
  | { readonly kind: 'damage'; readonly damage: Damage; readonly next: number | null };

async function blockAt(
  folder: RecordingFolder,
  file: string,
  offset: number,
  end: number,
): Promise<FoundPart> {
  const torn: FoundPart = { kind: 'torn', torn: { file, offset, bytes: end - offset } };
  if (offset + HEADER_BYTES > end) return torn;
  const header = headerIn(await folder.read(file, offset, HEADER_BYTES));
  if (header === null) {
    const what = 'the header of a block is damaged: wrong checksum';
    return { kind: 'damage', damage: { file, offset, what }, next: null };
  }
  const from = offset + HEADER_BYTES;
  const to = from + header.indexBytes + header.payloadBytes;
  if (to > end) return torn;
  try {
    const index = indexIn(await folder.read(file, from, header.indexBytes), header);
    const records = (): Promise<BlockRecords> =>
      recordsOf(folder, file, from + header.indexBytes, header, index);
    return { kind: 'block', block: { file, offset, end: to, index, records } };
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    return { kind: 'damage', damage: { file, offset, what: error.message }, next: to };
  }
}

async function recordsOf(
  folder: RecordingFolder,
  file: string,
  offset: number,
  header: BlockHeader,
  index: BlockIndex,
): Promise<BlockRecords> {
  const payload = await folder.read(file, offset, header.payloadBytes);
  try {
    return recordsIn(payload, header, index);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new RecordingError(
      `${folder.path}/${file}, block ${index.block} at byte ${offset}: ${error.message}`,
      { file, offset, block: index.block },
    );
  }
}

/** Where the next sound header begins, from `from` on; `end` if there is none. */
async function nextBlock(folder: RecordingFolder, file: string, from: number, end: number): Promise<number> {
  for (let at = from; at + HEADER_BYTES <= end; at += SEARCH_BYTES) {
    const bytes = await folder.read(file, at, Math.min(SEARCH_BYTES + HEADER_BYTES - 1, end - at));
    for (let i = 0; i + HEADER_BYTES <= bytes.length; i++)
      if (headerIn(bytes.subarray(i, i + HEADER_BYTES)) !== null) return at + i;
  }
  return end;
}
