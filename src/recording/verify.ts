import { createHash } from 'node:crypto';
import type { RecordingFolder } from '../ports/recording-folder.ts';
import { RecordingError } from '../domain/errors.ts';
import { Summing, type Manifest, type SegmentSummary } from './manifest.ts';
import { RecordingReader } from './reader.ts';
import type { Damage, TornBlock } from './segment.ts';

/** Records that are missing within a recording. */
export interface Gap {
  readonly wallMs: number;
  readonly dropped: number | null;
  readonly reason: string;
}

export interface RecordingReport {
  readonly path: string;
  readonly manifest: Pick<Manifest, 'version' | 'sessions' | 'deletedThrough' | 'deletedRecords'>;
  readonly segments: number;
  /** Segments without an entry in the manifest: one that is being written, or that a killed process left. */
  readonly incomplete: readonly string[];
  readonly bytes: number;
  readonly summary: SegmentSummary;
  /** Null unless the recording ends in an unfinished block. */
  readonly torn: TornBlock | null;
  readonly gaps: readonly Gap[];
  readonly damage: readonly Damage[];
  /** Records of kinds that this program does not know. */
  readonly unknown: number;
}

/** Counts a recording by the indexes of its blocks. Rejects with RecordingError if the folder is not a recording. */
export const describeRecording = (folder: RecordingFolder): Promise<RecordingReport> =>
  examined(folder, false);

/** Reads every byte and record, and compares them with every checksum. Rejects with RecordingError if the folder is not a recording. */
export const verifyRecording = (folder: RecordingFolder): Promise<RecordingReport> => examined(folder, true);

async function examined(folder: RecordingFolder, isWhole: boolean): Promise<RecordingReport> {
  const reader = await RecordingReader.open(folder);
  const { version, sessions, deletedThrough, deletedRecords } = reader.manifest;
  const damage: Damage[] = [];
  const onDamage = (found: Damage): void => void damage.push(found);
  const summing = new Summing();
  const segments = await reader.segments();
  let bytes = 0;
  let torn: TornBlock | null = null;
  for await (const part of reader.parts()) {
    if (part.kind === 'damage') onDamage(part.damage);
    if (part.kind === 'torn') torn = part.torn;
    if (part.kind !== 'block') continue;
    summing.addBlock(part.block.index);
    bytes += part.block.end - part.block.offset;
  }
  if (isWhole) for (const found of await wrongSums(folder, reader.manifest)) onDamage(found);
  const gaps = await gapsIn(reader, isWhole, onDamage);
  return {
    ...{ path: folder.path, manifest: { version, sessions, deletedThrough, deletedRecords } },
    segments: segments.length,
    incomplete: segments.filter((each) => each.bytes === null).map(({ file }) => file),
    ...{
      bytes,
      summary: summing.summary,
      torn,
      gaps,
      damage: distinct(damage),
      unknown: reader.notes.unknown,
    },
  };
}

/** Reads the gaps; with `isWhole`, by reading every record. */
async function gapsIn(
  reader: RecordingReader,
  isWhole: boolean,
  onDamage: (damage: Damage) => void,
): Promise<readonly Gap[]> {
  const gaps: Gap[] = [];
  const query = isWhole ? {} : { kinds: ['gap'] as const };
  for await (const { records } of reader.blocks(query, { onDamage }))
    for (const { kind, wallMs, payload } of records) if (kind === 'gap') gaps.push(gapOf(wallMs, payload));
  return gaps;
}

function gapOf(wallMs: number, payload: Uint8Array): Gap {
  try {
    const gap = JSON.parse(Buffer.from(payload).toString('utf8')) as { dropped?: unknown; reason?: unknown };
    const dropped = typeof gap.dropped === 'number' ? gap.dropped : null;
    return { wallMs, dropped, reason: String(gap.reason ?? '') };
  } catch {
    return { wallMs, dropped: null, reason: 'the gap record is unreadable' };
  }
}

const HASH_STEP = 1 << 20;

async function wrongSums(folder: RecordingFolder, { segments }: Manifest): Promise<readonly Damage[]> {
  const wrong: Damage[] = [];
  for (const { file, bytes, sha256 } of segments) {
    const hash = createHash('sha256');
    for (let at = 0; at < bytes; at += HASH_STEP)
      hash.update(await folder.read(file, at, Math.min(HASH_STEP, bytes - at)));
    if (hash.digest('hex') !== sha256)
      wrong.push({ file, offset: 0, what: 'the segment differs from its checksum in the manifest' });
  }
  return wrong;
}

/** Two readings find the same damage twice. */
const distinct = (damage: readonly Damage[]): readonly Damage[] => [
  ...new Map(damage.map((each) => [`${each.file} ${each.offset} ${each.what}`, each])).values(),
];

/** Rejects with RecordingError that names the first damage, if there is any. */
export function checkSound({ path, damage }: RecordingReport): void {
  const [first] = damage;
  if (first === undefined) return;
  const { file, offset, what } = first;
  const more = damage.length === 1 ? '' : ` (and ${damage.length - 1} more)`;
  throw new RecordingError(`${path}/${file} at byte ${offset}: ${what}${more}`, { file, offset });
}
