import { createHash } from 'node:crypto';
import { RecordingError } from '../domain/errors.ts';
import type { GrowingFile, RecordingFolder } from '../ports/recording-folder.ts';
import { Compressor, encodeBlock, indexOf } from './block.ts';
import { type RecordingRecord, SEGMENT_MAGIC, segmentName, segmentNumber } from './format.ts';
import {
  emptyManifest,
  type Manifest,
  readManifest,
  type SegmentEntry,
  type SessionEntry,
  Summing,
  writeManifest,
} from './manifest.ts';
import { segmentParts } from './segment.ts';

export type SessionStart = Omit<SessionEntry, 'session'>;

export interface WriterOptions {
  /** The segments of the recording may take so many bytes, those of earlier sessions included; null: any number. */
  readonly maxBytes: number | null;
  /** A segment that has so many bytes is complete. Default: 64 MiB, or an eighth of `maxBytes` if that is less. */
  readonly segmentBytes?: number;
  /** A segment that spans so much monotonic time is complete. Default: an hour. */
  readonly segmentMs?: number;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;
const SEGMENT_MS = 3_600_000;

/** A segment that is being written. */
interface OpenSegment {
  readonly name: string;
  readonly file: GrowingFile;
  readonly hash: ReturnType<typeof createHash>;
  readonly summing: Summing;
  bytes: number;
  blocks: number;
  /** Monotonic. */
  sinceMs: number | null;
}

/**
 * Writes a session into a recording, new or with earlier sessions. Each call of `append` writes one block. One call at a time. Every
 * method rejects with RecordingError if the folder fails; the recording then keeps what was written, and this writer is of no
 * further use. Only one writer may have a folder at a time: the caller sees to that.
 */
export class RecordingWriter {
  readonly #folder: RecordingFolder;
  readonly #maxBytes: number | null;
  readonly #segmentBytes: number;
  readonly #segmentMs: number;
  readonly #compressor = new Compressor();
  #manifest: Manifest;
  #session: number;
  #next: number;
  #open: OpenSegment | null = null;

