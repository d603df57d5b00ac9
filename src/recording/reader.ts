import { RecordingError } from '../domain/errors.ts';
import type { RecordingFolder } from '../ports/recording-folder.ts';
import { type RecordingRecord, type RecordKind, segmentNumber } from './format.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { type Damage, segmentParts, type SegmentPart, type StoredBlock, type TornBlock } from './segment.ts';

/** The wanted records; each filter that is absent lets all through. */
export interface RecordQuery {
  /** Wall-clock milliseconds: from then on, and before `toWallMs`. */
  readonly fromWallMs?: number;
  readonly toWallMs?: number;
  /** Event ids: records that name at least one of them. */
  readonly events?: readonly string[];
  /** With `events`: whether records that name no event, such as connections and gaps, are wanted, too. Default: no. */
  readonly general?: boolean;
  readonly kinds?: readonly RecordKind[];
  readonly sessions?: readonly number[];
}

/** The records of a block that match a query. */
export interface ReadBlock {
  readonly block: StoredBlock;
  readonly records: readonly RecordingRecord[];
}

/** What a reading met, beside records. Complete when the reading has ended. */
export interface ReadingNotes {
  /** The unfinished block at the end of the recording; null if there is none. */
  torn: TornBlock | null;
  /** Records of kinds that this program does not know. */
  unknown: number;
}

export interface ReadingOptions {
  /** Called for damage; the reading then goes on behind it. Default: the reading rejects with RecordingError. */
  readonly onDamage?: (damage: Damage) => void;
}

/** A segment of a recording. */
interface ListedSegment {
  readonly file: string;
  /** Null while it is not complete. */
  readonly bytes: number | null;
}

/** Reads a recording, also while it grows. */
export class RecordingReader {
  readonly manifest: Manifest;
  readonly #folder: RecordingFolder;
  readonly #notes: ReadingNotes = { torn: null, unknown: 0 };

  private constructor(folder: RecordingFolder, manifest: Manifest) {
    [this.#folder, this.manifest] = [folder, manifest];
  }

  /** Rejects with RecordingError if the folder has no manifest that this program can read. */
  static async open(folder: RecordingFolder): Promise<RecordingReader> {
    const manifest = await readManifest(folder);
    if (manifest !== null) return new RecordingReader(folder, manifest);
    throw new RecordingError(`${folder.path} is not a recording: it has no manifest.json`, {
      path: folder.path,
    });
  }

  get notes(): Readonly<ReadingNotes> {
    return this.#notes;
  }

  /** The segments in order, those that are not complete included. */
  async segments(): Promise<readonly ListedSegment[]> {
    const { segments, deletedThrough } = this.manifest;
    const listed = new Map<string, number | null>(segments.map(({ file, bytes }) => [file, bytes]));
    for (const name of await this.#folder.names()) {
      const number = segmentNumber(name);
      if (number !== null && number > deletedThrough && !listed.has(name)) listed.set(name, null);
    }
    return [...listed].map(([file, bytes]) => ({ file, bytes })).sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  /** Every part of the recording, in order: blocks, damage, the torn end. */
  async *parts(): AsyncGenerator<SegmentPart, void, undefined> {
    for (const { file, bytes } of await this.segments()) {
      if (bytes !== null && (await this.#folder.size(file)) === null) {
        if (await this.#wasDeleted(file)) continue;
        yield { kind: 'damage', damage: { file, offset: 0, what: 'the segment is missing' } };
        continue;
      }
      yield* segmentParts(this.#folder, file, bytes);
    }
  }

  /**
   * The blocks that have records of the query, in the order of recording, each with these records. Blocks whose index excludes the
   * query are not decompressed. Rejects with RecordingError at damage, unless `onDamage` is given.
   */
  async *blocks(
    query: RecordQuery = {},
    options: ReadingOptions = {},
  ): AsyncGenerator<ReadBlock, void, undefined> {
    const wanted = matcher(query);
    for await (const part of this.parts()) {
      if (part.kind === 'torn') this.#notes.torn = part.torn;
      if (part.kind === 'damage') meet(part.damage, this.#folder.path, options);
      if (part.kind !== 'block' || !wanted.block(part.block)) continue;
      const read = await this.#read(part.block, options);
      const records = read.filter(wanted.record);
      if (records.length > 0) yield { block: part.block, records };
    }
  }

  /** The records of the query, in the order of recording. `blocks` is faster where records are many. */
  async *records(
    query?: RecordQuery,
    options?: ReadingOptions,
  ): AsyncGenerator<RecordingRecord, void, undefined> {
    for await (const { records } of this.blocks(query, options)) yield* records;
  }

  async #read(block: StoredBlock, options: ReadingOptions): Promise<readonly RecordingRecord[]> {
    try {
      const { records, unknown } = await block.records();
      this.#notes.unknown += unknown;
      return records;
    } catch (error) {
      if (!(error instanceof RecordingError) || options.onDamage === undefined) throw error;
      options.onDamage({ file: block.file, offset: block.offset, what: error.message });
      return [];
    }
  }

  /** A writer may delete old segments while we read. */
  async #wasDeleted(file: string): Promise<boolean> {
    const now = await readManifest(this.#folder);
    return (segmentNumber(file) ?? 0) <= (now?.deletedThrough ?? 0);
  }
}

function meet(damage: Damage, path: string, { onDamage }: ReadingOptions): void {
  if (onDamage !== undefined) return onDamage(damage);
  const { file, offset, what } = damage;
  throw new RecordingError(`${path}/${file} at byte ${offset}: ${what}`, { file, offset });
}

/** Tests whether a block can have, and whether a record is, what the query wants. */
function matcher(query: RecordQuery): {
  readonly block: (block: StoredBlock) => boolean;
  readonly record: (record: RecordingRecord) => boolean;
} {
  const { fromWallMs = -Infinity, toWallMs = Infinity, general = false } = query;
  const events = query.events === undefined ? null : new Set(query.events);
  const kinds = query.kinds === undefined ? null : new Set<string>(query.kinds);
  const sessions = query.sessions === undefined ? null : new Set(query.sessions);
  const namesOne = (named: readonly string[]): boolean =>
    events === null || named.some((id) => events.has(id));
  return {
    block: ({ index }) =>
      index.lastWallMs >= fromWallMs &&
      index.firstWallMs < toWallMs &&
      (sessions?.has(index.session) ?? true) &&
      (kinds === null || Object.keys(index.kinds).some((kind) => kinds.has(kind))) &&
      (namesOne(index.events) || (general && index.general > 0)),
    record: ({ wallMs, kind, events: named }) =>
      wallMs >= fromWallMs &&
      wallMs < toWallMs &&
      (kinds?.has(kind) ?? true) &&
      (namesOne(named) || (general && named.length === 0)),
  };
}