  private constructor(folder: RecordingFolder, options: WriterOptions, manifest: Manifest, next: number) {
    const { maxBytes, segmentMs = SEGMENT_MS } = options;
    const share = maxBytes === null ? SEGMENT_BYTES : Math.min(SEGMENT_BYTES, Math.floor(maxBytes / 8));
    this.#segmentBytes = options.segmentBytes ?? share;
    [this.#folder, this.#maxBytes, this.#segmentMs] = [folder, maxBytes, segmentMs];
    [this.#manifest, this.#next] = [manifest, next];
    this.#session = manifest.sessions.length;
  }

  /** Begins a session. Completes the segment of a session that was killed. */
  static async open(
    folder: RecordingFolder,
    session: SessionStart,
    options: WriterOptions,
  ): Promise<RecordingWriter> {
    const earlier = await completed(folder, (await readManifest(folder)) ?? (await newManifest(folder)));
    const numbers = (await folder.names()).map((name) => segmentNumber(name) ?? 0);
    const next = 1 + Math.max(earlier.deletedThrough, ...numbers);
    const writer = new RecordingWriter(folder, options, earlier, next);
    await writer.begin(session);
    return writer;
  }

  /** Begins the next session. */
  async begin(session: SessionStart): Promise<void> {
    await this.#complete();
    this.#session = this.#manifest.sessions.length + 1;
    const sessions = [...this.#manifest.sessions, { session: this.#session, ...session }];
    await this.#note({ ...this.#manifest, sessions });
  }

  /** Writes the records as one block. Does nothing without records. */
  async append(records: readonly RecordingRecord[]): Promise<void> {
    if (records.length === 0) return;
    const open = (this.#open ??= await this.#newSegment());
    const index = indexOf(records, { block: open.blocks, session: this.#session });
    const bytes = await encodeBlock(index, records, this.#compressor);
    await this.#add(open, bytes);
    open.blocks += 1;
    open.summing.addBlock(index);
    open.sinceMs ??= index.firstMonotonicMs;
    const isLong = index.lastMonotonicMs - open.sinceMs >= this.#segmentMs;
    if (open.bytes >= this.#segmentBytes || isLong) await this.#complete();
  }

  /** Completes the last segment. */
  async close(): Promise<void> {
    this.#compressor.close();
    await this.#complete();
  }

  async #newSegment(): Promise<OpenSegment> {
    const name = segmentName(this.#next++);
    const file = await this.#folder.create(name);
    const summing = new Summing();
    const open: OpenSegment = {
      name,
      file,
      summing,
      hash: createHash('sha256'),
      bytes: 0,
      blocks: 0,
      sinceMs: null,
    };
    await this.#add(open, SEGMENT_MAGIC);
    return open;
  }

  async #add(open: OpenSegment, bytes: Uint8Array): Promise<void> {
    await open.file.append(bytes);
    open.hash.update(bytes);
    open.bytes += bytes.length;
  }

  async #complete(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    await open.file.close();
    const { name: file, bytes, hash, summing } = open;
    const sums = { bytes, tornBytes: 0, sha256: hash.digest('hex') };
    const segment = { file, session: this.#session, ...sums, ...summing.summary };
    await this.#note({ ...this.#manifest, segments: [...this.#manifest.segments, segment] });
    await this.#makeRoom();
  }

  /** Deletes the oldest segments. The next one will need room, too. */
  async #makeRoom(): Promise<void> {
    if (this.#maxBytes === null) return;
    const { segments } = this.#manifest;
    let excess = segments.reduce((sum, { bytes }) => sum + bytes, this.#segmentBytes) - this.#maxBytes;
    let surplus = 0;
    while (excess > 0 && surplus < segments.length) excess -= segments[surplus++]?.bytes ?? 0;
    if (surplus === 0) return;
    const deleted = segments.slice(0, surplus);
    // The manifest comes first: a reader takes a missing segment for damage, unless the manifest says that it was deleted.
    await this.#note({
      ...this.#manifest,
      segments: segments.slice(surplus),
      deletedThrough: segmentNumber(deleted.at(-1)?.file ?? '') ?? this.#manifest.deletedThrough,
      deletedRecords: deleted.reduce((sum, { records }) => sum + records, this.#manifest.deletedRecords),
    });
    for (const { file } of deleted) await this.#folder.remove(file);
  }

  async #note(manifest: Manifest): Promise<void> {
    await writeManifest(this.#folder, manifest);
    this.#manifest = manifest;
  }
}

/** Rejects with RecordingError if the folder has other files: a recording gets a folder of its own. */
async function newManifest(folder: RecordingFolder): Promise<Manifest> {
  const names = (await folder.names()).filter((name) => !name.startsWith('.'));
  if (names.length === 0) return emptyManifest();
  throw new RecordingError(
    `${folder.path} is neither empty nor a recording (it has ${names[0]}): name a new folder, or an empty one`,
    { path: folder.path },
  );
}

/** The manifest with an entry for each segment that a killed writer left, as far as its blocks are whole. */
async function completed(folder: RecordingFolder, manifest: Manifest): Promise<Manifest> {
  const known = new Set(manifest.segments.map(({ file }) => file));
  const left = (await folder.names())
    .filter((name) => (segmentNumber(name) ?? 0) > manifest.deletedThrough && !known.has(name))
    .sort();
  const segments = [...manifest.segments];
  for (const file of left) segments.push(await entryOf(folder, file, manifest.sessions.length));
  for (const name of await folder.names()) {
    const number = segmentNumber(name);
    if (number !== null && number <= manifest.deletedThrough) await folder.remove(name);
  }
  return { ...manifest, segments };
}

/** What follows the last whole block counts as torn: also the zeros that a power failure may leave there. */
async function entryOf(folder: RecordingFolder, file: string, lastSession: number): Promise<SegmentEntry> {
  const summing = new Summing();
  const size = (await folder.size(file)) ?? 0;
  let bytes = size < SEGMENT_MAGIC.length ? 0 : SEGMENT_MAGIC.length;
  let session = lastSession;
  for await (const part of segmentParts(folder, file, null)) {
    if (part.kind !== 'block') continue;
    const { index, end } = part.block;
    summing.addBlock(index);
    [bytes, session] = [end, index.session];
  }
  const hash = createHash('sha256');
  const step = 1 << 20;
  for (let at = 0; at < bytes; at += step)
    hash.update(await folder.read(file, at, Math.min(step, bytes - at)));
  const sums = { bytes, tornBytes: size - bytes, sha256: hash.digest('hex') };
  return { file, session, ...sums, ...summing.summary };
}
